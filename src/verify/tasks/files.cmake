list(APPEND VERIFY_SOURCES
  tasks/array.cc
  tasks/domain_check.cc
  tasks/domain_json.cc
  tasks/interface_json.cc
  tasks/json_field.cc
  tasks/task.cc
  tasks/task_json.cc)
list(APPEND VERIFY_TESTS
  tasks/array_test.cc
  tasks/task_test.cc)
