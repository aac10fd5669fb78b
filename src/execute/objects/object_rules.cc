#include "execute/objects/object_rules.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>

namespace cuset::execute {
namespace {

// Names of C that need no system.
constexpr std::string_view kHarmless[] = {
    // memory and strings
    "malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "memalign", "memcpy", "memmove",
    "memset", "memcmp", "memchr", "bcmp", "bzero", "strlen", "strnlen", "strcmp", "strncmp", "strcpy",
    "strncpy", "strcat", "strncat", "strchr", "strrchr", "strstr", "strtok", "strtok_r", "strdup", "strndup",
    "strcasecmp", "strncasecmp", "strspn", "strcspn", "strpbrk", "strerror", "stpcpy", "mempcpy", "rawmemchr",
    // numbers, characters, sorting
    "atoi", "atol", "atoll", "atof", "strtol", "strtoll", "strtoul", "strtoull", "strtod", "strtof",
    "strtold", "abs", "labs", "llabs", "div", "ldiv", "lldiv", "qsort", "qsort_r", "bsearch", "rand", "srand",
    "rand_r", "random", "srandom", "drand48", "lrand48", "srand48", "erand48", "isalpha", "isdigit",
    "isspace", "isupper", "islower", "isalnum", "toupper", "tolower", "__ctype_b_loc", "__ctype_tolower_loc",
    "__ctype_toupper_loc", "__isoc23_strtol", "__isoc23_strtoll", "__isoc23_strtoul", "__isoc23_strtoull",
    // printing and reading text
    "printf", "fprintf", "vprintf", "vfprintf", "sprintf", "snprintf", "vsprintf", "vsnprintf", "sscanf",
    "__isoc99_sscanf", "__isoc23_sscanf", "puts", "putchar", "putc", "fputc", "fputs", "fwrite", "fflush",
    "perror", "stdout", "stderr", "__printf_chk", "__fprintf_chk", "__sprintf_chk", "__snprintf_chk",
    "__memcpy_chk", "__memset_chk", "__memmove_chk", "__strcpy_chk", "__strcat_chk", "__vsnprintf_chk",
    // clocks
    "time", "clock", "clock_gettime", "gettimeofday", "difftime", "localtime", "gmtime", "strftime", "ctime",
    "nanosleep", "usleep", "sleep", "clock_nanosleep",
    // failure: the kernel refuses an end with status 0 (test_start.h)
    "exit", "abort", "_exit", "_Exit", "quick_exit", "__assert_fail", "__assert", "atexit", "at_quick_exit",
    // what compilers add
    "__cxa_atexit", "__dso_handle", "__stack_chk_fail", "__tls_get_addr", "_GLOBAL_OFFSET_TABLE_",
    "__gxx_personality_v0", "__dynamic_cast", "_Unwind_Resume", "_Unwind_DeleteException", "__once_proxy",
    "__errno_location", "getenv", "setenv", "sysconf", "get_nprocs", "sched_yield", "getpagesize",
    "__libc_single_threaded", "__umodti3", "__modti3", "__mulodi4", "__gcc_personality_v0"};

constexpr std::string_view kHarmlessOpenings[] = {
    "_Znw", "_Zna", "_Zdl", "_Zda", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZTI", "_ZTS", "_ZTV", "_ZTT",
    "__cxa_", "__gthrw_", "GOMP_", "omp_", "__kmpc_", "__omp_",
    // CUDA: runtime, driver, libraries
    "cuda", "__cuda", "cublas", "cufft", "curand", "cusparse", "cusolver", "cudnn", "cutensor", "nvrtc",
    "nvJitLink", "nvtx", "nccl", "npp", "nvjpeg", "cuset_register_", "cuset_managed."};

constexpr std::string_view kThreads[] = {"pthread_create",      "pthread_join",        "pthread_detach",
                                         "pthread_self",        "pthread_equal",       "pthread_once",
                                         "pthread_mutex_",      "pthread_cond_",       "pthread_rwlock_",
                                         "pthread_spin_",       "pthread_barrier_",    "pthread_attr_",
                                         "pthread_mutexattr_",  "pthread_condattr_",   "pthread_key_",
                                         "pthread_getspecific", "pthread_setspecific", "sem_"};

// Parts of the C++ library that open files or load code.
constexpr std::string_view kFilesOfStd[] = {
    "basic_filebuf", "fstream", "filesystem", "__basic_file", "stdio_filebuf", "stdio_sync_filebuf", "FILE"};

bool opens_with(std::string_view name, const auto& list) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view opening) { return name.starts_with(opening); });
}

