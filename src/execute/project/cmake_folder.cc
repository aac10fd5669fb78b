#include "execute/project/cmake_folder.h"

#include <algorithm>

#include "base/files/file.h"
#include "base/json/json_cursor.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

// Read by the project's first project(): declares what a machine with a toolkit would have found.
constexpr const char* kPrelude = R"(
macro(cuset_provide method name)
  if("${name}" MATCHES "^(CUDAToolkit|CUDA|CCCL|Thrust|CUB|libcudacxx)$")
    include("${CUSET_TOOLKIT}/toolkit.cmake")
    set(${name}_FOUND TRUE)
  endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER cuset_provide SUPPORTED_METHODS FIND_PACKAGE)
configure_file("${CUSET_TOOLKIT}/compiler.cmake" "${CMAKE_BINARY_DIR}/CMakeFiles/${CMAKE_VERSION}/CMakeCUDACompiler.cmake" @ONLY)
)";

constexpr const char* kToolkit = R"(
set(CUDAToolkit_VERSION 12.8.93)
set(CUDAToolkit_VERSION_MAJOR 12)
set(CUDAToolkit_VERSION_MINOR 8)
set(CUDA_VERSION 12.8)
set(CUDAToolkit_FOUND TRUE)
set(CUDA_FOUND TRUE)
foreach(library cudart cublas cublasLt cufft curand cusparse cusolver nvrtc nvml cupti nvToolsExt)
  foreach(ending "" _static)
    if(NOT TARGET CUDA::${library}${ending})
      add_library(CUDA::${library}${ending} INTERFACE IMPORTED GLOBAL)
      target_link_libraries(CUDA::${library}${ending} INTERFACE "-l${library}")
    endif()
  endforeach()
endforeach()
foreach(name CUDA::cuda_driver CUDA::nvtx3 CUDA::nvtx3-cpp CUDA::toolkit CCCL::CCCL CCCL::Thrust CCCL::CUB CCCL::libcudacxx Thrust::Thrust CUB::CUB)
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE IMPORTED GLOBAL)
  endif()
endforeach()
foreach(library cublas cufft curand cusparse cusolver)
  string(TOUPPER ${library} name)
  set(CUDA_${name}_LIBRARIES "-l${library}")
  set(CUDA_${library}_LIBRARY "-l${library}")
endforeach()
macro(cuda_add_executable)
  add_executable(${ARGV})
endmacro()
macro(cuda_add_library)
  add_library(${ARGV})
endmacro()
macro(cuda_add_cublas_to_target target)
  target_link_libraries(${target} -lcublas)
endmacro()
macro(cuda_add_cufft_to_target target)
  target_link_libraries(${target} -lcufft)
endmacro()
macro(cuda_include_directories)
  include_directories(${ARGV})
endmacro()
macro(cuda_select_nvcc_arch_flags variable)
  set(${variable} "")
endmacro()
)";

// What CMake keeps of a compiler that it has tried.
constexpr const char* kCompiler = R"(
set(CMAKE_CUDA_COMPILER "@CMAKE_CUDA_COMPILER@")
set(CMAKE_CUDA_HOST_LINK_LAUNCHER "c++")
set(CMAKE_CUDA_COMPILER_LOADED 1)
set(CMAKE_CUDA_COMPILER_ID_RUN 1)
set(CMAKE_CUDA_COMPILER_ID "NVIDIA")
set(CMAKE_CUDA_COMPILER_VERSION "12.8.93")
set(CMAKE_CUDA_COMPILER_WORKS TRUE)
set(CMAKE_CUDA_ABI_COMPILED TRUE)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT "17")
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT "ON")
set(CMAKE_CUDA_COMPILE_FEATURES "")
foreach(standard 03 11 14 17 20)
  set(CMAKE_CUDA${standard}_COMPILE_FEATURES "cuda_std_${standard}")
  list(APPEND CMAKE_CUDA_COMPILE_FEATURES "cuda_std_${standard}")
endforeach()
set(CMAKE_CUDA_SOURCE_FILE_EXTENSIONS cu)
set(CMAKE_CUDA_LINKER_PREFERENCE 15)
set(CMAKE_CUDA_LINKER_PREFERENCE_PROPAGATES 1)
set(CMAKE_CUDA_SIZEOF_DATA_PTR 8)
set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT "@CUSET_TOOLKIT@")
set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION "12.8.93")
set(CMAKE_CUDA_ARCHITECTURES_ALL 80)
set(CMAKE_CUDA_ARCHITECTURES_ALL_MAJOR 80)
set(CMAKE_CUDA_ARCHITECTURES_NATIVE 80)
)";

