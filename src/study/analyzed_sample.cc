#include "study/analyzed_sample.h"

namespace cuset {

std::vector<RegionKind> kinds_in(KindSet kinds) {
  std::vector<RegionKind> found;
  for (size_t i = 0; i < kRegionKinds; ++i) {
    const auto kind = static_cast<RegionKind>(i);
    if (holds(kinds, kind)) found.push_back(kind);
  }
  return found;
}

std::string names_of(KindSet kinds, std::string_view separator) {
  std::string names;
  for (const RegionKind kind : kinds_in(kinds)) {
    if (!names.empty()) names += separator;
    names += name_of(kind);
  }
  return names;
}

std::string_view name_of(Sensitivity sensitivity) {
  return sensitivity == Sensitivity::kMask ? "mask" : "structures";
}

KindSet sensitive_kinds(Sensitivity sensitivity) {
  const auto launches = only(RegionKind::kLaunchConfiguration) | only(RegionKind::kLaunchDefinition);
  if (sensitivity == Sensitivity::kMask) {
    return static_cast<KindSet>(launches | only(RegionKind::kKernelBody) | only(RegionKind::kDeviceBody));
  }
  return static_cast<KindSet>(launches | only(RegionKind::kThreadIndexing) | only(RegionKind::kSharedMemory) |
                              only(RegionKind::kSynchronization) | only(RegionKind::kGlobalMemory));
}

}  // namespace cuset
