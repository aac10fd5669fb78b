list(APPEND VERIFY_SOURCES
  results/audit_run.cc
  results/comparison.cc
  results/plan_record.cc
  results/summary.cc
  results/verdict_file.cc
  results/verification.cc
  results/work_list.cc)
list(APPEND VERIFY_TESTS
  results/comparison_test.cc
  results/plan_record_test.cc
  results/summary_test.cc
  results/verdict_file_test.cc
  results/work_list_test.cc)
