#include "cuda_source/call_kinds.h"

#include <algorithm>
#include <array>

namespace cuset::cuda_source {
namespace {

using namespace std::string_view_literals;

template <size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <size_t N>
bool starts_with_one_of(const std::array<std::string_view, N>& prefixes, std::string_view name) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return name.starts_with(p); });
}

constexpr std::array kIndexMembers = {
    "thread_rank"sv,     "thread_index"sv,  "num_threads"sv,     "group_index"sv,
    "group_dim"sv,       "block_rank"sv,    "block_index"sv,     "dim_threads"sv,
    "dim_blocks"sv,      "num_blocks"sv,    "meta_group_rank"sv, "cluster_rank"sv,
    "meta_group_size"sv, "cluster_index"sv, "num_clusters"sv,    "dim_clusters"sv,
};
constexpr std::array kIndexFunctions = {
    "this_thread_block"sv, "this_grid"sv,         "this_cluster"sv,
    "this_thread"sv,       "this_multi_grid"sv,   "tiled_partition"sv,
    "coalesced_threads"sv, "labeled_partition"sv, "binary_partition"sv,
};
constexpr std::array kSyncMembers = {
    "sync"sv,
    "arrive"sv,
    "wait"sv,
    "arrive_and_wait"sv,
    "arrive_and_drop"sv,
    "barrier_arrive"sv,
    "any"sv,
    "all"sv,
    "ballot"sv,
    "barrier_wait"sv,
    "match_any"sv,
    "match_all"sv,
    "shfl"sv,
    "shfl_up"sv,
    "shfl_down"sv,
    "shfl_xor"sv,
    "wait_parity"sv,
    "fetch_add"sv,
    "fetch_sub"sv,
    "fetch_max"sv,
    "fetch_min"sv,
    "fetch_and"sv,
    "fetch_or"sv,
    "fetch_xor"sv,
    "exchange"sv,
    "compare_exchange_strong"sv,
    "compare_exchange_weak"sv,
    "producer_acquire"sv,
    "producer_commit"sv,
    "consumer_wait"sv,
    "consumer_release"sv,
};
constexpr std::array kSyncPrefixes = {
    "__sync"sv,      "__threadfence"sv,  "__shfl"sv,      "__ballot"sv,
    "__any"sv,       "__all"sv,          "__match_"sv,    "__reduce_"sv,
    "__nv_atomic"sv, "__barrier_sync"sv, "__mbarrier_"sv, "__cluster_barrier"sv,
};
constexpr std::array kSyncFunctions = {
    "__activemask"sv,
    "__pipeline_commit"sv,
    "__pipeline_wait_prior"sv,
    "__pipeline_arrive_on"sv,
    "atomic_thread_fence"sv,
    "atomic_ref"sv,
    "__nanosleep"sv,
    "sync"sv,
    "reduce"sv,
    "inclusive_scan"sv,
    "exclusive_scan"sv,
    "wait"sv,
    "wait_prior"sv,
    "pipeline_consumer_wait_prior"sv,
};
constexpr std::array kGlobalFunctions = {
    "__ldg"sv,
    "__ldca"sv,
    "__ldcg"sv,
    "__ldcs"sv,
    "__ldcv"sv,
    "__ldlu"sv,
    "__stcg"sv,
    "__stcs"sv,
    "__stwb"sv,
    "__stwt"sv,
    "__pipeline_memcpy_async"sv,
    "memcpy_async"sv,
    "cp_async_bulk"sv,
};
constexpr std::array kGlobalPrefixes = {"tex1D"sv, "tex2D"sv, "tex3D"sv, "surf1D"sv, "surf2D"sv, "surf3D"sv};

// atomicAdd, atomicCAS_block, ...
bool is_atomic(std::string_view name) {
  return name.size() > 6 && name.starts_with("atomic") && name[6] >= 'A' && name[6] <= 'Z';
}

}  // namespace

std::optional<RegionKind> call_kind(std::string_view name, bool member) {
  if (member) {
    if (is_one_of(kIndexMembers, name)) return RegionKind::kThreadIndexing;
    if (is_one_of(kSyncMembers, name)) return RegionKind::kSynchronization;
    return std::nullopt;
  }
  if (is_atomic(name) || starts_with_one_of(kSyncPrefixes, name) || is_one_of(kSyncFunctions, name)) {
    return RegionKind::kSynchronization;
  }
  if (is_one_of(kIndexFunctions, name)) return RegionKind::kThreadIndexing;
  if (is_one_of(kGlobalFunctions, name) || starts_with_one_of(kGlobalPrefixes, name))
    return RegionKind::kGlobalMemory;
  return std::nullopt;
}

void assembly_kinds(std::string_view assembly, std::vector<RegionKind>& kinds) {
  struct Marks {
    RegionKind kind;
    std::array<std::string_view, 8> texts;  // unused places are empty
  };
  static constexpr Marks kMarks[] = {
      {RegionKind::kThreadIndexing, {"%tid", "%ctaid", "%ntid", "%nctaid", "%laneid", "%warpid", "%cluster"}},
      {RegionKind::kSharedMemory, {"ld.shared", "st.shared", "ldmatrix", "stmatrix", ".shared::"}},
      {RegionKind::kSynchronization,
       {"bar.", "barrier.", "membar", "fence", "shfl.", "vote.", "cp.async.wait", "cp.async.commit"}},
      {RegionKind::kSynchronization,
       {"atom.", "red.", "mbarrier", "match.", "redux", "wgmma.wait", "wgmma.commit"}},
      {RegionKind::kGlobalMemory,
       {"ld.global", "st.global", "cp.async", "prefetch.global", "tex.", "ld.volatile"}},
  };
  for (const Marks& marks : kMarks) {
    const bool named = std::any_of(marks.texts.begin(), marks.texts.end(), [&](std::string_view text) {
      return !text.empty() && assembly.find(text) != std::string_view::npos;
    });
    if (named && std::find(kinds.begin(), kinds.end(), marks.kind) == kinds.end())
      kinds.push_back(marks.kind);
  }
}

}  // namespace cuset::cuda_source
