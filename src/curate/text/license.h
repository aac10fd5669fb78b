// Which license a text names: an SPDX tag, or the sentences that the best-known licenses are recognized by.
#pragma once

#include <string>
#include <string_view>

namespace cuset::curate {

// The SPDX name ("MIT", "Apache-2.0"); empty where the text names none. Looks at the first 16 KiB.
std::string license_in(std::string_view text);

}  // namespace cuset::curate
