# nvcc: $CUDACXX, PATH, /usr/local/cuda, or NVIDIA's wheels inside the tree. CUDA sources (ops/*_gpu.cu) take raw
# pointers and never include LibTorch, so they compile against any LibTorch, also a CPU-only one.
set(CUSET_HAS_CUDA OFF)
if(NOT CUSET_CUDA)
  return()
endif()

file(GLOB cuset_nvcc_wheel ${CMAKE_SOURCE_DIR}/.deps/venv/lib/python3*/site-packages/nvidia/cu*/bin)
find_program(CUSET_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_HOME PATH_SUFFIXES bin
             PATHS /usr/local/cuda/bin ${cuset_nvcc_wheel})
if(NOT CUSET_NVCC)
  message(STATUS "CUDA: nvcc not found; GPU operations are left out")
  return()
endif()

if(NOT CMAKE_CUDA_COMPILER)
  # /usr/local/bin/nvcc may be a script that starts the real one; CMake needs the toolkit's own folder.
  if(EXISTS /usr/local/cuda/bin/nvcc AND CUSET_NVCC STREQUAL "/usr/local/bin/nvcc")
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  else()
    set(CMAKE_CUDA_COMPILER ${CUSET_NVCC})
  endif()
endif()

if(NOT CUSET_CUDA_ARCHITECTURES)
  set(cuset_architectures 80-real 90)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${capabilities}")
    foreach(capability IN LISTS capabilities)
      string(REPLACE "." "" capability ${capability})
      list(APPEND cuset_architectures ${capability}-real)
    endforeach()
  endif()
  list(REMOVE_DUPLICATES cuset_architectures)
  if("90" IN_LIST cuset_architectures)
    list(REMOVE_ITEM cuset_architectures 90-real)  # 90 already holds machine code and PTX
  endif()
else()
  set(cuset_architectures ${CUSET_CUDA_ARCHITECTURES})
endif()
set(CMAKE_CUDA_ARCHITECTURES ${cuset_architectures})

enable_language(CUDA)
# CMake takes the folders of libraries from what nvcc prints, and cuts a path with spaces apart.
get_filename_component(cuset_toolkit "${CMAKE_CUDA_COMPILER}" DIRECTORY)
foreach(folder ${cuset_toolkit}/../lib64 ${cuset_toolkit}/../lib)
  if(EXISTS ${folder}/libcudart_static.a)
    link_directories(${folder})
  endif()
endforeach()
set(CMAKE_CUDA_STANDARD 20)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)  # CMake 3.25 does not know yet that nvcc 13 speaks it
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
set(CUSET_HAS_CUDA ON)
message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} for ${cuset_architectures}: ${CMAKE_CUDA_COMPILER}")
