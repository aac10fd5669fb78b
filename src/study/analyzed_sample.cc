#include "study/analyzed_sample.h"

namespace cuset::study {

std::vector<cuda_source::RegionKind> kinds_in(KindSet kinds) {
  std::vector<cuda_source::RegionKind> found;
  for (size_t i = 0; i < kRegionKinds; ++i) {
    const auto kind = static_cast<cuda_source::RegionKind>(i);
    if (holds(kinds, kind)) found.push_back(kind);
  }
  return found;
}

std::string names_of(KindSet kinds, std::string_view separator) {
  std::string names;
  for (const cuda_source::RegionKind kind : kinds_in(kinds)) {
    if (!names.empty()) names += separator;
    names += cuda_source::name_of(kind);
  }
  return names;
}

std::string_view name_of(Sensitivity sensitivity) {
  return sensitivity == Sensitivity::kMask ? "mask" : "structures";
}

KindSet sensitive_kinds(Sensitivity sensitivity) {
  const auto launches =
      only(cuda_source::RegionKind::kLaunchConfiguration) | only(cuda_source::RegionKind::kLaunchDefinition);
  if (sensitivity == Sensitivity::kMask) {
    return static_cast<KindSet>(launches | only(cuda_source::RegionKind::kKernelBody) |
                                only(cuda_source::RegionKind::kDeviceBody));
  }
  return static_cast<KindSet>(launches | only(cuda_source::RegionKind::kThreadIndexing) |
                              only(cuda_source::RegionKind::kSharedMemory) |
                              only(cuda_source::RegionKind::kSynchronization) |
                              only(cuda_source::RegionKind::kGlobalMemory));
}

}  // namespace cuset::study
