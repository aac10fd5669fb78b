#include "emulator/toolchain.h"

#include <unistd.h>

#include <cstdlib>

#include "base/files/scratch_file.h"
#include "base/files/search_path.h"

namespace cuset::emulator {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPassName = "cuset_pass.so";
constexpr const char* kRuntimeName = "libcuset_emulator.so";
constexpr const char* kDeviceMain = "device_main.o";
constexpr const char* kDeviceHeaders = "device.pch";
constexpr const char* kHostHeaders = "host.pch";

std::vector<fs::path> emulator_folders() {
  std::vector<fs::path> folders;
  if (const char* chosen = std::getenv("CUSET_EMULATOR")) folders.emplace_back(chosen);
  if (const fs::path folder = base::program_folder(); !folder.empty()) {
    folders.push_back(folder.parent_path() / "lib/cuset/emulator");
  }
  folders.emplace_back(CUSET_EMULATOR_FOLDER);
  return folders;
}

bool holds_emulator(const fs::path& folder) {
  return fs::exists(folder / kPassName) && fs::exists(folder / kRuntimeName) &&
         fs::exists(folder / kDeviceMain) && fs::exists(folder / "include/cuda_runtime.h");
}

std::optional<fs::path> find_clang() {
  if (const char* chosen = std::getenv("CUSET_CLANG")) return fs::path(chosen);
  std::vector<fs::path> candidates = base::search_path_folders();
  for (fs::path& candidate : candidates) candidate /= "clang++-" CUSET_LLVM_MAJOR;
  candidates.emplace_back("/usr/lib/llvm-" CUSET_LLVM_MAJOR "/bin/clang++");
  for (fs::path& candidate : candidates) {
    if (::access(candidate.c_str(), X_OK) == 0) return std::move(candidate);
  }
  return std::nullopt;
}

void append(std::vector<std::string>& flags, std::initializer_list<std::string> more) {
  flags.insert(flags.end(), more);
}

// CUDA's libraries are headers here, in C++14: `auto` of functions and of what lambdas take. What is C++11 is C++14, too.
std::string standard_of_cuda(const std::string& standard) { return standard == "c++11" ? "c++14" : standard; }

// What a source sees of the disk, and its macros.
void append_headers(std::vector<std::string>& flags, const EmulatorToolchain& toolchain,
                    const EmulatorBuild& build) {
  for (const fs::path& folder : build.system_folders) append(flags, {"-isystem", folder.string()});
  append(flags, {"-isystem", toolchain.include.string()});
  if (!toolchain.libraries.empty()) append(flags, {"-isystem", toolchain.libraries.string()});
  for (const std::string& define : build.defines) flags.push_back("-D" + define);
  for (const fs::path& folder : build.quote_folders) append(flags, {"-iquote", folder.string()});
  for (const fs::path& folder : build.include_folders) flags.push_back("-I" + folder.string());
}

std::vector<std::string> flags_of_both_sides(const EmulatorToolchain& toolchain, const EmulatorBuild& build) {
  std::vector<std::string> flags = {
      toolchain.clang.string(), "-x", "cuda", "--cuda-host-only",
      // Without these clang would look for NVIDIA's toolkit and headers, which must not be used here.
      "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang", "-fcuda-allow-variadic-functions",
      // Both sides' functions of one name would be taken for two definitions of one in precompiled headers.
      "-Xclang", "-fno-cxx-modules", "-std=" + standard_of_cuda(build.standard)};
  append_headers(flags, toolchain, build);
  append(flags, {"-Wno-unknown-cuda-version", "-march=native",
                 "-Wno-register",  // nvcc takes `register` for nothing in every standard
                 // "#pragma unroll" is a wish, and nvcc is silent where it is not granted.
                 "-Wno-pass-failed"});
  if (build.uses_clusters) flags.emplace_back("-DCUSET_ARCHITECTURE=900");
  if (build.position_independent) flags.emplace_back("-fPIC");
  return flags;
}

std::string device_object(const EmulatorBuild& build) {
  return (build.folder / (build.objects + "device.o")).string();
}

std::string host_object(const EmulatorBuild& build) {
  return (build.folder / (build.objects + "host.o")).string();
}

// What every source sees before its own first line, as text or precompiled in the file of that name.
void put_runtime_first(std::vector<std::string>& flags, const EmulatorBuild& build, const char* precompiled) {
  if (build.precompiled.empty()) {
    append(flags, {"-include", "cuda_runtime.h"});
  } else {
    append(flags, {"-include-pch", (build.precompiled / precompiled).string()});
  }
}

std::vector<std::string> device_flags(const EmulatorToolchain& toolchain, const EmulatorBuild& build) {
  std::vector<std::string> flags = flags_of_both_sides(toolchain, build);
  append(flags, {"-Xclang", "-fcuda-is-device", "-DCUSET_DEVICE_PASS", "-U__CUDA_ARCH__",
                 build.uses_clusters ? "-D__CUDA_ARCH__=900" : "-D__CUDA_ARCH__=800",
                 // As nvcc: multiplications and additions fuse.
                 build.contract ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=off", "-fno-math-errno",
                 "-fno-strict-float-cast-overflow",
                 // A GPU's compiler unrolls more; what it could not is nobody's concern here.
                 "-Wno-pass-failed",
                 // A sum that begins with what a register held is not to be right by chance.
                 "-ftrivial-auto-var-init=pattern", "-fno-stack-protector", "-fno-exceptions",
                 "-fno-asynchronous-unwind-tables"});
  if (build.check) {
    append(flags, {"-DCUSET_CHECKED", "-O1", "-fno-omit-frame-pointer"});
  } else {
    // LLVM's own threshold for NVIDIA's GPUs: a kernel is vectorized only with what it calls inlined.
    append(flags, {"-O" + std::to_string(build.optimization), "-mllvm", "-inline-threshold=2750"});
  }
  // The pass wants to know where kernels are defined.
  append(flags, {"-gline-tables-only"});
  if (build.device_bitcode) {
    append(flags, {"-emit-llvm", "-Xclang", "-disable-llvm-passes"});
  } else {
    flags.push_back("-fpass-plugin=" + toolchain.pass.string());
  }
  for (const fs::path& bitcode : build.linked_bitcode)
    append(flags, {"-Xclang", "-mlink-bitcode-file", "-Xclang", bitcode.string()});
  return flags;
}

// Of code of the host, in CUDA and in plain sources. clang takes a loop without visible effects for one that is never reached, and
// runs into whatever follows; gcc, which compiles the host's side for nvcc, keeps it.
void append_host_options(std::vector<std::string>& flags, const EmulatorBuild& build) {
  append(flags, {"-w", "-fno-finite-loops",
                 "-O" + std::to_string(std::min(build.optimization, build.host_optimization))});
}

std::vector<std::string> plain_flags(const EmulatorToolchain& toolchain, const EmulatorBuild& build) {
  const bool is_c = build.source.extension() == ".c";
  std::vector<std::string> flags = {toolchain.clang.string(), "-x", is_c ? "c" : "c++",
                                    "-std=" + (is_c ? "gnu17" : build.standard), "-march=native"};
  append_host_options(flags, build);
  // What gcc, as a Makefile calls it, only warns of.
  if (is_c)
    append(flags, {"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
                   "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types"});
  append_headers(flags, toolchain, build);
  return flags;
}

std::vector<std::string> host_flags(const EmulatorToolchain& toolchain, const EmulatorBuild& build) {
  const fs::path stand_in = build.folder / kStandIn;
  base::write_scratch_file(stand_in, "the device side is linked into the program\n");
  std::vector<std::string> flags = flags_of_both_sides(toolchain, build);
  append(flags, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", stand_in.string(),
                 "-fpass-plugin=" + toolchain.pass.string()});
  append_host_options(flags, build);  // both sides see the same source: the device side's messages are enough
  return flags;
}

