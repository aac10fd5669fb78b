list(APPEND GYM_SOURCES
  corpus.cc draft_check.cc gym_task.cc host_code.cc host_functions.cc words/literal.cc words/name_pools.cc words/names.cc noise.cc overlap.cc program.cc
  program_form.cc program_names.cc prompt.cc prompt_files.cc reasoning.cc records.cc words/sentence.cc words/spelling.cc split.cc task_source.cc
  task_writer.cc)
list(APPEND GYM_TESTS
  corpus_test.cc families_test.cc words/literal_test.cc words/names_test.cc noise_test.cc overlap_test.cc program_test.cc
  prompt_test.cc records_test.cc words/spelling_test.cc split_test.cc)
