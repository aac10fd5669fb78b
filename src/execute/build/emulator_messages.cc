#include "execute/build/emulator_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/lines.h"

namespace cuset::execute {
namespace {

constexpr std::string_view kUnsupported = "unsupported: ";

// The text between `open` and `close` where it first stands; empty if it does not.
std::string between(std::string_view text, std::string_view open, std::string_view close) {
  const size_t start = text.find(open);
  if (start == std::string_view::npos) return "";
  const size_t end = text.find(close, start + open.size());
  if (end == std::string_view::npos) return "";
  return std::string(text.substr(start + open.size(), end - start - open.size()));
}

// "2 errors generated when compiling for host."
bool counts_errors(std::string_view line) {
  return !line.empty() && line[0] >= '0' && line[0] <= '9' &&
         line.find(" generated") != std::string_view::npos;
}

bool starts_diagnostic(std::string_view line) {
  return line.find(": error: ") != std::string_view::npos ||
         line.find(": warning: ") != std::string_view::npos ||
         line.find(": fatal error: ") != std::string_view::npos;
}

bool is_error(std::string_view block) { return block.find("error: ") != std::string_view::npos; }

// In the diagnostic itself: `x.h:4:2: error: "unsupported: cuDNN"`.
bool names_unsupported(std::string_view block) {
  for (const std::string_view line : base::lines_of(block)) {
    if (starts_diagnostic(line)) return line.find(kUnsupported) != std::string_view::npos;
  }
  return false;
}

bool leads_to_diagnostic(std::string_view line) {
  return line.starts_with("In file included from ") || line.starts_with("                 from ");
}

// A diagnostic with the includes that led to it, its source line and its notes. Text before the first one is
// a block, too.
std::vector<std::string> diagnostics_of(std::string_view messages) {
  std::vector<std::string> blocks;
  bool leads = false;
  for (const std::string_view line : base::lines_of(messages)) {
    if (counts_errors(line)) continue;
    const bool begins = !leads && (starts_diagnostic(line) || leads_to_diagnostic(line));
    if (begins || blocks.empty()) blocks.emplace_back();
    leads = leads_to_diagnostic(line);
    blocks.back().append(line).append("\n");
  }
  return blocks;
}

// What follows each `mark`, up to one of the bytes in `ends`; nothing that is empty. Linear in the text's
// size.
std::vector<std::string> words_after(std::string_view text, std::string_view mark, const char* ends) {
  std::vector<std::string> words;
  size_t end = 0;
  for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, end)) {
    const size_t start = at + mark.size();
    end = std::min(text.find_first_of(ends, start), text.size());
    if (end > start) words.emplace_back(text.substr(start, end - start));
  }
  return words;
}

std::vector<std::string> each_once(std::vector<std::string> words) {
  std::unordered_set<std::string> known;
  std::erase_if(words, [&](const std::string& word) { return !known.insert(word).second; });
  return words;
}

bool is_cuda_function(std::string_view name) {
  if (name.starts_with("__cuda")) return true;
  if (!name.starts_with("cu") && !name.starts_with("nccl") && !name.starts_with("nvml")) return false;
  return name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos;
}

}  // namespace

std::optional<Refusal> refusal_in(std::string_view messages) {
  std::string hack = between(messages, "error: refused as hack: ", "\n");
  if (!hack.empty()) return Refusal{true, std::move(hack)};
  std::string rejected = between(messages, "error: refused as rejected: ", "\n");
  if (!rejected.empty()) return Refusal{false, std::move(rejected)};
  return std::nullopt;
}

std::string merged_messages(std::string_view host, std::string_view device) {
  std::string merged;
  std::unordered_set<std::string> known;
  for (const std::string_view messages : {host, device}) {
    for (std::string& block : diagnostics_of(messages)) {
      const auto [entry, is_new] = known.insert(std::move(block));
      if (is_new) merged += *entry;
    }
  }
  return merged;
}

