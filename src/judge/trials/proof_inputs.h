// What the proof of work runs on (device_proof.h). It depends on the task alone, so it is made once for all
// answers, when the first of them needs it.
#pragma once

#include <mutex>
#include <vector>

#include "tasks/array.h"

namespace cuset::judge {

struct Expected;

struct ProofInputs {
  std::vector<tasks::Array> shown;  // to the host, in place of the inputs of trial 0
  // The task's outputs consist of its inputs' elements, or are these in another type.
  bool only_rearranges = false;
};

class ProofInputsOnce {
 public:
  // Always with the same trials. Safe to call from many threads.
  const ProofInputs& of(const Expected& expected);

 private:
  std::once_flag once_;
  ProofInputs inputs_;
};

// Inputs for the host, made of `other`, which has the same shapes as `real`: floating-point numbers are made
// different from each other, so that each can be recognized where the host hands it on. An input with too few
// elements to compute with (sizes, factors) is the real one, because hosts pass such numbers on as arguments. Where
// there is much data, numbers stay as they are: hosts hand it on as it is.
std::vector<tasks::Array> inputs_for_host(std::vector<tasks::Array> other,
                                          const std::vector<tasks::Array>& real);

bool have_same_sizes(const std::vector<tasks::Array>& one, const std::vector<tasks::Array>& other);

// What the host is shown where `real`, of the same sizes, takes the place of trial 0: sizes and factors are those of `real`.
std::vector<tasks::Array> shown_with_sizes_of(const ProofInputs& inputs,
                                              const std::vector<tasks::Array>& real);

// Makes sizes and factors of `real`, which the host knows, those of a proof that was given with `inputs`. False where
// arrays have other sizes than there: then that proof says nothing about them.
bool adapt_to_proof(const ProofInputs& inputs, std::vector<tasks::Array>& real);

// Whether every word of the outputs is one of the inputs: transposing, gathering, sorting.
bool only_rearranges(const std::vector<tasks::Array>& inputs, const std::vector<tasks::Array>& outputs);

// Whether every output is an input in another number type, element by element: what hosts make of inputs before they hand them on.
bool only_converts(const std::vector<tasks::Array>& inputs, const std::vector<tasks::Array>& outputs);

}  // namespace cuset::judge
