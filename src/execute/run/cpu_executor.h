// The executor for machines without a GPU: clang and the emulator (emulator/toolchain.h) make an ordinary
// program of a CUDA source, which runs in the sandbox with one worker per core. Made by make_cpu_executor()
// of executor.h.
//
// Programs run in one fixed order of threads. With RunOptions::schedules, the program runs again in other
// orders, each in a copy of the untouched folder, and what differs is reported as a finding `order_dependent`
// (order_check.h).
//
// Whether a source compiles is for nvcc to say, where it is installed: it is asked when clang fails (or
// first, with judge_with_nvcc), and what it accepts but clang does not is `unsupported`, never an error of
// the program.
#pragma once

#include "execute/executor.h"
