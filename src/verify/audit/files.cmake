list(APPEND VERIFY_SOURCES
  audit/audit.cc
  audit/controls.cc
  audit/mutants.cc
  audit/mutation_subject.cc
  audit/mutations.cc
  audit/mutations_of_launches.cc
  audit/mutations_of_places.cc
  audit/mutations_of_sums.cc
  audit/mutations_of_values.cc
  judge/ablation.cc
  judge/lint.cc
  judge/lint_directives.cc
  judge/lint_names.cc)
list(APPEND VERIFY_TESTS
  audit/controls_test.cc
  audit/mutants_test.cc
  judge/ablation_test.cc
  judge/lint_test.cc)
