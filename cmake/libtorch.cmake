# LibTorch as the target third_party::torch: its headers and libraries, found by their files.
#
# LibTorch's own TorchConfig.cmake is not used. It demands a whole CUDA toolkit as soon as LibTorch was built with CUDA,
# even where nothing of CUDA will run, and it changes the flags and architectures of our CUDA sources.
#
# Looked for in this order: CMAKE_PREFIX_PATH, the wheel that `make setup` put into .deps, the torch of python3.
# Sets LIBTORCH_FOLDER, and LIBTORCH_HAS_CUDA where LibTorch's CUDA library is linked and its headers can be included.
set(libtorch_oldest 2.11)

# The folder that holds lib/libtorch_cpu.so, for a prefix as find_package(Torch) would take it; else empty.
function(libtorch_folder_of prefix result)
  set(${result} "" PARENT_SCOPE)
  foreach(folder ${prefix} ${prefix}/../.. ${prefix}/../../..)  # torch, torch/share/cmake, torch/share/cmake/Torch
    if(EXISTS ${folder}/lib/libtorch_cpu.so AND EXISTS ${folder}/share/cmake/Torch/TorchConfigVersion.cmake)
      get_filename_component(folder ${folder} ABSOLUTE)
      set(${result} ${folder} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

file(GLOB libtorch_wheel ${CMAKE_SOURCE_DIR}/.deps/venv/lib/python3*/site-packages/torch)
set(LIBTORCH_FOLDER "")
foreach(prefix IN LISTS cuset_prefixes Torch_DIR libtorch_wheel)
  if(NOT LIBTORCH_FOLDER)
    libtorch_folder_of("${prefix}" LIBTORCH_FOLDER)
  endif()
endforeach()
if(NOT LIBTORCH_FOLDER)
  execute_process(COMMAND python3 -c "import torch; print(torch.utils.cmake_prefix_path)"
                  OUTPUT_VARIABLE prefix OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  libtorch_folder_of("${prefix}" LIBTORCH_FOLDER)
endif()
if(NOT LIBTORCH_FOLDER)
  message(FATAL_ERROR "LibTorch not found. Run `make setup`, or pass -DCMAKE_PREFIX_PATH=<folder of LibTorch>.")
endif()

file(STRINGS ${LIBTORCH_FOLDER}/share/cmake/Torch/TorchConfigVersion.cmake libtorch_version REGEX "^set\\(PACKAGE_VERSION ")
string(REGEX REPLACE "^[^\"]*\"([0-9.]*).*" "\\1" libtorch_version "${libtorch_version}")
if(libtorch_version VERSION_LESS libtorch_oldest)
  message(FATAL_ERROR "LibTorch ${libtorch_version} in ${LIBTORCH_FOLDER} is older than ${libtorch_oldest}: point CMAKE_PREFIX_PATH at a newer one.")
endif()

# CUDA: LibTorch's own headers include the toolkit's, which come with a toolkit or with the wheels that the torch wheel
# requires. setup/cuda_stand_ins.py leaves the file CPU_ONLY where it stood in for libraries that were not fetched.
set(LIBTORCH_HAS_CUDA OFF)
if(EXISTS ${LIBTORCH_FOLDER}/lib/libtorch_cuda.so AND NOT EXISTS ${LIBTORCH_FOLDER}/lib/CPU_ONLY)
  set(LIBTORCH_HAS_CUDA ON)
  get_filename_component(compiler_folder "${CMAKE_CUDA_COMPILER}" DIRECTORY)
  file(GLOB wheel_toolkits ${LIBTORCH_FOLDER}/../nvidia/cu1[3-9])
  set(libtorch_cuda_includes "")
  foreach(header cuda_runtime_api.h crt/host_config.h cublas_v2.h cusparse.h cusolverDn.h)
    find_path(CUSET_HEADER_${header} ${header} PATHS ${compiler_folder}/.. $ENV{CUDA_HOME} /usr/local/cuda ${wheel_toolkits}
              PATH_SUFFIXES include targets/x86_64-linux/include NO_DEFAULT_PATH)
    mark_as_advanced(CUSET_HEADER_${header})
    if(CUSET_HEADER_${header})
      list(APPEND libtorch_cuda_includes ${CUSET_HEADER_${header}})
    elseif(LIBTORCH_HAS_CUDA)
      message(WARNING "LibTorch has CUDA, but ${header} was not found: this build uses the CPU only. Install the CUDA toolkit, or set CUDA_HOME.")
      set(LIBTORCH_HAS_CUDA OFF)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES libtorch_cuda_includes)
endif()

add_library(third_party_torch INTERFACE)
add_library(third_party::torch ALIAS third_party_torch)
# LibTorch ships fmt headers of its own but not their code: in front of them comes a folder with nothing but our fmt, so
# that there is one fmt in the program, compiled once.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/fmt_headers)
file(CREATE_LINK ${fmt_INCLUDE}/fmt ${CMAKE_BINARY_DIR}/fmt_headers/fmt SYMBOLIC)
target_include_directories(third_party_torch SYSTEM INTERFACE
  ${CMAKE_BINARY_DIR}/fmt_headers ${LIBTORCH_FOLDER}/include ${LIBTORCH_FOLDER}/include/torch/csrc/api/include)
# Which parts LibTorch's headers declare; as its own CMake files define them.
target_compile_definitions(third_party_torch INTERFACE USE_DISTRIBUTED USE_C10D_GLOO USE_RPC USE_TENSORPIPE
  CUSET_LIBTORCH_HAS_CUDA=$<BOOL:${LIBTORCH_HAS_CUDA}>)
target_link_libraries(third_party_torch INTERFACE ${LIBTORCH_FOLDER}/lib/libtorch_cpu.so ${LIBTORCH_FOLDER}/lib/libc10.so)
if(LIBTORCH_HAS_CUDA)
  target_include_directories(third_party_torch SYSTEM INTERFACE ${libtorch_cuda_includes})
  target_compile_definitions(third_party_torch INTERFACE USE_C10D_NCCL)
  target_link_libraries(third_party_torch INTERFACE ${LIBTORCH_FOLDER}/lib/libtorch_cuda.so ${LIBTORCH_FOLDER}/lib/libc10_cuda.so)
endif()
# Its CUDA part registers itself when it is loaded; nothing calls it by name.
target_link_options(third_party_torch INTERFACE LINKER:--no-as-needed)
set(libtorch_kind CPU)
if(LIBTORCH_HAS_CUDA)
  set(libtorch_kind CUDA)
endif()
message(STATUS "LibTorch ${libtorch_version} for ${libtorch_kind}: ${LIBTORCH_FOLDER}")
