list(APPEND VERIFY_SOURCES
  readers/cudabench.cc
  readers/cudabench_compare.cc
  readers/cudabench_constants.cc
  readers/cudabench_program.cc)
list(APPEND VERIFY_TESTS
  readers/cudabench_test.cc)
