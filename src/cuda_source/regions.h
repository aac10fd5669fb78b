// CUDA regions of a source text: where kernels are defined, how they are launched, and what in them depends
// on the execution model. Spans are bytes of the text; regions of different kinds may overlap.
//
//   kernel_body           `{` through `}` of every `__global__` function that is defined.
//   kernel_signature      from the kernel's name through its parameter list.
//   device_body           `{` through `}` of a `__device__` function that a kernel reaches: its name occurs
//                         in a kernel or in a device function already reached. Operators, which calls do not
//                         name, count as reached as soon as there is a kernel.
//   launch_configuration  `<<<` through `>>>`, or the configuration arguments of a launch function
//                         (launches.h). The name is the kernel launched.
//   launch_definition     a statement of the same function that feeds a configuration (launch_definitions.h).
//                         The name is the variable defined.
// Inside kernel bodies (and device bodies, where asked for), see sensitivity.h:
//   thread_indexing, shared_memory, synchronization, global_memory.
//
// CuSeT's CUDA mask is the union of kernel_body, launch_configuration and launch_definition (in_cuda_mask).
//
// Inactive code (`#if 0`) holds no regions; all other conditional branches do. A kernel or launch in a
// macro's replacement list is found there, in the text of the #define; where such a macro is used, nothing is
// found. Cut-off code: a region that is open at the end of the text ends there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/byte_span.h"
#include "base/json/json.h"

namespace cuset::cuda_source {

enum class RegionKind : uint8_t {
  kKernelSignature,
  kKernelBody,
  kDeviceBody,
  kLaunchConfiguration,
  kLaunchDefinition,
  kThreadIndexing,
  kSharedMemory,
  kSynchronization,
  kGlobalMemory,
};

// "kernel_body", ...
std::string_view name_of(RegionKind kind);

// Whether the region's tokens belong to the CUDA mask of the CuSeT objective.
bool in_cuda_mask(RegionKind kind);

struct Region {
  size_t begin = 0;
  size_t end = 0;
  RegionKind kind = RegionKind::kKernelBody;
  std::string name;

  friend bool operator==(const Region&, const Region&) = default;
};

struct RegionOptions {
  bool signatures = true;
  bool device_functions = false;
  // The bracketed configuration includes `<<<` and `>>>`; else only what is between
  bool launch_brackets = true;
  bool launch_functions = true;  // cudaLaunchKernel and its relatives, beside <<<...>>>
  bool launch_definitions = true;
  // Else only statements that define a variable of the configuration itself
  bool transitive_definitions = true;
  bool sensitivity = false;
};

// The regions of `source`, sorted by begin, then by end (longer first), then by kind. Any bytes are accepted.
std::vector<Region> find_regions(std::string_view source, const RegionOptions& options = {});

// What a program defines and launches, by name, in order of the text.
struct KernelUse {
  std::vector<std::string> defined;
  std::vector<std::string> launched;  // one per launch; "" where the launch does not name its kernel
  bool mentions_main = false;         // `main(` occurs in the code
};
KernelUse find_kernel_use(std::string_view source);

// Puts regions in the order that find_regions states and drops repetitions.
void sort_regions(std::vector<Region>& regions);

// One line per region, "kind name line:column-line:column\n". Lines and columns (bytes) count from 1; the
// second place is that of the byte after the region. A region without a name shows "-".
std::string dump_regions(std::string_view text, const std::vector<Region>& regions);

// [{"kind", "name", "begin", "end", "line", "column"}, ...]
base::Json regions_to_json(std::string_view text, const std::vector<Region>& regions);

}  // namespace cuset::cuda_source
