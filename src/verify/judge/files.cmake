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
  judge/verdict.cc)
list(APPEND VERIFY_TESTS)
