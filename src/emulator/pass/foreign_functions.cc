// Device code may call its own functions, the emulator's, and mathematics; nothing else exists on a GPU. A
// function that is only declared would otherwise be found in the host's C library, and device code could open
// files or write to descriptors.
#include "llvm/ADT/StringSet.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// Each also with the suffixes of float and long double. Newer C libraries have some that CUDA had first.
constexpr const char* kMathematics[] = {
    "abs",       "acos",     "acosh",     "asin",      "asinh", "atan",      "atan2",  "atanh",  "cbrt",
    "ceil",      "copysign", "cos",       "cosh",      "cospi", "erf",       "erfc",   "exp",    "exp10",
    "exp2",      "expm1",    "fabs",      "fdim",      "floor", "fma",       "fmax",   "fmin",   "fmod",
    "frexp",     "hypot",    "ilogb",     "j0",        "j1",    "jn",        "ldexp",  "lgamma", "lgamma_r",
    "llrint",    "llround",  "log",       "log10",     "log1p", "log2",      "logb",   "lrint",  "lround",
    "modf",      "nan",      "nearbyint", "nextafter", "pow",   "remainder", "remquo", "rint",   "round",
    "roundeven", "rsqrt",    "scalbln",   "scalbn",    "sin",   "sincos",    "sinh",   "sinpi",  "sqrt",
    "tan",       "tanh",     "tgamma",    "trunc",     "y0",    "y1",        "yn"};

constexpr const char* kOthers[] = {"labs",         "llabs",         "memchr",    "memcmp",
                                   "memcpy",       "memmove",       "memset",    "strcmp",
                                   "strcpy",       "strlen",        "strncmp",   "__cxa_pure_virtual",
                                   "__fpclassify", "__fpclassifyf", "__signbit", "__signbitf"};

const StringSet<>& allowed_functions() {
  static const StringSet<> names = [] {
    StringSet<> all;
    for (const char* name : kMathematics) {
      all.insert(name);
      all.insert(std::string(name) + "f");
      all.insert(std::string(name) + "l");
    }
    for (const char* name : kOthers) all.insert(name);
    return all;
  }();
  return names;
}

// What the headers declare for device code (abi.h).
bool is_runtime_function(StringRef name) {
  return name.starts_with("cuset_") && name != "cuset_device_main" && !name.starts_with("cuset_register_");
}

}  // namespace

void refuse_foreign_functions(Module& module) {
  // Nothing of device code runs before a kernel is launched.
  for (const char* list : {"llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable* functions = module.getNamedGlobal(list)) functions->eraseFromParent();
  for (const Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
    const StringRef name = function.getName();
    if (is_runtime_function(name) || allowed_functions().contains(name)) continue;
    module.getContext().emitError("unresolved extern function '" + name + "' in device code");
  }
}

}  // namespace cuset_pass
