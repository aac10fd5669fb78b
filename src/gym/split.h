// Which tasks are for training and which for measuring. A task's signature is a hash of what it computes:
// family, sizes, scalars, types, shapes, formula; not its names or words. One signature in eight is reserved
// for measuring, and one for choosing settings.
//
//   split        families                  signatures
//   train        those not held out        not reserved
//   validation   all                       reserved for choosing
//   held_out     all                       reserved for measuring
//   raw          all                       not reserved: programs without their prompts, for base models
//
// So a task measured occurs nowhere else, of a family that is held out no prompt is ever learned from, and what is
// chosen on tasks of `validation` has not seen those of `held_out`.
#pragma once

#include <cstdint>
#include <string_view>

#include "gym/family.h"

namespace cuset::gym {

enum class GymSplit : uint8_t { kTrain, kValidation, kHeldOut, kRaw };

std::string_view name_of(GymSplit split);  // "held_out"
GymSplit split_named(std::string_view name);

uint64_t signature_of(const GymFamily& family, const GymDraft& draft);

// Whether the split has tasks of the family at all, and whether it has those of this signature.
bool has_family(GymSplit split, const GymFamily& family);
bool has_signature(GymSplit split, uint64_t signature);

}  // namespace cuset::gym
