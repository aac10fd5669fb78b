# cuset_module(NAME SOURCES ... [GPU_SOURCES ...] [TESTS ...] [USES modules...] [THIRD_PARTY names...] [LIBTORCH] [GPU_TESTS])
#
# Makes the library cuset_NAME from one folder of src/, and the program NAME_test from its x_test.cc files, which ctest
# runs as NAME (label unit) and, if it has CUDA sources or GPU_TESTS, those whose suite's name contains Gpu as NAME_gpu (label gpu).
# What a module may use is the table of docs/architecture.md; tests/layers checks the includes against it.
include(GNUInstallDirs)

set(CUSET_STANDARD_HEADERS
    <algorithm> <array> <chrono> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
    <string_view> <unordered_map> <utility> <vector> <fmt/format.h> <nlohmann/json.hpp>)

# The programs of the label unit: `make test-debug` builds these.
add_custom_target(unit_tests)

function(cuset_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "COMMAND" ${ARGN})
  add_test(NAME ${name} COMMAND ${ARG_COMMAND} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  # allocator_may_return_null: tests ask for more memory than there is, to see what the program says then.
  set(environment ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1)
  if(ARG_LABEL STREQUAL "interop")
    # Both sides without AMX: on machines that base/machine/cpu_instructions.h tells of, PyTorch itself would not get through.
    # Small models, beside as many other tests as there are cores: threads of the other libraries must not spin there.
    list(APPEND environment ONEDNN_MAX_CPU_ISA=AVX512_CORE_FP16 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT "${environment}")
endfunction()

# A test that needs a GPU, and is shown as skipped where there is none, or no fixtures it needs.
function(cuset_gpu_test name)
  cuset_test(${name} LABEL gpu TIMEOUT 600 ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: no GPU;skipped: no executor here")
endfunction()

# One shared precompiled header for modules without LibTorch, one for modules with it, and the same two for their tests,
# which are compiled at another level: compilers take a precompiled header only with the options it was made with.
function(cuset_precompile target libtorch)
  set(owner cuset_base)
  if(libtorch)
    set(owner cuset_ops)
  endif()
  if(target STREQUAL owner)
    cuset_own_precompiled(${target} ${libtorch})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

function(cuset_own_precompiled target libtorch)
  set(headers ${CUSET_STANDARD_HEADERS})
  if(libtorch)
    list(APPEND headers <torch/types.h> <torch/autograd.h> <torch/utils.h>)
  endif()
  # Only C++ sources take part; ANGLE-R keeps the header's own bracket from closing the expression.
  list(TRANSFORM headers REPLACE "<(.+)>" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# What every program of unit tests has: our warnings, tests/ to include support/ from, and little optimization, since tests
# are compiled more often than they run. At this level GCC warns of strings that are neither unset nor too short.
function(cuset_test_options target)
  cuset_warnings(${target})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-stringop-overread>)
endfunction()

# The entry point of test programs, what injects faults into them, and the owner of their precompiled header: cuset_test_main, cuset_test_main_torch.
function(cuset_test_entry libtorch result)
  set(entry cuset_test_main)
  if(libtorch)
    set(entry cuset_test_main_torch)
  endif()
  set(${result} ${entry} PARENT_SCOPE)
  if(TARGET ${entry})
    return()
  endif()
  add_library(${entry} STATIC ${CMAKE_SOURCE_DIR}/tests/test_main.cc ${CMAKE_SOURCE_DIR}/tests/support/fault_injection.cc)
  target_link_libraries(${entry} PUBLIC cuset_base third_party::gtest Threads::Threads)
  if(libtorch)
    target_link_libraries(${entry} PUBLIC third_party::torch)
  endif()
  cuset_test_options(${entry})
  cuset_own_precompiled(${entry} ${libtorch})
endfunction()

# A module's sources, eight at a time, compiled as one: most of a file's compile time goes into LibTorch's, fmt's and JSON's headers, whose
# templates are then made once for all of them.
function(cuset_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CUSET_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  if(CUSET_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Means types of a header; ours belong to one source, which is included here.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
endfunction()

function(cuset_module name)
  cmake_parse_arguments(ARG "LIBTORCH;GPU_TESTS" "" "SOURCES;GPU_SOURCES;TESTS;USES;THIRD_PARTY" ${ARGN})
  add_library(cuset_${name} STATIC ${ARG_SOURCES})
  if(CUSET_HAS_CUDA AND ARG_GPU_SOURCES)
    target_sources(cuset_${name} PRIVATE ${ARG_GPU_SOURCES})
    # From CMake 3.31 on CUDA sources would be joined too, and they name their constants and launchers alike.
    set(cuda_files ${ARG_GPU_SOURCES})
    list(FILTER cuda_files INCLUDE REGEX "\\.cu$")
    set_source_files_properties(${cuda_files} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_compile_definitions(cuset_${name} PUBLIC CUSET_HAS_CUDA=1)
  endif()
  target_include_directories(cuset_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  list(TRANSFORM ARG_USES PREPEND cuset_)
  list(TRANSFORM ARG_THIRD_PARTY PREPEND third_party::)
  target_link_libraries(cuset_${name} PUBLIC ${ARG_USES} ${ARG_THIRD_PARTY} third_party::fmt third_party::json)
  if(ARG_LIBTORCH)
    # Private: modules that use this one without tensors see neither LibTorch's headers nor its definitions.
    target_link_libraries(cuset_${name} PRIVATE third_party::torch)
  endif()
  cuset_warnings(cuset_${name})
  cuset_precompile(cuset_${name} ${ARG_LIBTORCH})
  cuset_compile_together(cuset_${name})

  if(ARG_TESTS)
    cuset_test_entry(${ARG_LIBTORCH} entry)
    add_executable(${name}_test ${ARG_TESTS})
    target_link_libraries(${name}_test PRIVATE cuset_${name} ${entry})
    cuset_test_options(${name}_test)
    target_precompile_headers(${name}_test REUSE_FROM ${entry})
    add_dependencies(unit_tests ${name}_test)
    cuset_test(${name} LABEL unit COMMAND ${name}_test --gtest_filter=-*Gpu* --gtest_brief=1)
    if(ARG_GPU_SOURCES OR ARG_GPU_TESTS)
      cuset_gpu_test(${name}_gpu COMMAND ${name}_test --gtest_filter=*Gpu*-KernelBenchGpu*)
    endif()
  endif()
endfunction()