bool is_one_of(std::string_view name, const auto& list) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// cuInit, cuMemAlloc_v2: the driver's.
bool is_driver_function(std::string_view name) {
  return name.size() > 2 && name.starts_with("cu") && name[2] >= 'A' && name[2] <= 'Z';
}

// Mangled, of namespace std: _ZNSt..., _ZNKSt..., _ZSt..., _ZNSo... (abbreviations), tables of its types.
bool is_of_std(std::string_view name) {
  if (!name.starts_with("_Z")) return false;
  name.remove_prefix(2);
  if (name.starts_with("GV") || name.starts_with("TH") || name.starts_with("TW")) name.remove_prefix(2);
  if (name.starts_with("n16_") || name.starts_with("v0_n")) name.remove_prefix(name.find('_') + 1);
  if (name.starts_with('N')) name.remove_prefix(1);
  if (name.starts_with('K')) name.remove_prefix(1);
  return name.size() > 1 && name[0] == 'S' &&
         std::string_view("tabsiod").find(name[1]) != std::string_view::npos;
}

// Asks this machine's own library, in which the program will find it.
bool is_in_library(const std::string& name, const char* library, std::string_view part_of_path) {
  void* const opened = ::dlopen(library, RTLD_LAZY);  // once opened, it stays and is found again
  void* const found = opened == nullptr ? nullptr : ::dlsym(opened, name.c_str());
  Dl_info where;
  if (found == nullptr || ::dladdr(found, &where) == 0 || where.dli_fname == nullptr) return false;
  return std::string_view(where.dli_fname).find(part_of_path) != std::string_view::npos;
}

bool is_mathematics(const std::string& name) { return is_in_library(name, "libm.so.6", "/libm"); }

// Arithmetic that the processor does not have: wide integers, 128-bit and half-precision numbers.
bool is_arithmetic(const std::string& name) {
  constexpr std::string_view kOnlyStatic[] = {
      "__truncsfhf2",  "__truncdfhf2",  "__truncxfhf2",  "__trunctfhf2", "__extendhfsf2",
      "__extendhfdf2", "__extendhfxf2", "__extendhftf2", "__truncsfbf2", "__truncdfbf2",
      "__truncxfbf2",  "__trunctfbf2",  "__extendbfsf2", "__mulodi4",    "__muloti4"};
  // The library's other functions (frames, executable stacks) have names of several words.
  const bool one_word = name.starts_with("__") && name.find('_', 2) == name.npos;
  return is_one_of(name, kOnlyStatic) || (one_word && is_in_library(name, "libgcc_s.so.1", "/libgcc_s"));
}

std::string readable(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  const std::string whole = text ? text.get() : name;
  return whole.size() > 200 ? whole.substr(0, 200) + "..." : whole;
}

ObjectFault hack(std::string text) { return {Build::Outcome::kHack, std::move(text)}; }
ObjectFault rejected(std::string text) { return {Build::Outcome::kRejected, std::move(text)}; }

bool is_definition(const ObjectSymbol& symbol) {
  return symbol.defined && !symbol.local && !symbol.name.empty();
}

bool is_reference(const ObjectSymbol& symbol) {
  return !symbol.defined && !symbol.local && !symbol.name.empty();
}

std::set<std::string> names_of(const std::vector<ObjectFile>& files, auto&& wanted) {
  std::set<std::string> names;
  for (const ObjectFile& file : files) {
    for (const ObjectSymbol& symbol : file.symbols) {
      if (wanted(symbol)) names.insert(symbol.name);
    }
  }
  return names;
}

}  // namespace

bool is_harmless_import(const std::string& name) {
  if (is_one_of(name, kHarmless) || opens_with(name, kThreads) || is_driver_function(name)) return true;
  if (name.starts_with("_Z")) {
    const bool file = std::any_of(std::begin(kFilesOfStd), std::end(kFilesOfStd), [&](std::string_view part) {
      return name.find(part) != std::string::npos;
    });
    if (file) return false;
  }
  return is_of_std(name) || opens_with(name, kHarmlessOpenings) || is_mathematics(name) ||
         is_arithmetic(name);
}