std::string decisive_diagnostic(std::string_view messages) {
  const std::vector<std::string> blocks = diagnostics_of(messages);
  for (const std::string_view mark : {"error: unsupported: ", "error: "}) {
    for (const std::string& block : blocks)
      if (block.find(mark) != std::string::npos) return block;
  }
  return std::string(messages);
}

std::string first_error(std::string_view messages) { return between(messages, "error: ", "\n"); }

std::vector<std::string> undefined_cuda_functions(std::string_view messages) {
  std::vector<std::string> functions;
  for (const std::string_view mark : {"undefined reference to `", "undefined symbol: "}) {
    for (std::string& name : words_after(messages, mark, "\n'(")) {
      if (is_cuda_function(name)) functions.push_back(std::move(name));
    }
  }
  return each_once(std::move(functions));
}

std::vector<std::string> undeclared_library_names(std::string_view messages) {
  std::vector<std::string> names;
  for (const std::string_view mark : {"use of undeclared identifier '", "unknown type name '"}) {
    for (std::string& name : words_after(messages, mark, "\n'")) {
      for (const std::string_view library : {"cublas", "cufft", "curand", "cusolver", "cusparse"}) {
        if (!name.starts_with(library) || !is_cuda_function(name)) continue;
        names.push_back(std::move(name));
        break;
      }
    }
  }
  return each_once(std::move(names));
}

std::vector<std::string> unsupported_constructs(std::string_view messages) {
  return each_once(words_after(messages, kUnsupported, "\n\""));
}

std::string what_is_unsupported(std::string_view messages) {
  const std::vector<std::string> constructs = unsupported_constructs(messages);
  return constructs.empty() ? first_error(messages) : fmt::format("{}", fmt::join(constructs, ", "));
}

std::string without_follow_up_errors(std::string_view messages) {
  std::string named, notes;
  std::vector<std::string> others;
  for (std::string& block : diagnostics_of(messages)) {
    if (names_unsupported(block)) {
      named += block;
      continue;
    }
    // A line of ours is at the end of what compilers said.
    for (const std::string_view line : base::lines_of(block)) {
      if (line.find(kUnsupported) != line.npos) notes.append(line).append("\n");
    }
    if (is_error(block)) others.push_back(std::move(block));
  }
  size_t left_out = others.size();
  if (named.empty() && !others.empty()) {
    for (const std::string_view line : base::lines_of(others[0])) {
      if (line.find(kUnsupported) == line.npos) named.append(line).append("\n");
    }
    --left_out;
  }
  if (left_out > 0)
    named += fmt::format("{} more error{} that may follow from this {} not shown\n", left_out,
                         left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are");
  return named + notes;
}

bool names_kernel_type(std::string_view messages) {
  return messages.find("__attribute__((ms_abi))") != messages.npos;
}

bool names_dynamic_parallelism(std::string_view messages) {
  return messages.find("error: reference to __global__ function '") != messages.npos ||
         messages.find("requires separate compilation mode") != messages.npos;
}

std::string missing_include(std::string_view messages) {
  const std::string clang = between(messages, "fatal error: '", "' file not found");
  return clang.empty() ? between(messages, "fatal error: ", ": No such file or directory") : clang;
}

std::string missing_cuda_header(std::string_view messages) {
  static constexpr std::string_view kBeginnings[] = {
      "cu",    "thrust/", "nv/", "nvtx",      "nvToolsExt", "nvrtc",
      "nvml",  "nccl",    "npp", "nvJitLink", "nvPTX",      "nvjpeg",
      "mma.h", "crt/",    "sm_", "device_",   "math_",      "cooperative_groups"};
  const std::string header = missing_include(messages);
  const bool known = std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                                 [&](std::string_view beginning) { return header.starts_with(beginning); });
  // Between angle brackets: a header of the program's own stands in quotes.
  const bool quoted = messages.find(fmt::format("#include \"{}\"", header)) != std::string_view::npos;
  return known && !quoted ? header : "";
}

}  // namespace cuset::execute
