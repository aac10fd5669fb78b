# Run at every build: writes the header with the git revision, only if it changed.
cmake_minimum_required(VERSION 3.22)  # a script run by itself has no policies, and says so at every build
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  set(revision unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define CUSET_GIT_REVISION \"@revision@\"\n" @ONLY)
