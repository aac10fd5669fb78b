list(APPEND VERIFY_SOURCES
  results/summary.cc
  results/verdict_file.cc
  results/work_list.cc
  results/worker_threads.cc)
list(APPEND VERIFY_TESTS
  results/summary_test.cc
  results/verdict_file_test.cc
  results/work_list_test.cc
  results/worker_threads_test.cc)
