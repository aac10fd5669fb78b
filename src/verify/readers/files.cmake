list(APPEND VERIFY_SOURCES
  readers/answer_matching.cc
  readers/answer_reader.cc
  readers/answer_record.cc
  readers/archive.cc
  readers/compute_eval.cc
  readers/compute_eval_command.cc
  readers/cudabench.cc
  readers/cudabench_compare.cc
  readers/cudabench_constants.cc
  readers/cudabench_program.cc
  readers/kernelbench.cc
  readers/pareval.cc
  readers/task_reader.cc)
list(APPEND VERIFY_TESTS
  readers/answer_matching_test.cc
  readers/answer_reader_test.cc
  readers/archive_test.cc
  readers/compute_eval_command_test.cc
  readers/compute_eval_test.cc
  readers/cudabench_test.cc
  readers/kernelbench_test.cc
  readers/pareval_test.cc
  readers/task_reader_test.cc)
