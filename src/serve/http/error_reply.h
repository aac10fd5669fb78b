// Errors in OpenAI's form, which all endpoints have.
#pragma once

#include <string>
#include <string_view>

namespace cuset::serve {

// {"error": {"message", "type", "param", "code"}}. The type follows from the status, `param` from a message that names a field.
std::string error_body(int status, std::string_view message, std::string_view code = {});

}  // namespace cuset::serve
