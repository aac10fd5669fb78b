// Compiles untrusted CUDA sources with nvcc inside the sandbox, where neither #include nor .incbin finds a
// file that was not meant for them.
//
// A build is two commands, so that errors of compiling and of linking are told apart: `nvcc -c`, then `nvcc`
// over the object. Whether a source compiles is asked cheaply by its device code alone (`nvcc -cubin`: both
// halves of the source are parsed, but for templates of host code; device code is compiled and assembled,
// host code is not compiled). For one small program that takes 0.3 s where a build takes 1.1 s; a source that
// fails takes 0.3 s either way, so a build does not ask first.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "execute/build/nvcc_search.h"
#include "execute/executor.h"
#include "sandbox/sandbox.h"

namespace cuset::execute {

struct NvccToolkit {
  std::filesystem::path nvcc;       // the compiler itself, where PATH may hold a script that starts it
  std::filesystem::path root;       // the folder with bin/, include/ and the libraries
  std::filesystem::path libraries;  // the folder with libcudart
  std::string version;              // "13.0"
  std::string host_compiler;        // "g++ (Debian 12.2.0-14) 12.2.0"
};

// What `nvcc` belongs to. Throws Error where it does not say, or where it finds no host compiler.
NvccToolkit find_toolkit(const Nvcc& nvcc);

// A source as it was read once: what is hashed is what is compiled.
struct CudaSource {
  std::filesystem::path path;  // as the user named it
  std::string text;

  // Throws Error where the file cannot be read.
  static CudaSource read(const std::filesystem::path& path);
};

struct NvccSettings {
  sandbox::Confinement confinement = sandbox::Confinement::kFull;
  sandbox::SandboxLimits limits;
  bool shared_runtime = false;  // programs load libcudart.so instead of carrying it
  // The folder of the emulator's runtime: answers get a program of their host code beside them
  // (host_program.h). Empty: they do not.
  std::filesystem::path host_runtime = {};
};

class NvccCompiler {
 public:
  NvccCompiler(NvccToolkit toolkit, const NvccSettings& settings);

  // Builds `source` into `folder`, which is left holding the program alone. Messages name the source as
  // name_in_sandbox does: who wrote it is no part of a build.
  Build build(const CudaSource& source, const BuildOptions& options,
              const std::filesystem::path& folder) const;
  // Compiles the device code only; the build has no program.
  Build check(const CudaSource& source, const BuildOptions& options,
              const std::filesystem::path& folder) const;

  // All that decides the result of a build or a check; empty where that cannot be told (include folders
  // beyond all measure), so that nothing may be kept.
  std::string digest(const CudaSource& source, const BuildOptions& options, std::string_view stage) const;

  const NvccToolkit& toolkit() const { return toolkit_; }
  std::string description() const { return "nvcc " + toolkit_.version; }

 private:
  struct Step;
  std::vector<std::string> common_arguments(const BuildOptions& options) const;
  Step compile_step(const BuildOptions& options, const char* stage, const std::string& source,
                    size_t index) const;
  Step link_step(const BuildOptions& options) const;
  Build compile(const CudaSource& source, const BuildOptions& options, const char* stage,
                const std::filesystem::path& folder) const;
  Build compile_answer(const CudaSource& source, const BuildOptions& options,
                       const std::filesystem::path& folder) const;
  Build compile_ours(const std::string& name, const std::string& text,
                     const std::filesystem::path& folder) const;
  void compile_plain(const BuildOptions& options, const std::filesystem::path& folder, Build& build) const;
  void redirect_calls(const BuildOptions& options, const std::filesystem::path& folder, Build& build) const;
  void refuse_system_calls(const CompanionSources& companions, const std::filesystem::path& folder,
                           Build& build) const;
  void link(const BuildOptions& options, const std::filesystem::path& folder, Build& build) const;
  void link_host(const BuildOptions& options, const std::filesystem::path& folder) const;
  Build run(const Step& step, const std::filesystem::path& folder) const;

  // Sources of ours that were compiled before, as objects.
  struct OwnObjects {
    std::mutex mutex;
    std::map<std::string, std::string> by_text;
  };

  NvccToolkit toolkit_;
  NvccSettings settings_;
  std::shared_ptr<OwnObjects> own_objects_;  // copies of the compiler share them
};

// Throws UsageError where a value is none that nvcc could take: another standard, an optimization above 3, an
// architecture that is not "sm_90"-like.
void check_build_options(const BuildOptions& options);

}  // namespace cuset::execute
