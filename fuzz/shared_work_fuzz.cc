// Messages of helpers to the owner of shared judging, one JSON object per line, from two helpers in turn: every item is kept at most
// once, whatever they say, and what is no message ends the work with an Error.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/json/json.h"
#include "judge/results/shared_work.h"

namespace {

constexpr size_t kItems = 4;

class LinesOfHelpers : public cuset::judge::Crew {
 public:
  explicit LinesOfHelpers(std::string_view text) : text_(text) {}

  std::optional<Message> receive(std::chrono::milliseconds) override {
    if (text_.empty()) throw cuset::base::Error("no helper is left");
    const size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return Message{++lines_ % 2 == 0 ? "b" : "a", cuset::base::parse_json(line, "message")};
  }
  void send(const std::string&, const cuset::base::Json&) override {}

 private:
  std::string_view text_;
  size_t lines_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  LinesOfHelpers helpers(std::string_view(reinterpret_cast<const char*>(data), size));
  cuset::judge::WorkQueue queue({0, 0, 1, 1});
  std::set<size_t> kept;
  const auto keep = [&](size_t item, const cuset::judge::Verdict&) {
    CUSET_CHECK(item < kItems && kept.insert(item).second, "item {} is kept again", item);
  };
  const auto describe = [](size_t) { return cuset::base::Json{{"task", "t"}, {"text", "x"}}; };
  try {
    cuset::judge::share_work(helpers, queue, {.plan = {{"seed", 5}}, .describe = describe, .keep = keep});
  } catch (const cuset::base::Error&) {  // what ends the work
  }
  return 0;
}
