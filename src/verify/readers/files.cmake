list(APPEND VERIFY_SOURCES
  readers/archive.cc
  readers/compute_eval.cc
  readers/compute_eval_command.cc
  readers/kernelbench.cc
  readers/pareval.cc)
list(APPEND VERIFY_TESTS
  readers/archive_test.cc
  readers/compute_eval_command_test.cc
  readers/compute_eval_test.cc
  readers/kernelbench_test.cc
  readers/pareval_test.cc)
