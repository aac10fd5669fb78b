list(APPEND VERIFY_SOURCES
  readers/answer_matching.cc
  readers/answer_reader.cc
  readers/answer_record.cc)
list(APPEND VERIFY_TESTS
  readers/answer_matching_test.cc
  readers/answer_reader_test.cc)
