#include "cuda_source/regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "cuda_source/functions.h"
#include "cuda_source/launch_definitions.h"
#include "cuda_source/launches.h"
#include "cuda_source/sensitivity.h"

namespace cuset::cuda_source {
namespace {

// Bodies that overlap (wrong code, or many heads in many conditional branches with one tail) are gone through
// again and again. Each pass stops when it has seen this many times the tokens of the code; no real program
// comes near.
constexpr size_t kMostPasses = 16;

// The device functions whose names occur in kernels, or in device functions that do. Operators always count.
std::vector<const Function*> reached_functions(const Code& code, const std::vector<Function>& functions) {
  std::unordered_map<std::string_view, std::vector<const Function*>> unreached;
  std::vector<const Function*> todo;
  for (const Function& function : functions) {
    if (function.kernel) {
      todo.push_back(&function);
    } else if (function.body != Code::kNone) {
      unreached[function.name].push_back(&function);
    }
  }
  std::vector<const Function*> reached;
  const auto reach = [&](std::string_view name) {
    const auto found = unreached.find(name);
    if (found == unreached.end()) return;
    reached.insert(reached.end(), found->second.begin(), found->second.end());
    todo.insert(todo.end(), found->second.begin(), found->second.end());
    unreached.erase(found);
  };
  if (todo.empty() || unreached.empty()) return reached;
  for (const Function& function : functions) {
    if (function.name.starts_with("operator")) reach(function.name);
  }
  size_t budget = kMostPasses * code.size();
  while (!todo.empty() && !unreached.empty()) {
    const Function& function = *todo.back();
    todo.pop_back();
    if (function.end - function.parameters > budget) break;
    budget -= function.end - function.parameters;
    for (size_t i = function.parameters; i < function.end; ++i) {
      if (code[i].is_identifier() && code[i].is(Keyword::kNone)) reach(code.raw(i));
    }
  }
  return reached;
}

class RegionFinder {
 public:
  explicit RegionFinder(const RegionOptions& options) : options_(options) {}

  void add_code(const Code& code, const std::unordered_map<std::string, Alias>& aliases) {
    add_functions(code, find_functions(code, aliases));
    add_launches(code);
  }

  std::vector<Region> take() {
    sort_regions(regions_);
    return std::move(regions_);
  }

 private:
  void add(base::ByteSpan bytes, RegionKind kind, const std::string& name) {
    if (bytes.begin < bytes.end) regions_.push_back({bytes.begin, bytes.end, kind, name});
  }

  void add_sensitive(const Code& code, const Function& function, size_t& budget) {
    if (!options_.sensitivity || function.body == Code::kNone || function.end - function.body > budget)
      return;
    budget -= function.end - function.body;
    find_sensitive(code, function, regions_);
  }

  void add_functions(const Code& code, const std::vector<Function>& functions) {
    size_t budget = kMostPasses * code.size();
    for (const Function& function : functions) {
      if (!function.kernel) continue;
      if (options_.signatures) add(function.signature, RegionKind::kKernelSignature, function.name);
      add(function.body_bytes, RegionKind::kKernelBody, function.name);
      add_sensitive(code, function, budget);
    }
    if (!options_.device_functions) return;
    for (const Function* function : reached_functions(code, functions)) {
      add(function->body_bytes, RegionKind::kDeviceBody, function->name);
      add_sensitive(code, *function, budget);
    }
  }

  void add_launches(const Code& code) {
    std::vector<Launch> launches = find_launches(code);
    if (!options_.launch_functions)
      std::erase_if(launches, [](const Launch& launch) { return !launch.bracketed; });
    for (const Launch& launch : launches) {
      for (base::ByteSpan bytes : launch.configuration) {
        if (launch.bracketed && !options_.launch_brackets) bytes = inside_brackets(code, launch);
        add(bytes, RegionKind::kLaunchConfiguration, launch.kernel);
      }
    }
    if (!options_.launch_definitions) return;
    for (const auto& definition : find_launch_definitions(code, launches, options_.transitive_definitions)) {
      add(definition.bytes, RegionKind::kLaunchDefinition, definition.name);
    }
  }