bool is_device_import(const std::string& name) {
  constexpr std::string_view kOfCompilers[] = {"memcpy",
                                               "memset",
                                               "memmove",
                                               "memcmp",
                                               "memchr",
                                               "bcmp",
                                               "strlen",
                                               "strnlen",
                                               "strcmp",
                                               "strncmp",
                                               "strcpy",
                                               "strncpy",
                                               "strcat",
                                               "strchr",
                                               "strrchr",
                                               "__cxa_pure_virtual",
                                               "_GLOBAL_OFFSET_TABLE_"};
  constexpr std::string_view kOpenings[] = {"cuset_managed.", "_ZTI", "_ZTS", "_ZTV"};
  return opens_with(name, kOpenings) || is_one_of(name, kOfCompilers) || is_mathematics(name) ||
         is_arithmetic(name);
}

ObjectFault system_call_fault() { return rejected("its assembly calls the system"); }

void take_fault(const ObjectFault& fault, Build& build) {
  if (!fault.found()) return;
  build.outcome = fault.outcome;
  build.messages += fmt::format("error: {}\n", fault.text);
}

void ObjectRules::add_answer(const std::filesystem::path& object) {
  if (auto file = read_object(object)) return answer_.push_back(*std::move(file));
  unreadable_ = object.filename().string();
}

void ObjectRules::add_device_code(const std::filesystem::path& object) {
  if (auto file = read_object(object)) return device_.push_back(*std::move(file));
  unreadable_ = object.filename().string();
}

void ObjectRules::add_ours(const std::filesystem::path& object) {
  if (auto file = read_object(object)) return ours_.push_back(*std::move(file));
  unreadable_ = object.filename().string();
}

void ObjectRules::add_our_device_code(const std::filesystem::path& object) {
  add_ours(object);
  if (auto file = read_object(object)) our_device_.push_back(*std::move(file));
}

void ObjectRules::add_library(const std::filesystem::path& library) {
  if (auto file = read_object(library)) return libraries_.push_back(*std::move(file));
  unreadable_ = library.filename().string();
}

ObjectFault ObjectRules::check_objects() const {
  if (!unreadable_.empty()) return rejected(fmt::format("its object {} cannot be read", unreadable_));
  for (const auto check :
       {&ObjectRules::check_definitions, &ObjectRules::check_startup, &ObjectRules::check_entries,
        &ObjectRules::check_device_imports, &ObjectRules::check_imports}) {
    if (ObjectFault fault = (this->*check)(); fault.found()) return fault;
  }
  return {};
}

ObjectFault ObjectRules::check_definitions() const {
  if (isolation_ == Isolation::kProgram) return {};
  const std::set<std::string> replaceable =
      names_of(ours_, [](const ObjectSymbol& symbol) { return is_definition(symbol) && symbol.weak; });
  for (const auto* files : {&answer_, &device_}) {
    for (const ObjectFile& file : *files) {
      for (const ObjectSymbol& symbol : file.symbols) {
        if (symbol.indirect)
          return hack(fmt::format("it chooses {} while it is loaded", readable(symbol.name)));
        if (!is_definition(symbol)) continue;
        if (!symbol.weak && replaceable.contains(symbol.name))
          return hack(fmt::format("it replaces {}, which our code uses", readable(symbol.name)));
        if (symbol.name.find('@') != std::string::npos || symbol.name.starts_with("__wrap_") ||
            opens_with(symbol.name, std::initializer_list<std::string_view>{"cuda", "__cuda"}))
          return hack(fmt::format("it defines {}", readable(symbol.name)));
      }
    }
  }
  return {};
}

// A program may have static objects, whose constructors compilers gather in functions of these names.
ObjectFault ObjectRules::check_startup_of_program() const {
  for (const ObjectFile& file : answer_) {
    if (file.has_own_start_section) return hack("it runs code before all other code of the program");
    for (const auto* functions : {&file.startup, &file.shutdown}) {
      for (const std::string& function : *functions) {
        if (!is_registration(function) && !function.starts_with("_GLOBAL__"))
          return hack("it runs a function of its own before or after main");
      }
    }
  }
  return {};
}

