list(APPEND GYM_SOURCES
  clutter.cc corpus.cc draft_check.cc gym_task.cc host_code.cc noise.cc program.cc program_form.cc program_names.cc prompt.cc reasoning.cc
  records.cc split.cc task_source.cc words/literal.cc words/name_pools.cc words/names.cc words/spelling.cc)
list(APPEND GYM_TESTS
  corpus_test.cc families_test.cc noise_test.cc program_test.cc prompt_test.cc records_test.cc split_test.cc
  words/literal_test.cc words/names_test.cc words/spelling_test.cc)