  static base::ByteSpan inside_brackets(const Code& code, const Launch& launch) {
    const auto [first, last] = launch.arguments.front();
    if (first >= last) return {};
    return {code[first].begin, code[last - 1].end};
  }

  const RegionOptions& options_;
  std::vector<Region> regions_;
};

// Lines and columns of increasing offsets.
class PlaceFinder {
 public:
  explicit PlaceFinder(std::string_view text) {
    line_starts_.push_back(0);
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_starts_.push_back(i + 1);
    }
  }

  std::pair<size_t, size_t> place(size_t offset) const {
    const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    const auto line = static_cast<size_t>(after - line_starts_.begin());
    return {line, offset - line_starts_[line - 1] + 1};
  }

 private:
  std::vector<size_t> line_starts_;
};

}  // namespace

std::string_view name_of(RegionKind kind) {
  switch (kind) {
    case RegionKind::kKernelSignature:
      return "kernel_signature";
    case RegionKind::kKernelBody:
      return "kernel_body";
    case RegionKind::kDeviceBody:
      return "device_body";
    case RegionKind::kLaunchConfiguration:
      return "launch_configuration";
    case RegionKind::kLaunchDefinition:
      return "launch_definition";
    case RegionKind::kThreadIndexing:
      return "thread_indexing";
    case RegionKind::kSharedMemory:
      return "shared_memory";
    case RegionKind::kSynchronization:
      return "synchronization";
    case RegionKind::kGlobalMemory:
      return "global_memory";
  }
  return "unknown";
}

bool in_cuda_mask(RegionKind kind) {
  return kind == RegionKind::kKernelBody || kind == RegionKind::kLaunchConfiguration ||
         kind == RegionKind::kLaunchDefinition;
}

std::vector<Region> find_regions(std::string_view source, const RegionOptions& options) {
  const Source read = read_source(source);
  RegionFinder finder(options);
  finder.add_code(read.code, read.aliases);
  for (const Code& macro : read.macros) finder.add_code(macro, read.aliases);
  return finder.take();
}

KernelUse find_kernel_use(std::string_view source) {
  const Source read = read_source(source);
  KernelUse use;
  const auto add = [&](const Code& code) {
    for (const Function& function : find_functions(code, read.aliases)) {
      if (function.kernel && function.body != Code::kNone) use.defined.push_back(function.name);
    }
    for (const Launch& launch : find_launches(code)) use.launched.push_back(launch.kernel);
  };
  add(read.code);
  for (size_t i = 0; i + 1 < read.code.size(); ++i) {
    use.mentions_main |= read.code[i + 1].is('(') && read.code.raw(i) == "main";
  }
  for (const Code& macro : read.macros) add(macro);
  return use;
}

void sort_regions(std::vector<Region>& regions) {
  const auto before = [](const Region& a, const Region& b) {
    return std::tie(a.begin, b.end, a.kind, a.name) < std::tie(b.begin, a.end, b.kind, b.name);
  };
  std::sort(regions.begin(), regions.end(), before);
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
}

std::string dump_regions(std::string_view text, const std::vector<Region>& regions) {
  const PlaceFinder places(text);
  std::string result;
  for (const Region& region : regions) {
    const auto [line, column] = places.place(region.begin);
    const auto [end_line, end_column] = places.place(region.end);
    result += fmt::format("{} {} {}:{}-{}:{}\n", name_of(region.kind),
                          region.name.empty() ? "-" : region.name, line, column, end_line, end_column);
  }
  return result;
}

base::Json regions_to_json(std::string_view text, const std::vector<Region>& regions) {
  const PlaceFinder places(text);
  base::Json list = base::Json::array();
  for (const Region& region : regions) {
    const auto [line, column] = places.place(region.begin);
    list.push_back({{"kind", name_of(region.kind)},
                    {"name", region.name},
                    {"begin", region.begin},
                    {"end", region.end},
                    {"line", line},
                    {"column", column}});
  }
  return list;
}

}  // namespace cuset::cuda_source
