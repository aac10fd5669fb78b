// Prompts and programs are packed; they are unpacked once, after the rest of the page is drawn.
let details = null;
let detailsFault = null;
async function unpackDetails() {
  try {
    const bytes = Uint8Array.from(atob(at("details").textContent), character => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    details = JSON.parse(await new Response(stream).text());
  } catch (fault) {
    detailsFault = typeof DecompressionStream === "undefined" ?
        "This browser is too old to unpack the programs: one of 2024 or later can." :
        String(fault);
  }
}
