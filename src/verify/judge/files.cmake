list(APPEND VERIFY_SOURCES
  judge/compare.cc
  judge/data_files.cc
  judge/expected.cc
  judge/harness.cc
  judge/judge.cc
  judge/kernel_names.cc
  judge/program_run.cc
  judge/surroundings.cc
  judge/timing.cc
  judge/tolerance.cc
  judge/trial_report.cc
  judge/verdict.cc)
list(APPEND VERIFY_TESTS
  judge/compare_test.cc
  judge/data_files_test.cc
  judge/kernel_names_test.cc
  judge/surroundings_test.cc
  judge/timing_test.cc
  judge/tolerance_test.cc
  judge/trial_report_test.cc
  judge/verdict_test.cc)
