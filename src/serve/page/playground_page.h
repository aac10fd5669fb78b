// The page that GET / gives, as it lies in page/playground.html: embedded when the program is built.
#pragma once

#include <string_view>

namespace cuset::serve {

extern const std::string_view kPlaygroundPage;

// Nothing but this server is asked for anything.
inline constexpr std::string_view kPlaygroundPolicy =
    "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

}  // namespace cuset::serve
