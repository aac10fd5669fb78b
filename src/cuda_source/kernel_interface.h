// What a source tells about how its kernels are to be called: parameters, template parameters, and what its launches and
// shared arrays say about the size of a block.
//
// All is read from tokens. A parameter's name is the last identifier before its default value or array bounds. Constants
// are #define lines and initializations with a whole number (`constexpr int kTile = 16;`); a block size that is anything
// else is not known.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::cuda_source {

struct KernelParameter {
  std::string name;         // may be empty
  std::string type;         // as written, without name and __restrict__: "const float *"
  bool is_pointer = false;  // to data; a pointer to a pointer too
  bool is_const = false;    // what it points at
  bool is_integer = false;  // a whole number by value
};

struct TemplateParameter {
  std::string name;
  bool is_type = false;  // typename T, class T; else a value
};

struct KernelInterface {
  std::string name;
  std::string qualified;  // with its namespaces
  std::vector<KernelParameter> parameters;
  std::vector<TemplateParameter> template_parameters;
  std::string template_arguments;     // of its first launch that names them: "float, 256"
  int dimensions = 1;                 // of the grid: 2 where an index has .y, 3 where one has .z
  std::array<int64_t, 3> block = {};  // of its first launch whose sizes are constants; 0: not known
  std::vector<int64_t> shared_sides;  // of its first __shared__ array whose sizes are constants
  bool has_several_blocks = false;    // blockIdx or gridDim occur in it, or in code that it may call
  bool has_dynamic_shared = false;    // extern __shared__
};

// Of all kernels that `source` defines, in order; overloads are several. Any bytes are accepted.
std::vector<KernelInterface> find_kernel_interfaces(std::string_view source);

}  // namespace cuset::cuda_source
