#include "generate/generation.h"

namespace cuset::generate {

std::string_view name_of(Finish finish) {
  switch (finish) {
    case Finish::kStop:
      return "stop";
    case Finish::kStopString:
      return "stop_string";
    case Finish::kLength:
      return "length";
  }
  return "";
}

}  // namespace cuset::generate
