list(APPEND VERIFY_SOURCES
  judge/benchmarks/completion.cc
  judge/benchmarks/host_functions.cc
  judge/benchmarks/module_expected.cc
  judge/benchmarks/module_judge.cc
  judge/benchmarks/module_process.cc
  judge/benchmarks/module_timing.cc
  judge/benchmarks/python_kernels.cc
  judge/benchmarks/test_judge.cc
  judge/benchmarks/test_sources.cc)
list(APPEND VERIFY_TESTS
  judge/benchmarks/completion_test.cc
  judge/benchmarks/host_functions_test.cc
  judge/benchmarks/module_judge_gpu_test.cc
  judge/benchmarks/module_timing_test.cc
  judge/benchmarks/python_kernels_test.cc
  judge/benchmarks/test_sources_test.cc)
