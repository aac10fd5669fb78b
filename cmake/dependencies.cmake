# Third-party libraries as targets third_party::NAME, found by header and library so that the same lines serve the
# system's packages and the folder made by `make bundle`, where libraries are static.
find_package(Threads REQUIRED)

# LibTorch's folder holds headers of other libraries too (fmt): it is looked at for LibTorch only.
function(without_libtorch paths result)
  set(kept "")
  foreach(path IN LISTS paths)
    if(NOT EXISTS ${path}/share/cmake/Torch AND NOT EXISTS ${path}/Torch)
      list(APPEND kept ${path})
    endif()
  endforeach()
  set(${result} "${kept}" PARENT_SCOPE)
endfunction()
string(REPLACE ":" ";" cuset_environment_prefixes "$ENV{CMAKE_PREFIX_PATH}")
set(cuset_prefixes ${CMAKE_PREFIX_PATH} ${cuset_environment_prefixes})
without_libtorch("${cuset_prefixes}" CMAKE_PREFIX_PATH)
set(ENV{CMAKE_PREFIX_PATH} "")

# With a bundle nothing else is looked at, so that headers and libraries always belong together.
if(CUSET_BUNDLE)
  set(cuset_headers_at PATHS ${CUSET_BUNDLE}/include NO_DEFAULT_PATH)
  set(cuset_libraries_at PATHS ${CUSET_BUNDLE}/lib NO_DEFAULT_PATH)
  list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()

# third_party(NAME HEADER h [LIBRARY l | OPTIONAL_LIBRARY l HEADER_ONLY_DEFINE d] [DEFINES d...] [OPTIONAL])
# OPTIONAL_LIBRARY: without the library, the define makes the headers carry the code.
function(third_party name)
  cmake_parse_arguments(ARG "OPTIONAL" "HEADER;LIBRARY;OPTIONAL_LIBRARY;HEADER_ONLY_DEFINE" "DEFINES" ${ARGN})
  find_path(${name}_INCLUDE ${ARG_HEADER} ${cuset_headers_at})
  if(NOT ${name}_INCLUDE)
    if(ARG_OPTIONAL)
      return()
    endif()
    message(FATAL_ERROR "${name}: header ${ARG_HEADER} not found. Run `make setup`, or pass -DCUSET_BUNDLE=<folder>.")
  endif()
  add_library(third_party_${name} INTERFACE)
  add_library(third_party::${name} ALIAS third_party_${name})
  target_include_directories(third_party_${name} SYSTEM INTERFACE ${${name}_INCLUDE})
  target_compile_definitions(third_party_${name} INTERFACE ${ARG_DEFINES})
  if(ARG_LIBRARY OR ARG_OPTIONAL_LIBRARY)
    find_library(${name}_LIBRARY NAMES ${ARG_LIBRARY} ${ARG_OPTIONAL_LIBRARY} ${cuset_libraries_at})
    if(${name}_LIBRARY)
      target_link_libraries(third_party_${name} INTERFACE ${${name}_LIBRARY})
    elseif(ARG_LIBRARY)
      message(FATAL_ERROR "${name}: library ${ARG_LIBRARY} not found. Run `make setup`, or pass -DCUSET_BUNDLE=<folder>.")
    else()
      target_compile_definitions(third_party_${name} INTERFACE ${ARG_HEADER_ONLY_DEFINE})
    endif()
  endif()
endfunction()

third_party(fmt HEADER fmt/format.h OPTIONAL_LIBRARY fmt HEADER_ONLY_DEFINE FMT_HEADER_ONLY)
third_party(spdlog HEADER spdlog/spdlog.h DEFINES SPDLOG_HEADER_ONLY SPDLOG_FMT_EXTERNAL)
third_party(json HEADER nlohmann/json.hpp)
third_party(cli11 HEADER CLI/CLI.hpp)
third_party(yaml HEADER yaml-cpp/yaml.h LIBRARY yaml-cpp)
third_party(pcre2 HEADER pcre2.h LIBRARY pcre2-8 DEFINES PCRE2_CODE_UNIT_WIDTH=8)
third_party(utf8proc HEADER utf8proc.h LIBRARY utf8proc DEFINES UTF8PROC_STATIC)
third_party(gtest HEADER gtest/gtest.h LIBRARY gtest)
third_party(benchmark HEADER benchmark/benchmark.h LIBRARY benchmark OPTIONAL)

# LibTorch: CMAKE_PREFIX_PATH first, then the wheel that `make setup` put into the tree, then python3's own.
if(CUSET_LIBTORCH)
  file(GLOB torch_folder ${CMAKE_SOURCE_DIR}/.deps/venv/lib/python3*/site-packages/torch)
  if(NOT torch_folder)
    execute_process(COMMAND python3 -c "import torch; print(torch.utils.cmake_prefix_path)"
                    OUTPUT_VARIABLE torch_folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  set(CMAKE_PREFIX_PATH ${cuset_prefixes} ${torch_folder})
  # A LibTorch with CUDA changes the flags and architectures of CUDA sources; ours stay as cuda.cmake chose them.
  set(our_cuda_flags "${CMAKE_CUDA_FLAGS}")
  set(our_cuda_architectures "${CMAKE_CUDA_ARCHITECTURES}")
  find_package(Torch 2.11 REQUIRED)
  set(CMAKE_CUDA_FLAGS "${our_cuda_flags}")
  set(CMAKE_CUDA_ARCHITECTURES "${our_cuda_architectures}")
  message(STATUS "LibTorch ${Torch_VERSION}: ${TORCH_INSTALL_PREFIX}")
  add_library(third_party_torch INTERFACE)
  add_library(third_party::torch ALIAS third_party_torch)
  # Some LibTorch wheels export parts of an older std::filesystem, which crash when called from here: the system's
  # standard library goes first, so that its own are found.
  target_link_options(third_party_torch INTERFACE LINKER:--push-state,--no-as-needed -lstdc++ LINKER:--pop-state)
  target_link_libraries(third_party_torch INTERFACE ${TORCH_LIBRARIES})
  # LibTorch ships fmt headers of its own, found before the system's; their code then comes from the headers too.
  # fmt's versioned namespace keeps both apart, and no fmt type crosses between rooms outside templates.
  target_compile_definitions(third_party_torch INTERFACE FMT_HEADER_ONLY)
  # Whether LibTorch's own CUDA headers can be included.
  target_compile_definitions(third_party_torch INTERFACE CUSET_LIBTORCH_HAS_CUDA=$<BOOL:${TORCH_CUDA_LIBRARIES}>)
endif()
