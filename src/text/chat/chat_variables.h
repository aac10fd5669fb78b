// Turns JSON into template values and numbers every string with its origin.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "text/chat/chat_template.h"
#include "text/jinja/value.h"

namespace cuset {

class ChatVariables {
 public:
  // A string of the caller: marked as data.
  jinja::Value messages(const Json& messages);
  jinja::Value variable(const std::string& name, const Json& value);
  // A string of the model folder: the template's own text.
  static jinja::Value trusted(const Json& value);

  std::vector<ChatOrigin> take_origins() { return std::move(origins_); }

 private:
  jinja::Value convert(const Json& value, int message, const std::string& pointer);
  jinja::Value marked_text(const std::string& bytes, int message, const std::string& pointer);

  std::vector<ChatOrigin> origins_;
};

}  // namespace cuset
