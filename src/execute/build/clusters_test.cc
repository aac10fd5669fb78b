#include "execute/build/clusters.h"

#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

TEST(Clusters, AreNamedByAttributesGroupsLaunchesAndPtx) {
  for (const char* source :
       {"__global__ void __cluster_dims__(2, 1, 1) k() {}", "auto c = cooperative_groups::this_cluster();",
        "a.id = cudaLaunchAttributeClusterDimension;", "__cluster_barrier_wait();",
        "asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(r));",
        "asm volatile(\"barrier.cluster.arrive;\\nbarrier.cluster.wait;\");",
        "asm(\"mapa.shared::cluster.u32 %0, %1, %2;\" : \"=r\"(d) : \"r\"(a), \"r\"(b));"})
    EXPECT_TRUE(names_clusters(source)) << source;
}

TEST(Clusters, OtherWordsAndCommentsAreNone) {
  for (const char* source : {"int clusters = 3; float* cluster_dims;", "// this_cluster\nint x;",
                             "/* __cluster_dims__ */", "const char* text = \"cluster_group\";", ""})
    EXPECT_FALSE(names_clusters(source)) << source;
}

TEST(Clusters, BelongToArchitecturesFrom90On) {
  for (const char* name : {"sm_90", "sm_90a", "compute_100", "sm_120"})
    EXPECT_TRUE(has_clusters(name)) << name;
  for (const char* name : {"sm_80", "sm_89", "sm_75", "native"}) EXPECT_FALSE(has_clusters(name)) << name;
}

}  // namespace
}  // namespace cuset::execute
