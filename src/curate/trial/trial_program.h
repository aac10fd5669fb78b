// A program around kernels that no task describes: it makes the buffers of a TrialSet, launches the kernel, and writes
// down what is in every buffer that the kernel may change.
//
//   PROGRAM KERNEL SET SET ...      the number of the kernel, then the words of each set (words_of)
//   out.bin                         of every such buffer: count, digits, then its numbers, all as double
//
// Types are deduced by the compiler from the kernel's own address. A type that is no number (a struct, a texture, a
// pointer to pointers) ends the program with kNoHarnessStatus before anything is launched.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cuda_source/kernel_interface.h"

namespace cuset::curate {

inline constexpr int kNoHarnessStatus = 66;
inline constexpr const char* kTrialOutput = "out.bin";

// How exactly two runs in different orders of threads must agree: sums of floating numbers depend on their order.
enum class TrialDigits : int { kExact = 0, kFloat = 1, kHalf = 2 };

struct TrialBuffer {
  TrialDigits digits = TrialDigits::kExact;
  std::vector<double> numbers;
};

// The source: `program` with a main for `kernels`, whose template arguments are given beside them.
std::string trial_program(const std::string& program,
                          const std::vector<cuda_source::KernelInterface>& kernels,
                          const std::vector<std::string>& template_arguments);

// `program` alone as the compiler would see it: with the same headers before it, and an empty main.
std::string program_alone(const std::string& program);

// What a run wrote. Nothing where the file is missing or damaged: the program under trial can write it, too.
std::vector<TrialBuffer> read_trial_output(const std::filesystem::path& file);

// Where two runs differ by more than rounding: "buffer 1[17] is 3 instead of 2"; empty where they agree.
std::string difference_between(const std::vector<TrialBuffer>& usual, const std::vector<TrialBuffer>& other);

}  // namespace cuset::curate