ObjectFault ObjectRules::check_startup() const {
  if (isolation_ == Isolation::kProgram) return check_startup_of_program();
  for (const auto* files : {&answer_, &device_}) {
    for (const ObjectFile& file : *files) {
      if (file.has_own_start_section) return hack("it runs code before all other code of the program");
      if (isolation_ != Isolation::kKernels && files == &answer_) continue;
      for (const std::string& function : file.startup) {
        if (!is_registration(function))
          return rejected(
              "it runs host code before main (a static object or a constructor), and only a kernel is asked for");
      }
      if (!file.shutdown.empty())
        return rejected("it runs host code after main, and only a kernel is asked for");
    }
  }
  return {};
}

// Where only kernels are asked for, whatever our code calls must be a kernel that the compiler registered, and
// not a host function under the name of its stub.
ObjectFault ObjectRules::check_entries() const {
  if (isolation_ != Isolation::kKernels) return {};
  std::set<std::string> called = names_of(ours_, is_reference);
  for (const std::string& own : names_of(ours_, is_definition)) called.erase(own);  // they come first
  for (const ObjectFile& file : answer_) {
    const std::set<std::string> registered(file.registered.begin(), file.registered.end());
    for (const ObjectSymbol& symbol : file.symbols) {
      if (!is_definition(symbol) || !called.contains(symbol.name)) continue;
      if (symbol.name == kEntryName) {
        if (!registered.contains(file.entry))
          return hack("what it defines under the kernel's name is not a kernel");
      } else if (!registered.contains(symbol.name)) {
        return hack(fmt::format("it defines {}, which our code calls and which is not a kernel",
                                readable(symbol.name)));
      }
    }
  }
  return {};
}

bool ObjectRules::is_defined_here(const std::string& name) const {
  for (const auto* files : {&answer_, &device_, &ours_}) {
    for (const ObjectFile& file : *files) {
      for (const ObjectSymbol& symbol : file.symbols) {
        if (is_definition(symbol) && symbol.name == name) return true;
      }
    }
  }
  return false;
}

bool ObjectRules::is_function_of_tests(const std::string& name) const {
  for (const ObjectFile& file : ours_) {
    for (const ObjectSymbol& symbol : file.symbols) {
      if (is_definition(symbol) && symbol.name == name && symbol.section < file.sections.size() &&
          file.sections[symbol.section].starts_with(".text"))
        return true;
    }
  }
  return false;
}

ObjectFault ObjectRules::check_imports() const {
  if (isolation_ != Isolation::kTested) return {};
  for (const std::string& name : names_of(answer_, is_reference)) {
    if (name.starts_with("cuset_test_")) return hack(fmt::format("it calls {}, which is the judge's", name));
    if (helps_itself_ && is_function_of_tests(name))
      return rejected(fmt::format("it calls {}, a function of its tests", readable(name)));
    if (!is_harmless_import(name) && !is_defined_here(name))
      return rejected(fmt::format("it uses {}, which answers to tests may not", readable(name)));
  }
  return {};
}

ObjectFault ObjectRules::check_device_imports() const {
  std::set<std::string> here = names_of(device_, is_definition);
  here.merge(names_of(our_device_, is_definition));  // a kernel may call device functions of the tests
  here.merge(names_of(libraries_, is_definition));
  for (const std::string& name : names_of(device_, is_reference)) {
    if (!here.contains(name) && !is_device_import(name))
      return rejected(fmt::format("its device code calls {}, a function of the host", readable(name)));
  }
  return {};
}

// A definition that other files than the program itself would find is one that some library defines or asks
// for. Of the C++ library, templates and inline functions are in every program that uses them; those are weak,
// and harmless unless our side calls the same one through the dynamic linker.
ObjectFault ObjectRules::check_program(const std::filesystem::path& program) const {
  if (isolation_ == Isolation::kProgram) return {};
  const std::optional<ObjectFile> file = read_object(program);
  if (!file) return rejected("its program cannot be read");
  std::set<std::string> called = names_of(ours_, is_reference);
  called.merge(names_of(libraries_, is_reference));
  const std::set<std::string> exported = names_of({*file}, is_definition);
  for (const auto* files : {&answer_, &device_}) {
    for (const ObjectFile& object : *files) {
      for (const ObjectSymbol& symbol : object.symbols) {
        if (!is_definition(symbol) || !exported.contains(symbol.name)) continue;
        if (!symbol.weak || called.contains(symbol.name))
          return hack(fmt::format("it defines {}, which is a library's", readable(symbol.name)));
      }
    }
  }
  return {};
}

}  // namespace cuset::execute