void compile(std::vector<std::string>& flags, const EmulatorBuild& build, const std::string& object) {
  append(flags, {"-c", build.source.string(), "-o", object});
}

// The source is empty. Templates that the headers themselves use are instantiated now, not once more for
// every source.
void precompile(std::vector<std::string>& flags, const std::vector<std::string>& headers,
                const fs::path& result) {
  append(flags, {"-include", "cuda_runtime.h"});
  for (const std::string& header : headers) append(flags, {"-include", header});
  append(flags,
         {"-Xclang", "-emit-pch", "-fpch-instantiate-templates", "-c", "/dev/null", "-o", result.string()});
}

}  // namespace

ToolchainSearch find_emulator_toolchain() {
  EmulatorToolchain toolchain;
  for (const fs::path& folder : emulator_folders()) {
    if (!holds_emulator(folder)) continue;
    toolchain.pass = folder / kPassName;
    toolchain.include = folder / "include";
    toolchain.runtime_folder = folder;
    break;
  }
  if (toolchain.pass.empty()) {
    return {std::nullopt, "the emulator's files (" + std::string(kPassName) + ", headers, runtime)",
            "build with clang " CUSET_LLVM_MAJOR " and llvm-" CUSET_LLVM_MAJOR
            "-dev installed, or point CUSET_EMULATOR at lib/cuset/emulator of a build"};
  }
  const auto clang = find_clang();
  if (!clang)
    return {std::nullopt, "clang " CUSET_LLVM_MAJOR,
            "apt-get install clang-" CUSET_LLVM_MAJOR ", or name its clang++ in CUSET_CLANG"};
  toolchain.clang = *clang;
  toolchain.version = CUSET_LLVM_VERSION;
  return {toolchain, {}, {}};
}

