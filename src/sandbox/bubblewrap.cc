#include "sandbox/bubblewrap.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/files/search_path.h"

namespace cuset::sandbox {
namespace {

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;

void add(Arguments& arguments, std::initializer_list<std::string> more) {
  arguments.insert(arguments.end(), more);
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<Bubblewrap> at(const fs::path& program) {
  if (!is_program(program)) return std::nullopt;
  std::error_code ignored;
  const fs::path libraries = program.parent_path() / "bwrap-libraries";
  return Bubblewrap{program, fs::is_directory(libraries, ignored) ? libraries : fs::path()};
}

std::optional<Bubblewrap> on_path() {
  for (const fs::path& folder : base::search_path_folders()) {
    if (auto found = at(folder / "bwrap")) return found;
  }
  return std::nullopt;
}

void add_namespaces(Arguments& arguments) {
  add(arguments, {"--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
                  "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"});
  add(arguments, {"--uid", "1000", "--gid", "1000", "--hostname", "sandbox"});
}

// Distributions differ in which of these are links into /usr.
void add_system(Arguments& arguments) {
  add(arguments, {"--ro-bind", "/usr", "/usr"});
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code ignored;
    if (fs::is_symlink(name, ignored)) {
      add(arguments, {"--symlink", fs::read_symlink(name, ignored).string(), name});
    } else {
      add(arguments, {"--ro-bind-try", name, name});
    }
  }
  // What the dynamic linker, compilers and the C library's look-ups read; none of it is secret.
  for (const char* name : {"alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "passwd", "group",
                           "nsswitch.conf", "localtime", "os-release"}) {
    const std::string path = std::string("/etc/") + name;
    add(arguments, {"--ro-bind-try", path, path});
  }
}

bool has_only_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// What lies beside the processes in /proc may be writable for the user we run as, above all if that is root.
// Without a GPU all of /proc becomes read-only; CUDA writes the names of its threads there.
void add_processes(Arguments& arguments, bool gpu) {
  add(arguments, {"--proc", "/proc"});
  if (!gpu) {
    add(arguments, {"--remount-ro", "/proc"});
    return;
  }
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string path = entry.path().string();
    if (has_only_digits(entry.path().filename().string()) || entry.is_symlink(ignored)) continue;
    const bool is_closed = (entry.status(ignored).permissions() & fs::perms::owner_write) == fs::perms::none;
    if (entry.is_directory(ignored) || !is_closed) add(arguments, {"--ro-bind-try", path, path});
  }
}

void add_devices(Arguments& arguments, bool gpu) {
  add(arguments, {"--dev", "/dev"});
  if (!gpu) return;
  add(arguments, {"--ro-bind", "/sys", "/sys"});
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/dev", ignored)) {
    const std::string name = entry.path().filename().string();
    const bool is_wanted = name == "nvidiactl" || name == "nvidia-uvm" || name == "nvidia-uvm-tools" ||
                           name == "nvidia-caps" ||
                           (name.starts_with("nvidia") && has_only_digits(name.substr(6)));
    if (is_wanted) add(arguments, {"--dev-bind", entry.path().string(), entry.path().string()});
  }
}

void add_memory_folders(Arguments& arguments, uint64_t memory) {
  const std::string size = std::to_string(std::max<uint64_t>(memory / 2, 1 << 20));
  add(arguments, {"--size", size, "--perms", "1777", "--tmpfs", "/tmp"});
  add(arguments, {"--size", size, "--perms", "1777", "--tmpfs", "/dev/shm"});
  add(arguments, {"--remount-ro", "/dev"});
}

struct Shown {
  fs::path path;
  bool writable = false;
};

// A compiler may resolve links: the same thing is then shown under its real path, too.
void add_shown(std::vector<Shown>& shown, const fs::path& path, bool writable) {
  CUSET_CHECK(path.is_absolute() && path != path.root_path(), "{} is no absolute path", path.string());
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  if (failed) {
    throw base::Error("cannot show {} to a sandboxed program: {}", path.string(), failed.message())
        .with_remedy("check that it exists and can be read");
  }
  shown.push_back({path.lexically_normal(), writable});
  if (real != shown.back().path) shown.push_back({real, writable});
}

void add_own_files(Arguments& arguments, const SandboxedCommand& command) {
  std::vector<Shown> shown;
  for (const fs::path& path : command.readable) add_shown(shown, path, false);
  add_shown(shown, command.folder, true);
  // Parents before what lies in them; a folder named in both ways is writable.
  std::stable_sort(shown.begin(), shown.end(),
                   [](const Shown& a, const Shown& b) { return a.path < b.path; });
  for (const Shown& one : shown) {
    add(arguments, {one.writable ? "--bind" : "--ro-bind", one.path.string(), one.path.string()});
  }
}

void add_environment(Arguments& arguments, const SandboxedCommand& command) {
  add(arguments, {"--clearenv"});
  std::map<std::string, std::string> all = command.environment;
  all.emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  all.emplace("HOME", command.folder.string());
  all.emplace("TMPDIR", "/tmp");
  for (const auto& [name, value] : all) add(arguments, {"--setenv", name, value});
}

}  // namespace

std::optional<Bubblewrap> find_bubblewrap() {
  if (const char* chosen = std::getenv("CUSET_BWRAP"); chosen != nullptr && *chosen != '\0')
    return at(chosen);
  if (auto found = on_path()) return found;
  if (const fs::path folder = base::program_folder(); !folder.empty()) {
    if (auto found = at(folder / "bwrap")) return found;
  }
  return at(CUSET_BUNDLED_BWRAP);
}

std::vector<std::string> bubblewrap_arguments(const Bubblewrap& bubblewrap, const SandboxedCommand& command,
                                              const BubblewrapDescriptors& descriptors) {
  Arguments arguments{bubblewrap.program.string()};
  add_namespaces(arguments);
  add_system(arguments);
  add_processes(arguments, command.gpu);
  add_devices(arguments, command.gpu);
  add_memory_folders(arguments, command.limits.memory);
  add_own_files(arguments, command);
  add(arguments, {"--remount-ro", "/"});
  add_environment(arguments, command);
  add(arguments, {"--chdir", command.folder.string(), "--seccomp", std::to_string(descriptors.filter),
                  "--json-status-fd", std::to_string(descriptors.status), "--block-fd",
                  std::to_string(descriptors.gate), "--"});
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  return arguments;
}

}  // namespace cuset::sandbox