// "CMake Error at CMakeLists.txt:7 (find_package):\n  By not providing ..." on one line.
std::string first_error(std::string_view errors) {
  const size_t start = errors.find("CMake Error");
  if (start == errors.npos) return std::string(errors.substr(0, errors.find('\n')));
  std::string line;
  for (const char c : errors.substr(start, 300)) {
    if (c == '\n' && line.ends_with('\n')) break;
    line += c;
  }
  std::string text;
  for (const char c : line) {
    const bool is_space = c == '\n' || c == ' ';
    if (!is_space || !text.ends_with(' ')) text += is_space ? ' ' : c;
  }
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

bool makes_library(const BuildCommand& command) {
  return command.tool() == "ar" ||
         std::find(command.words.begin(), command.words.end(), "-shared") != command.words.end();
}

// What CMake wrote for make: compile_commands.json with every compilation, and a link.txt for each target. The project's own
// code could have written both: whatever they hold, an Error is the worst outcome.
class BuildFolder {
 public:
  explicit BuildFolder(fs::path folder) : folder_(std::move(folder)) {}

  std::vector<BuildCommand> commands() {
    const fs::path compilations = folder_ / "compile_commands.json";
    if (is_own_file(compilations)) read_compilations(compilations);
    std::vector<fs::path> links;
    std::error_code failed;
    for (fs::recursive_directory_iterator item(folder_, failed), end; !failed && item != end;
         item.increment(failed))
      if (item->path().filename() == "link.txt" && is_own_file(item->path())) links.push_back(item->path());
    std::sort(links.begin(), links.end());
    for (const fs::path& link : links) read_link(link);
    // Libraries before what is linked with them.
    std::stable_partition(links_.begin(), links_.end(), makes_library);
    commands_.insert(commands_.end(), links_.begin(), links_.end());
    return std::move(commands_);
  }

 private:
  static constexpr uintmax_t kLargestFile = 64 << 20;

  static bool is_own_file(const fs::path& path) {
    std::error_code ignored;
    return !fs::is_symlink(path, ignored) && fs::is_regular_file(path, ignored) &&
           fs::file_size(path, ignored) <= kLargestFile;
  }

  void read_compilations(const fs::path& file) {
    const base::Json json = base::read_json_file(file);
    const base::JsonCursor all =
        base::JsonCursor(json, "compile_commands.json").with_remedy("name the sources");
    for (const base::JsonCursor& one : all.elements()) {
      BuildCommand command{one.at("directory").string(), split_words(one.at("command").string())};
      if (!command.words.empty()) commands_.push_back(expanded(std::move(command)));
    }
  }

  // build/sub/CMakeFiles/solver.dir/link.txt runs in build/sub.
  void read_link(const fs::path& file) {
    const fs::path place = file.parent_path().parent_path().parent_path();
    for (BuildCommand& command : read_build_output(base::read_file(file), place))
      links_.push_back(expanded(std::move(command)));
  }

  // "--options-file includes.rsp" and "@objects.rsp" as the words in these files.
  static BuildCommand expanded(BuildCommand command) {
    std::vector<std::string> words;
    for (size_t i = 0; i < command.words.size(); ++i) {
      const bool follows = command.words[i] == "--options-file" && i + 1 < command.words.size();
      const std::string word = follows ? "@" + command.words[++i] : command.words[i];
      const fs::path file = command.folder / word.substr(word.starts_with('@') ? 1 : 0);
      if (!word.starts_with('@')) {
        words.push_back(word);
      } else if (is_own_file(file)) {
        for (std::string& more : split_words(base::read_file(file))) words.push_back(std::move(more));
      }
    }
    command.words = std::move(words);
    return command;
  }

  fs::path folder_;
  std::vector<BuildCommand> commands_;
  std::vector<BuildCommand> links_;
};

}  // namespace

BuildAnswer ask_cmake(const BuildTools& tools) {
  const fs::path build = tools.folder() / "build";
  const fs::path toolkit = tools.folder() / "toolkit";
  fs::create_directories(build);
  base::write_file_atomic(toolkit / "prelude.cmake", kPrelude);
  base::write_file_atomic(toolkit / "toolkit.cmake", kToolkit);
  base::write_file_atomic(toolkit / "compiler.cmake", kCompiler);
  const sandbox::SandboxResult done = tools.run(
      "cmake", {"-S", tools.project().string(), "-B", build.string(), "-G", "Unix Makefiles",
                "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_CUDA_ARCHITECTURES=80",
                "-DCMAKE_CUDA_COMPILER=" + tools.nvcc().string(), "-DCUSET_TOOLKIT=" + toolkit.string(),
                "-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=" + (toolkit / "prelude.cmake").string()});
  BuildAnswer answer;
  if (!done.succeeded()) answer.complaint = first_error(done.errors);
  answer.commands = BuildFolder(build).commands();
  return answer;
}

}  // namespace cuset::execute
