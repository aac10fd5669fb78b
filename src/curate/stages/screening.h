// Rows that must not be passed on: with a password or key in them, or under a license that the plan does not allow.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "curate/plan/plan.h"
#include "curate/sources/row.h"

namespace cuset::curate {

// What kind of secret a text holds ("GitHub token"); nothing where none is recognized. Recognized are private keys in
// PEM form, the tokens of well-known services by their prefix and length, and assignments of a long random text to a
// name like password, secret, token or api_key. Placeholders (XXXX, <your key>, ${KEY}) are none.
std::optional<std::string> secret_in(std::string_view text);

// Nothing where the row may stay. The detail never repeats a secret.
std::optional<Rejection> screen(const Row& row, const ScreeningOptions& options);

}  // namespace cuset::curate
