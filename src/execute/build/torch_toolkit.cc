#include "execute/build/torch_toolkit.h"

#include <future>

#include "base/error.h"
#include "base/files/file.h"
#include "base/interrupt.h"
#include "base/json/json_cursor.h"
#include "base/log.h"
#include "emulator/toolchain.h"
#include "execute/build/build_cache.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;
using emulator::EmulatorToolchain;

constexpr const char* kBackend = "libtorch_cuda.so";
constexpr const char* kStandard = "c++20";
constexpr std::chrono::minutes kLongestBuild{10};
constexpr uint64_t kBuildMemory = 8ull << 30;

// Where a Python's PyTorch is, without importing it.
constexpr const char* kFindTorch =
    "import importlib.util, json, os, sysconfig\n"
    "spec = importlib.util.find_spec('torch')\n"
    "print(json.dumps({'torch': os.path.dirname(spec.origin) if spec else '', "
    "'python': sysconfig.get_path('include', scheme='posix_prefix')}))\n";

struct TorchFiles {
  fs::path torch;   // the package
  fs::path python;  // Python.h's folder
};

sandbox::SandboxedCommand sandboxed(const TorchPython& python, const ExecutorSettings& settings,
                                    const fs::path& folder, std::vector<std::string> arguments) {
  sandbox::SandboxedCommand command;
  command.arguments = std::move(arguments);
  command.folder = folder;
  command.readable = python.readable;
  command.limits = settings.compile_limits;
  command.limits.wall_time = kLongestBuild;
  command.limits.memory = kBuildMemory;
  command.confinement = settings.confinement;
  return command;
}

TorchFiles find_torch(const TorchPython& python, const ExecutorSettings& settings) {
  const base::TemporaryFolder folder;
  const sandbox::SandboxResult found = sandbox::run_sandboxed(
      sandboxed(python, settings, folder.path(), {python.program.string(), "-I", "-c", kFindTorch}));
  auto parsed = base::try_parse_json(found.output);
  const base::Json* about = std::get_if<base::Json>(&parsed);
  const fs::path torch = about == nullptr ? "" : base::json_string(*about, "torch");
  const fs::path headers = about == nullptr ? "" : base::json_string(*about, "python");
  if (torch.empty() || !fs::exists(torch / "include/ATen/ATen.h")) {
    throw base::Error("{} has no PyTorch with headers", python.program.string())
        .with_remedy(
            "name a Python with PyTorch in CUSET_PYTHON; in the source tree, make setup installs one");
  }
  if (!fs::exists(headers / "Python.h")) {
    throw base::Error("no Python.h in {}", headers.string())
        .with_remedy("install Python's headers: apt-get install python3-dev");
  }
  // The keys of CUDA are taken in such a one.
  if (base::read_file(torch / "version.py").find("cuda: Optional[str] = None") == std::string::npos) {
    throw base::Error("{} has PyTorch for CUDA, and without a GPU it has to be PyTorch for the CPU",
                      python.program.string())
        .with_remedy("name a Python with PyTorch for the CPU in CUSET_PYTHON, or judge with --executor gpu");
  }
  return {torch, headers};
}

EmulatorToolchain toolchain_here() {
  emulator::ToolchainSearch search = emulator::find_emulator_toolchain();
  if (!search.toolchain) throw base::Error("no {}", search.missing).with_remedy("{}", search.remedy);
  if (!fs::exists(emulator::torch_folder(*search.toolchain) / "cuda_backend.cc")) {
    throw base::Error("the emulator in {} has no part for PyTorch", search.toolchain->runtime_folder.string())
        .with_remedy("build again");
  }
  return *std::move(search.toolchain);
}

class ToolkitMaker {
 public:
  ToolkitMaker(const TorchPython& python, const ExecutorSettings& settings)
      : python_(python),
        settings_(settings),
        toolchain_(toolchain_here()),
        files_(find_torch(python, settings)),
        cache_({settings.cache.empty() ? default_cache_folder() : settings.cache}) {}

