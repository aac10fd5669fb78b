# Language level, warnings, build type, linker and compiler cache.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# Random streams and statistics must agree to the bit on every machine: no silent fusing of a*b+c.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

find_program(CUSET_MOLD mold)
if(CUSET_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1)
  add_link_options(-fuse-ld=mold)
endif()

find_program(CUSET_CCACHE ccache)
if(CUSET_CCACHE)
  # Precompiled headers are cached only with this sloppiness (ccache's manual, "Precompiled headers").
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
               ${CUSET_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()

# Warnings for our own targets only; third-party headers are SYSTEM.
function(cuset_warnings target)
  set(flags -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 to 14 see overflows in std::string's own code that are not there (GCC bugs 105329, 105651).
    list(APPEND flags -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
    if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
      # Takes any function of a temporary that returns a reference for one that returns the temporary.
      list(APPEND flags -Wno-dangling-reference)
    endif()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # std::stable_sort of libstdc++ 12 calls what libstdc++ itself deprecates. GCC still warns of our own calls.
    list(APPEND flags -Wno-deprecated-declarations)
  endif()
  if(CUSET_WERROR)
    list(APPEND flags -Werror)
  endif()
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${flags}>)
endfunction()
