list(APPEND VERIFY_SOURCES
  judge/ablation.cc
  judge/lint.cc
  judge/lint_directives.cc
  judge/lint_names.cc)
list(APPEND VERIFY_TESTS
  judge/ablation_test.cc
  judge/lint_test.cc)
