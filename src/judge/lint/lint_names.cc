#include "judge/lint/lint_names.h"

#include <algorithm>
#include <iterator>

namespace cuset::judge {
namespace {

template <typename Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

constexpr std::string_view kProcesses = "starts, stops or reads other processes";
constexpr std::string_view kLoading = "loads code at run time";
constexpr std::string_view kNetwork = "opens a connection";
constexpr std::string_view kKernel = "asks the operating system past its library";
constexpr std::string_view kDescriptors = "takes over open files";
constexpr std::string_view kLinks = "puts links in the place of files";

constexpr struct {
  std::string_view name;
  ForbiddenName forbidden;
} kForbidden[] = {
    {"fork", {kProcesses, true}},
    {"vfork", {kProcesses}},
    {"clone", {kProcesses, true}},
    {"clone3", {kProcesses}},
    {"execl", {kProcesses}},
    {"execle", {kProcesses}},
    {"execlp", {kProcesses}},
    {"execv", {kProcesses}},
    {"execve", {kProcesses}},
    {"execvp", {kProcesses}},
    {"execvpe", {kProcesses}},
    {"fexecve", {kProcesses}},
    {"posix_spawn", {kProcesses}},
    {"posix_spawnp", {kProcesses}},
    {"system", {kProcesses, true}},
    {"popen", {kProcesses}},
    {"kill", {kProcesses, true}},
    {"killpg", {kProcesses}},
    {"getppid", {kProcesses}},
    {"setsid", {kProcesses}},
    {"daemon", {kProcesses, true}},
    {"ptrace", {kProcesses}},
    {"process_vm_readv", {kProcesses}},
    {"process_vm_writev", {kProcesses}},
    {"pidfd_open", {kProcesses}},
    {"dlopen", {kLoading}},
    {"dlmopen", {kLoading}},
    {"dlsym", {kLoading}},
    {"dlvsym", {kLoading}},
    {"dl_iterate_phdr", {kLoading}},
    {"socket", {kNetwork, true}},
    {"socketpair", {kNetwork}},
    {"getaddrinfo", {kNetwork}},
    {"gethostbyname", {kNetwork}},
    {"syscall", {kKernel}},
    {"prctl", {kKernel}},
    {"unshare", {kKernel, true}},
    {"setns", {kKernel}},
    {"memfd_create", {kKernel}},
    {"perf_event_open", {kKernel}},
    {"fdopen", {kDescriptors}},
    {"dup2", {kDescriptors}},
    {"dup3", {kDescriptors}},
    {"__libc_start_main", {kLoading}},
    {"symlink", {kLinks}},
    {"symlinkat", {kLinks}},
    {"linkat", {kLinks}},
};

constexpr std::string_view kMachineryTexts[] = {"CUSET_",     "cuset_",   "libcuset", "CUDA_INJECTION64_PATH",
                                                "LD_PRELOAD", "libcupti", "/proc/",   "/dev/fd/",
                                                "/dev/shm"};

constexpr std::string_view kRuntimeFunctions[] = {
    "__cudaPopCallConfiguration",
    "__cudaPushCallConfiguration",
    "__cudaRegisterFatBinary",
    "__cudaRegisterFunction",
    "_exit",
    "abort",
    "clock",
    "clock_gettime",
    "cuEventElapsedTime",
    "cuLaunchKernel",
    "cuMemAlloc",
    "cuMemcpyDtoH",
    "cuMemcpyHtoD",
    "cudaDeviceReset",
    "cudaDeviceSynchronize",
    "cudaEventCreate",
    "cudaEventCreateWithFlags",
    "cudaEventDestroy",
    "cudaEventElapsedTime",
    "cudaEventQuery",
    "cudaEventRecord",
    "cudaEventSynchronize",
    "cudaFree",
    "cudaFreeAsync",
    "cudaFreeHost",
    "cudaFuncSetAttribute",
    "cudaGetDevice",
    "cudaGetDeviceProperties",
    "cudaGetErrorName",
    "cudaGetErrorString",
    "cudaGetLastError",
    "cudaHostAlloc",
    "cudaHostRegister",
    "cudaLaunchCooperativeKernel",
    "cudaLaunchKernel",
    "cudaLaunchKernelExC",
    "cudaMalloc",
    "cudaMallocAsync",
    "cudaMallocHost",
    "cudaMallocManaged",
    "cudaMallocPitch",
    "cudaMemGetInfo",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaMemcpyAsync",
    "cudaMemcpyFromSymbol",
    "cudaMemcpyToSymbol",
    "cudaMemset",
    "cudaMemsetAsync",
    "cudaPeekAtLastError",
    "cudaSetDevice",
    "cudaStreamCreate",
    "cudaStreamCreateWithFlags",
    "cudaStreamDestroy",
    "cudaStreamQuery",
    "cudaStreamSynchronize",
    "cudaStreamWaitEvent",
    "exit",
    "fclose",
    "fopen",
    "fread",
    "fwrite",
    "gettimeofday",
    "pthread_create",
    "quick_exit",
    "timespec_get",
};

constexpr std::string_view kLibraryWords[] = {
    "atexit", "calloc", "close",   "fflush",        "fprintf", "free",   "getenv",
    "malloc", "memcmp", "memcpy",  "memset",        "mmap",    "open",   "printf",
    "puts",   "read",   "realloc", "secure_getenv", "time",    "usleep", "write",
};

constexpr std::string_view kKeywords[] = {
    "alignas",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "int",
    "long",
    "main",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
    "__CUDACC__",
    "__CUDA_ARCH__",
    "__constant__",
    "__device__",
    "__global__",
    "__host__",
    "__launch_bounds__",
    "__managed__",
    "__shared__",
    "__syncthreads",
    "blockDim",
    "blockIdx",
    "gridDim",
    "threadIdx",
    "warpSize",
};

constexpr std::string_view kAbsentMacros[] = {
    "USE_HIP",
    "_MSC_VER",
    "__CLION_IDE__",
    "__HIPCC__",
    "__HIP_PLATFORM_AMD__",
    "__HIP_PLATFORM_HCC__",
    "__HIP__",
    "__INTELLISENSE__",
    "__JETBRAINS_IDE__",
    "__RESHARPER__",
};

}  // namespace

ForbiddenName find_forbidden(std::string_view name) {
  for (const auto& entry : kForbidden)
    if (entry.name == name) return entry.forbidden;
  return {};
}

bool is_imported_by_runtime(std::string_view name) {
  static constexpr std::string_view kNames[] = {"dlmopen", "dlopen", "dlsym",      "dlvsym", "fdopen",
                                                "kill",    "socket", "socketpair", "syscall"};
  return holds(kNames, name);
}

bool names_machinery(std::string_view identifier) {
  for (const std::string_view prefix : {"CUSET_", "cuset_", "__cuset", "Cuset", "cupti", "CUpti", "CUPTI_"})
    if (identifier.starts_with(prefix)) return true;
  return false;
}

std::string_view machinery_in_text(std::string_view content) {
  for (const std::string_view text : kMachineryTexts)
    if (content.find(text) != std::string_view::npos) return text;
  return {};
}

bool is_runtime_function(std::string_view name) { return holds(kRuntimeFunctions, name); }

bool is_library_word(std::string_view name) { return holds(kLibraryWords, name); }

bool is_poison(std::string_view macro) {
  return holds(kKeywords, macro) || is_runtime_function(macro) || is_absent_macro(macro);
}

bool is_absent_macro(std::string_view macro) { return holds(kAbsentMacros, macro); }

}  // namespace cuset::judge
