#include "text/tokenizer/tokenizer_file.h"

#include <algorithm>

#include "base/error.h"

namespace cuset::text {
namespace {

constexpr size_t kDeepestNesting = 64;
constexpr size_t kMostMembers = 10'000;  // an object of the document finds its members one by one

// What nlohmann's parser calls as it reads. `path_` holds the open containers of the document; inside
// model.vocab and model.merges `section_` takes over.
class Handler : public nlohmann::json_sax<base::Json> {
 public:
  Handler(TokenizerFile& file, std::string_view text, const std::string& name)
      : file_(file), text_(text), name_(name) {}

  bool null() override { return scalar(nullptr); }
  bool boolean(bool value) override { return scalar(value); }
  bool number_integer(number_integer_t value) override { return scalar(value); }
  bool number_float(number_float_t value, const string_t&) override { return scalar(value); }
  bool binary(binary_t&) override { return false; }

  bool number_unsigned(number_unsigned_t value) override {
    if (section_ != Section::Vocabulary) return scalar(value);
    if (value >= kNoToken) fail("model.vocab: the token {} has the id {}", base::in_quotes(key_), value);
    file_.vocabulary.add(key_, static_cast<uint32_t>(value));
    return true;
  }

  bool string(string_t& value) override {
    if (section_ == Section::Merges) return merge_string(value);
    if (section_ == Section::MergePair) return merge_half(value);
    return scalar(std::move(value));
  }

  bool key(string_t& value) override {
    key_.swap(value);
    return true;
  }

  bool start_object(size_t) override {
    if (section_ == Section::Document && at_model_member("vocab")) {
      section_ = Section::Vocabulary;
      file_.has_vocabulary = true;
      return true;
    }
    return open(base::Json::object());
  }

  bool end_object() override { return close(Section::Vocabulary); }

  bool start_array(size_t) override {
    if (section_ == Section::Document && at_model_member("merges")) {
      section_ = Section::Merges;
      return true;
    }
    if (section_ == Section::Merges) {
      section_ = Section::MergePair;
      halves_ = 0;
      return true;
    }
    return open(base::Json::array());
  }

  bool end_array() override {
    if (section_ == Section::MergePair) {
      if (halves_ != 2) fail("model.merges[{}]: must be two strings", file_.merges.size());
      section_ = Section::Merges;
      return true;
    }
    return close(Section::Merges);
  }

  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& error) override {
    std::string_view reason = error.what();
    if (const size_t colon = reason.find(": "); colon != std::string_view::npos)
      reason.remove_prefix(colon + 2);
    const std::string_view before = text_.substr(0, std::min(position, text_.size()));
    throw base::Error("{}: not valid JSON in line {}, at byte {}: {}", name_,
                      1 + std::count(before.begin(), before.end(), '\n'), before.size(), reason)
        .with_remedy("the file is damaged; fetch it again");
  }

 private:
  enum class Section { Document, Vocabulary, Merges, MergePair };

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throw base::Error("{}: {}", name_, fmt::format(format, std::forward<Args>(args)...));
  }

  bool at_model_member(std::string_view member) const {
    return path_.size() == 2 && path_[1] == model_ && model_ != nullptr && key_ == member;
  }

  template <typename Value>
  bool scalar(Value&& value) {
    if (section_ == Section::Vocabulary)
      fail("model.vocab: the id of {} must be a whole number", base::in_quotes(key_));
    if (section_ != Section::Document) fail("model.merges[{}]: must be strings", file_.merges.size());
    put(base::Json(std::forward<Value>(value)));
    return true;
  }

  // Adds a value to the innermost open container.
  base::Json* put(base::Json value) {
    if (path_.empty()) {
      file_.document = std::move(value);
      return &file_.document;
    }
    base::Json& parent = *path_.back();
    if (parent.is_array()) return &parent.emplace_back(std::move(value));
    if (parent.size() >= kMostMembers) fail("an object with more than {} members", kMostMembers);
    if (parent.contains(key_)) fail("the member {} appears twice", base::in_quotes(key_));
    return &(parent[key_] = std::move(value));
  }

  bool open(base::Json container) {
    if (section_ == Section::Vocabulary)
      fail("model.vocab: the id of {} must be a whole number", base::in_quotes(key_));
    if (section_ != Section::Document) fail("model.merges[{}]: must be strings", file_.merges.size());
    if (path_.size() == kDeepestNesting) fail("JSON nested deeper than {} levels", kDeepestNesting);
    const bool is_model = path_.size() == 1 && path_[0]->is_object() && key_ == "model";
    path_.push_back(put(std::move(container)));
    if (is_model) model_ = path_.back();
    return true;
  }

  bool close(Section section) {
    if (section_ == section) {
      section_ = Section::Document;
    } else {
      path_.pop_back();
    }
    return true;
  }

  bool merge_string(const std::string& both) {
    const size_t space = both.find(' ');
    if (space == std::string::npos || both.find(' ', space + 1) != std::string::npos) {
      fail("model.merges[{}]: {} must be two names with one space between", file_.merges.size(),
           base::in_quotes(both));
    }
    halves_ = 0;
    merge_half(std::string_view(both).substr(0, space));
    return merge_half(std::string_view(both).substr(space + 1));
  }

  bool merge_half(std::string_view half) {
    const size_t begin = file_.merge_names.size();
    file_.merge_names += half;
    const size_t end = file_.merge_names.size();
    ++halves_;
    if (halves_ == 1) first_ = {begin, end, end};
    if (halves_ == 2) file_.merges.push_back({first_.begin, first_.middle, end});
    if (halves_ > 2) fail("model.merges[{}]: must be two strings", file_.merges.size() - 1);
    return true;
  }

  TokenizerFile& file_;
  std::string_view text_;
  const std::string& name_;
  std::vector<base::Json*> path_;
  const base::Json* model_ = nullptr;
  std::string key_;
  Section section_ = Section::Document;
  int halves_ = 0;  // of the merge at hand
  TokenizerFile::MergeNames first_{};
};

}  // namespace

TokenizerFile parse_tokenizer_file(std::string_view text, const std::string& name) {
  TokenizerFile file;
  Handler handler(file, text, name);
  try {
    base::Json::sax_parse(text, &handler);
  } catch (const base::Json::exception& error) {
    throw base::Error("{}: not valid JSON: {}", name, error.what());
  }
  if (!file.document.is_object()) throw base::Error("{}: must hold a JSON object", name);
  return file;
}

}  // namespace cuset::text