  TorchToolkit make() {
    const base::StopScope shared(nullptr);  // all answers use it
    const std::string digest = this->digest();
    const std::optional<fs::path> kept = cache_.find(digest);
    const fs::path made = kept ? *kept : compile(digest);
    TorchToolkit toolkit;
    toolkit.home = furnish(made);
    const fs::path home = toolkit.home->path();
    toolkit.readable = readable();
    toolkit.readable.insert(toolkit.readable.end(), {home, made});
    toolkit.environment = {{"CUDA_HOME", home.string()},
                           {"CXX", (home / "bin/c++").string()},
                           {"TORCH_CUDA_ARCH_LIST", "8.0"},
                           {"TORCH_NO_COMPILER_WRAPPER", "1"},
                           {"TORCH_DONT_CHECK_COMPILER_ABI", "1"},
                           {"TORCH_EXTENSION_SKIP_NVCC_GEN_DEPENDENCIES", "1"},
                           {"CUSET_TORCH_DEVICE", (torch_parts() / "cuda_device.py").string()}};
    return toolkit;
  }

 private:
  fs::path torch_parts() const { return emulator::torch_folder(toolchain_); }

  // All that decides what is compiled; of PyTorch's thousands of headers the version and the time of installing.
  std::string digest() const {
    CacheKey key;
    const fs::path version = files_.torch / "version.py";
    key.add("torch", files_.torch.string()).add("version", base::read_file(version));
    key.add("installed", std::to_string(fs::last_write_time(version).time_since_epoch().count()));
    key.add("clang", toolchain_.version).add("program", toolchain_.clang.string());
    key.add("python", files_.python.string()).add("include", toolchain_.include.string());
    for (const std::string& word : backend_command("")) key.add("word", word);
    const emulator::EmulatorBuild build = build_in("");
    key.add("options", fmt::format("{} {} {}", build.optimization, build.host_optimization,
                                   fmt::join(build.defines, " ")));
    const bool whole = key.add_folder("headers", fs::canonical(toolchain_.include)) &&
                       key.add_folder("parts", fs::canonical(torch_parts()));
    return whole ? key.digest() : unrepeatable_digest();
  }

  std::vector<fs::path> readable() const {
    std::vector<fs::path> folders = emulator::readable_folders(toolchain_);
    folders.push_back(fs::canonical(torch_parts()));
    folders.push_back(files_.python);
    folders.insert(folders.end(), python_.readable.begin(), python_.readable.end());
    return folders;
  }

  emulator::EmulatorBuild build_in(const fs::path& folder) const {
    emulator::EmulatorBuild build;
    build.folder = folder;
    build.standard = kStandard;
    build.optimization = 2;
    build.host_optimization = 0;  // bindings take longer to compile than they ever run
    build.defines = {"TORCH_API_INCLUDE_EXTENSION_H", "CUSET_PYTORCH"};
    build.position_independent = true;
    build.system_folders = {torch_parts() / "include", files_.torch / "include",
                            files_.torch / "include/torch/csrc/api/include", files_.python};
    return build;
  }

  std::vector<std::string> backend_command(const fs::path& folder) const {
    const std::string include = (files_.torch / "include").string(),
                      library = (files_.torch / "lib").string();
    const std::string runtime = toolchain_.runtime_folder.string();
    return {toolchain_.clang.string(),
            std::string("-std=") + kStandard,
            "-O1",
            "-fPIC",
            "-shared",
            "-w",
            "-isystem",
            include,
            "-iquote",
            toolchain_.include.string(),
            (torch_parts() / "cuda_backend.cc").string(),
            "-L" + library,
            "-ltorch_cpu",
            "-lc10",
            "-Wl,-rpath," + library,
            "-L" + runtime,
            "-lcuset_emulator",
            "-Wl,-rpath," + runtime,
            std::string("-Wl,-soname,") + kBackend,
            "-o",
            (folder / kBackend).string()};
  }

