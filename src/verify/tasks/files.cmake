list(APPEND VERIFY_SOURCES
  tasks/array.cc
  tasks/bulk_draws.cc
  tasks/domain_check.cc
  tasks/domain_json.cc
  tasks/inputs.cc
  tasks/interface_json.cc
  tasks/json_field.cc
  tasks/number_range.cc
  tasks/task.cc
  tasks/task_json.cc
  tasks/value_source.cc)
list(APPEND VERIFY_TESTS
  tasks/array_test.cc
  tasks/inputs_test.cc
  tasks/task_test.cc)
