// Where the model that comes with the program lies.
#pragma once

#include <filesystem>

namespace cuset {

// The folder assets/model: of $CUSET_ASSETS, of an installation (../share/cuset beside the program), or of
// the checkout that the program was built from. Throws Error naming the places where none has it.
std::filesystem::path builtin_model_folder();

}  // namespace cuset
