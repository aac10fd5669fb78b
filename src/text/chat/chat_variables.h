// Turns JSON into template values and numbers every string with its origin.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "text/chat/chat_template.h"
#include "text/jinja/value.h"

namespace cuset::text {

class ChatVariables {
 public:
  // A string of the caller: marked as data.
  jinja::Value messages(const base::Json& messages);
  jinja::Value variable(const std::string& name, const base::Json& value);
  // A string of the model folder: the template's own text.
  static jinja::Value trusted(const base::Json& value);

  std::vector<ChatOrigin> take_origins() { return std::move(origins_); }

 private:
  jinja::Value convert(const base::Json& value, int message, const std::string& pointer);
  jinja::Value marked_text(const std::string& bytes, int message, const std::string& pointer);

  std::vector<ChatOrigin> origins_;
};

}  // namespace cuset::text
