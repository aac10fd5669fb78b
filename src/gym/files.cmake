list(APPEND GYM_SOURCES
  draft_check.cc gym_task.cc host_code.cc host_functions.cc literal.cc names.cc program.cc program_form.cc program_names.cc prompt.cc
  spelling.cc)
list(APPEND GYM_TESTS families_test.cc spelling_test.cc)
