#include "reinforce/source_rules.h"

#include <algorithm>
#include <vector>

#include "cuda_source/answer.h"
#include "cuda_source/lexer.h"

namespace cuset::reinforce {
namespace {

using cuda_source::Region;
using cuda_source::RegionKind;

bool holds(const std::vector<Region>& regions, const Region& body, RegionKind kind) {
  return std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
    return region.kind == kind && region.begin >= body.begin && region.end <= body.end;
  });
}

bool compares(std::string_view body) {
  const std::vector<cuda_source::Token> tokens = cuda_source::lex(body);
  return std::any_of(tokens.begin(), tokens.end(), [](const cuda_source::Token& token) {
    return token.is(cuda_source::kCompare) || token.is('<') || token.is('>');
  });
}

}  // namespace

double SourceRules::score() const {
  const bool rules[] = {kernel, launch, indexing, guard, barrier};
  return static_cast<double>(std::count(std::begin(rules), std::end(rules), true)) /
         static_cast<double>(std::size(rules));
}

SourceRules check_source_rules(std::string_view answer) {
  cuda_source::AnswerOptions options;
  options.regions.sensitivity = true;
  const std::vector<Region> regions = cuda_source::find_regions_in_answer(answer, options);
  SourceRules rules{.kernel = true, .launch = false, .indexing = true, .guard = true, .barrier = true};
  bool has_kernel = false;
  for (const Region& region : regions) {
    if (region.kind == RegionKind::kLaunchConfiguration) rules.launch = true;
    if (region.kind != RegionKind::kKernelBody) continue;
    has_kernel = true;
    const std::string_view body = answer.substr(region.begin, region.end - region.begin);
    rules.kernel &= body.ends_with('}');
    rules.indexing &= holds(regions, region, RegionKind::kThreadIndexing);
    rules.guard &= compares(body);
    rules.barrier &= !holds(regions, region, RegionKind::kSharedMemory) ||
                     holds(regions, region, RegionKind::kSynchronization);
  }
  return has_kernel ? rules : SourceRules();
}

}  // namespace cuset::reinforce
