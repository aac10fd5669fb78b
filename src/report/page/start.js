// Draws the page, and follows the address: #section, #task/ID, #task/ID/SAMPLE.

// One part that cannot be drawn must not take the others with it.
function attempt(name, show) {
  try {
    show();
  } catch (fault) {
    at("overview").append(make("p", {class: "fault", role: "alert"}, `${name} could not be drawn: ${fault.message}`));
    console.error(name, fault);
  }
}

let overviewScroll = 0;

function follow() {
  const [view, ...rest] = location.hash.slice(1).split("/");
  const isTask = view === "task" && rest.length > 0;
  const wasTask = !at("task").hidden;
  if (isTask && !wasTask) overviewScroll = scrollY;
  at("task").hidden = !isTask;
  at("overview").hidden = isTask;
  document.body.classList.toggle("on-task", isTask);
  if (isTask) {
    let id = rest[0];
    try {
      id = decodeURIComponent(id);
    } catch { /* an address typed by hand stays as it is */
    }
    showTask(id, Number(rest[1]));
    if (!wasTask || at("task").dataset.id !== id) scrollTo(0, 0);
    at("task").dataset.id = id;
    at("task").querySelector("h1").focus({preventScroll: true});
  } else if (wasTask) {
    if (view === "tasks")
      scrollTo(0, overviewScroll);
    else
      document.getElementById(view)?.scrollIntoView();
  }
  if (isTask) markSection("tasks");
}

// The bar tells which section is being read.
function watchSections() {
  const seen = new Map();
  const observer = new IntersectionObserver(entries => {
    for (const entry of entries) seen.set(entry.target.id, entry.isIntersecting);
    const current = [...seen].find(([, isSeen]) => isSeen)?.[0];
    if (!current || at("overview").hidden) return;
    markSection(current);
  }, {rootMargin: "-20% 0px -70% 0px"});
  for (const element of at("overview").querySelectorAll(":scope > section")) {
    seen.set(element.id, false);
    observer.observe(element);
  }
}

function markSection(id) {
  for (const link of at("sections").children) {
    if (link.getAttribute("href") === "#" + id)
      link.setAttribute("aria-current", "true");
    else
      link.removeAttribute("aria-current");
  }
}

// Left and right between tasks, "/" to search.
function listenToKeys() {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey ||
        event.target.closest("input, select, textarea, pre, svg, .scroll"))
      return;
    const key = {ArrowLeft: "previous", ArrowRight: "next"}[event.key];
    if (key && !at("task").hidden) at("task").querySelector(`[data-key=${key}]`)?.click();
    if (event.key === "/" && at("task").hidden && at("task-search")) {
      event.preventDefault();
      at("task-search").focus();
    }
  });
}

async function start() {
  startTheme();
  attempt("The opening", showOpening);
  attempt("Results", showHeadline);
  attempt("Training", showTraining);
  attempt("Masks and weights", showMasks);
  attempt("Confidence", showConfidence);
  attempt("The heat map", showKernels);
  attempt("Failures", showFailures);
  attempt("Tasks", showTasks);
  attempt("How it was made", showSetup);
  if (!hasCharts)
    at("closing").append(" Tables stand in place of charts: the program was built without D3 (Debian's libjs-d3).");
  listenToKeys();
  watchSections();
  addEventListener("hashchange", follow);
  follow();
  if (location.hash && at("task").hidden) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  await unpackDetails();
  if (!at("task").hidden) follow();
  document.documentElement.dataset.ready = "true";
}

start();