  // Side by side, in the sandbox.
  fs::path compile(const std::string& digest) {
    base::log_info("compiling PyTorch's headers for the CPU executor: about a minute, once");
    StagingFolder staged = cache_.stage();
    const fs::path& folder = staged.path();
    const emulator::EmulatorCommands headers =
        emulator::precompile_commands(toolchain_, build_in(folder), {"torch/extension.h"});
    std::vector<std::future<sandbox::SandboxResult>> running;
    for (const std::vector<std::string>& arguments :
         {headers.device, headers.host, backend_command(folder)}) {
      running.push_back(std::async(std::launch::async, [this, folder, arguments] {
        sandbox::SandboxedCommand command = sandboxed(python_, settings_, folder, arguments);
        command.readable = readable();
        return sandbox::run_sandboxed(command);
      }));
    }
    std::string failure;
    for (std::future<sandbox::SandboxResult>& one : running) {
      const sandbox::SandboxResult result = one.get();
      if (!result.succeeded() && failure.empty()) failure = result.errors + result.reason;
    }
    if (!failure.empty()) {
      throw base::Error("clang does not compile PyTorch's headers for the emulator: {}",
                        base::in_quotes(failure, 500))
          .with_remedy("judge with --executor gpu, or name a Python with another PyTorch in CUSET_PYTHON");
    }
    return cache_.publish(digest, std::move(staged));
  }

  // The options of a compilation without source and object.
  base::Json commands_with(const fs::path& made, const fs::path& home) const {
    emulator::EmulatorBuild build = build_in(home);
    build.precompiled = made;
    const emulator::EmulatorCommands commands = emulator::emulator_commands(toolchain_, build);
    const auto without_files = [](std::vector<std::string> command) {
      command.resize(command.size() - 4);  // -c SOURCE -o OBJECT
      return command;
    };
    return {{"device", without_files(commands.device)},
            {"host", without_files(commands.host)},
            {"join", {toolchain_.clang.string(), "-r", "-nostdlib"}},
            {"link", {toolchain_.clang.string(), "-Wl,-z,relro,-z,now"}},
            {"version", toolchain_.version}};
  }

  std::shared_ptr<const base::TemporaryFolder> furnish(const fs::path& made) const {
    auto folder = std::make_shared<base::TemporaryFolder>();
    const fs::path home = folder->path();
    fs::permissions(home, fs::perms{0755});
    for (const char* part : {"bin", "lib64"}) fs::create_directory(home / part);
    fs::create_directory_symlink(fs::canonical(torch_parts() / "include"), home / "include");
    for (const char* name : {"libcudart.so", "libc10_cuda.so"})
      fs::create_symlink(emulator::runtime_library(toolchain_), home / "lib64" / name);
    fs::create_symlink(made / kBackend, home / "lib64" / kBackend);
    base::write_file_atomic(home / "toolkit.json", commands_with(made, home).dump());
    base::write_file_atomic(home / "nvcc.py", base::read_file(torch_parts() / "nvcc.py"));
    for (const char* name : {"nvcc", "c++"}) {
      base::write_file_atomic(home / "bin" / name,
                              fmt::format("#!/bin/sh\nexec '{}' -I -S '{}' {} \"$@\"\n",
                                          python_.program.string(), (home / "nvcc.py").string(), name));
      fs::permissions(home / "bin" / name, fs::perms{0755});
    }
    return folder;
  }

  const TorchPython& python_;
  const ExecutorSettings& settings_;
  const EmulatorToolchain toolchain_;
  const TorchFiles files_;
  BuildCache cache_;
};

}  // namespace

TorchToolkit make_torch_toolkit(const TorchPython& python, const ExecutorSettings& settings) {
  return ToolkitMaker(python, settings).make();
}

}  // namespace cuset::execute
