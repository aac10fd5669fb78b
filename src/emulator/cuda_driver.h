// NVIDIA's driver, known by its documented C interface only (names, values, calling convention) and found at run time, so
// that programs which use it are built and started everywhere. The C++ library only.
#pragma once

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace cuset::emulator {

class CudaDriver {
 public:
  using Result = int;
  using Handle = void*;
  using Address = unsigned long long;

  CudaDriver() : library_(::dlopen("libcuda.so.1", RTLD_NOW)) {
    if (library_ == nullptr) throw std::runtime_error("no NVIDIA driver: libcuda.so.1 is not installed");
  }

  // The file that was loaded.
  std::string path() const {
    Dl_info about{};
    const bool known = ::dladdr(::dlsym(library_, "cuInit"), &about) != 0 && about.dli_fname != nullptr;
    return known ? about.dli_fname : "";
  }

  // The result of the driver's function, whose parameters are of the arguments' types. Throws where it has none of that
  // name.
  template <typename... Arguments>
  Result ask(const char* name, Arguments... arguments) const {
    const auto function = reinterpret_cast<Result (*)(Arguments...)>(::dlsym(library_, name));
    if (function == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
    return function(arguments...);
  }

  // Throws where it fails.
  template <typename... Arguments>
  void call(const char* name, Arguments... arguments) const {
    const Result result = ask(name, arguments...);
    if (result != 0) throw std::runtime_error(std::string(name) + " failed: " + error_name(result));
  }

 private:
  std::string error_name(Result result) const {
    const char* name = nullptr;
    if (ask("cuGetErrorName", result, &name) != 0 || name == nullptr) return std::to_string(result);
    return std::string(name) + " (" + std::to_string(result) + ")";
  }

  Handle library_;
};

}  // namespace cuset::emulator
