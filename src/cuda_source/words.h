// The identifiers that the analyzer knows: qualifiers, keywords that shape statements, launch functions, and
// the built-in variables of a kernel. The lexer stores the Keyword in the token, so later passes compare
// numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace cuset::cuda_source {

enum class Keyword : uint8_t {
  kNone,
  // Function and variable qualifiers.
  kGlobal,     // __global__, or a macro that stands for it
  kDevice,     // __device__, or a macro that stands for it
  kHost,       // __host__
  kShared,     // __shared__
  kAttribute,  // takes a parenthesised group that is not a parameter list: __launch_bounds__, alignas, ...
  // Keywords of declarations.
  kAuto,
  kClass,  // class, struct, union, enum
  kExtern,
  kNamespace,
  kNoexcept,
  kOperator,
  kRequires,
  kSpecifier,  // const, static, mutable, override, ...: never a declared name
  kTemplate,
  kType,  // built-in type names
  // Keywords of statements.
  kCase,
  kControl,  // if, for, while, switch, catch: followed by a header in parentheses
  kDo,
  kElse,
  kStatement,  // return, goto, delete, ...: starts an expression, never a declaration
  kTry,
  // Launch functions by their argument order.
  kLaunchRuntime,  // (kernel, grid, block, arguments, shared bytes, stream)
  kLaunchDriver,   // (kernel, grid x y z, block x y z, shared bytes, stream, arguments, ...)
  kLaunchConfig,   // (configuration, kernel, arguments...)
  // Inside kernels.
  kAsm,
  kCast,         // reinterpret_cast, static_cast, const_cast
  kThreadIndex,  // threadIdx, blockIdx, blockDim, gridDim, warpSize
};

// kNone for an identifier that means nothing special.
Keyword find_word(std::string_view identifier);

}  // namespace cuset::cuda_source