fs::path find_runtime_folder() {
  for (fs::path& folder : emulator_folders())
    if (fs::exists(folder / kRuntimeName)) return std::move(folder);
  return {};
}

EmulatorCommands emulator_commands(const EmulatorToolchain& toolchain, const EmulatorBuild& build) {
  EmulatorCommands commands;
  commands.program = build.folder / "program";
  commands.objects = {host_object(build)};
  commands.kernel_files = build.folder / (build.objects + "kernels");
  if (build.plain) {
    commands.host = plain_flags(toolchain, build);
    compile(commands.host, build, host_object(build));
    return commands;
  }
  commands.device = device_flags(toolchain, build);
  put_runtime_first(commands.device, build, kDeviceHeaders);
  compile(commands.device, build, device_object(build));
  commands.host = host_flags(toolchain, build);
  put_runtime_first(commands.host, build, kHostHeaders);
  compile(commands.host, build, host_object(build));
  if (!build.device_bitcode) commands.objects.push_back(device_object(build));
  commands.device_program = build.folder / kDeviceProgram;
  commands.device_objects = {(toolchain.runtime_folder / kDeviceMain).string(), device_object(build)};
  return commands;
}

std::vector<std::string> link_command(const EmulatorToolchain& toolchain, const EmulatorLink& link) {
  std::vector<std::string> flags{toolchain.clang.string()};
  flags.insert(flags.end(), link.objects.begin(), link.objects.end());
  append(flags, {"-L" + toolchain.runtime_folder.string(), "-lcuset_emulator",
                 "-Wl,-rpath," + toolchain.runtime_folder.string(), "-lm", "-lpthread", "-o", link.program});
  // No table of addresses stays writable.
  append(flags, {"-Wl,-z,relro,-z,now"});
  for (const std::string& option : link.options) flags.push_back("-Wl," + option);
  return flags;
}

std::vector<std::string> quick_link_command(const EmulatorToolchain& toolchain, const EmulatorLink& link) {
  std::vector<std::string> words;
  for (const std::string& word : toolchain.linker) {
    if (word == kLinkedObjects) {
      words.insert(words.end(), link.objects.begin(), link.objects.end());
      words.insert(words.end(), link.options.begin(), link.options.end());
    } else {
      words.push_back(word == kLinkedProgram ? link.program : word);
    }
  }
  return words;
}

// clang looks for objects that it is given itself, but not for those that it hands on.
EmulatorLink marked_link() { return {{std::string("-Wl,") + kLinkedObjects}, kLinkedProgram}; }

EmulatorCommands precompile_commands(const EmulatorToolchain& toolchain, const EmulatorBuild& build,
                                     const std::vector<std::string>& headers) {
  EmulatorCommands commands;
  commands.device = device_flags(toolchain, build);
  precompile(commands.device, headers, build.folder / kDeviceHeaders);
  commands.host = host_flags(toolchain, build);
  precompile(commands.host, headers, build.folder / kHostHeaders);
  return commands;
}

fs::path torch_folder(const EmulatorToolchain& toolchain) { return toolchain.runtime_folder / "torch"; }

fs::path runtime_library(const EmulatorToolchain& toolchain) {
  return toolchain.runtime_folder / kRuntimeName;
}

std::vector<fs::path> readable_folders(const EmulatorToolchain& toolchain) {
  std::vector<fs::path> folders{toolchain.runtime_folder};  // the headers and the pass are in it
  if (!toolchain.libraries.empty()) folders.push_back(toolchain.libraries);
  // A build tree's headers are links into the source tree.
  std::error_code error;
  if (const fs::path real = fs::canonical(toolchain.include, error); !error && real != toolchain.include)
    folders.push_back(real);
  if (const fs::path real = fs::canonical(toolchain.clang, error); !error)
    folders.push_back(real.parent_path().parent_path());
  return folders;
}

}  // namespace cuset::emulator
