// Which programs use thread block clusters, and which architectures have them.
#pragma once

#include <string_view>

namespace cuset::execute {

// Whether code of a source (not a comment or a string of C++) names something that only compute capability 9.0 and later has
// for clusters: __cluster_dims__, this_cluster, cudaLaunchAttributeClusterDimension, barrier.cluster in inline PTX.
bool names_clusters(std::string_view source);

// "sm_90", "compute_100a".
bool has_clusters(std::string_view architecture);

}  // namespace cuset::execute
