#include "judge/run/downloads.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unordered_map>

namespace cuset::judge {
namespace {

constexpr size_t kWindow = 16;    // bytes that are looked up at once
constexpr size_t kNearby = 4096;  // where the next short download is looked for

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// What part of an output a piece of a download is.
struct Piece {
  size_t in_download = 0;
  size_t in_output = 0;
  size_t bytes = 0;
};

// Finds the parts of downloads in one output.
class OutputText {
 public:
  explicit OutputText(std::string_view output) : output_(output) {}

  // In the order of the download, without overlap.
  std::vector<Piece> find(std::string_view download) {
    if (output_.empty()) return {};
    if (download.size() >= output_.size()) {
      const size_t found = download.find(output_);
      if (found != download.npos) return {{found, 0, output_.size()}};
    } else if (const size_t found = find_whole(download); found != output_.npos) {
      next_ = found + download.size();
      return {{0, found, download.size()}};
    }
    return find_runs(download);
  }

 private:
  // Short ones only behind the one before: they would be found anywhere.
  size_t find_whole(std::string_view download) const {
    const bool is_short = download.size() < 2 * kWindow;
    const size_t found = output_.substr(0, is_short ? next_ + kNearby : output_.npos).find(download, next_);
    return found == output_.npos && !is_short ? output_.find(download) : found;
  }

  std::vector<Piece> find_runs(std::string_view download) {
    if (windows_.empty()) {
      for (size_t at = 0; at + kWindow <= output_.size(); at += kWindow)
        windows_.try_emplace(output_.substr(at, kWindow), at);
    }
    std::vector<Piece> pieces;
    size_t free = 0;  // of the download
    for (size_t at = 0; at + kWindow <= download.size();) {
      const auto found = windows_.find(download.substr(at, kWindow));
      if (found == windows_.end()) {
        ++at;
        continue;
      }
      size_t begin = at, from = found->second;
      while (begin > free && from > 0 && download[begin - 1] == output_[from - 1]) --begin, --from;
      size_t end = at, to = found->second;
      while (end < download.size() && to < output_.size() && download[end] == output_[to]) ++end, ++to;
      pieces.push_back({begin, from, end - begin});
      at = free = end;
    }
    return pieces;
  }

  std::string_view output_;
  size_t next_ = 0;  // behind the last download that was found whole
  std::unordered_map<std::string_view, size_t> windows_;
};

// Bytes from `begin` to `end` that are not one word over and over.
uint64_t telling_bytes(std::string_view bytes, size_t begin, size_t end) {
  uint64_t telling = 0;
  for (size_t at = begin; at < end; at += 4) {
    const bool repeats = at >= 4 && at + 4 <= bytes.size() && bytes.substr(at, 4) == bytes.substr(at - 4, 4);
    if (!repeats) telling += std::min<size_t>(4, end - at);
  }
  return telling;
}

uint64_t telling_beside(std::string_view download, const std::vector<Piece>& pieces) {
  uint64_t telling = 0;
  size_t at = 0;
  for (const Piece& piece : pieces) {
    telling += telling_bytes(download, at, piece.in_download);
    at = piece.in_download + piece.bytes;
  }
  return telling + telling_bytes(download, at, download.size());
}

// The download's numbers, if it has as many as the output, in the output's type.
std::vector<Download> converted(const Download& download, const tasks::Array& output) {
  using Type = tasks::NumberType;
  std::vector<Download> all;
  const uint64_t count = output.count();
  if (count == 0 || download.size() == output.bytes.size()) return all;
  for (const Type type : {Type::kFloat64, Type::kFloat32, Type::kFloat16, Type::kBfloat16, Type::kInt64,
                          Type::kInt32, Type::kInt16, Type::kInt8, Type::kUint8}) {
    if (tasks::bytes_of(type) * count != download.size()) continue;
    const tasks::Array read{type, {static_cast<int64_t>(count)}, download};
    all.push_back(tasks::Array::from_doubles(output.type, read.shape, read.to_doubles()).bytes);
  }
  return all;
}

bool is_converted(const Download& download, const tasks::Array& output) {
  const std::vector<Download> forms = converted(download, output);
  return std::find(forms.begin(), forms.end(), output.bytes) != forms.end();
}

// One output from the downloads that it is composed of; nothing if part of it is in none.
std::optional<tasks::Array> compose(const std::vector<Download>& downloads,
                                    const std::vector<Download>& other, const tasks::Array& output) {
  tasks::Array composed = output;
  OutputText text(text_of(output.bytes));
  std::vector<bool> is_known(output.bytes.size());
  for (size_t i = 0; i < downloads.size(); ++i) {
    if (const std::vector<Download> forms = converted(downloads[i], output); !forms.empty()) {
      for (size_t form = 0; form < forms.size(); ++form) {
        if (forms[form] != output.bytes) continue;
        composed.bytes = converted(other[i], output)[form];
        return composed;
      }
    }
    for (const Piece& piece : text.find(text_of(downloads[i]))) {
      std::memcpy(composed.bytes.data() + piece.in_output, other[i].data() + piece.in_download, piece.bytes);
      std::fill_n(is_known.begin() + static_cast<ptrdiff_t>(piece.in_output), piece.bytes, true);
    }
  }
  const bool is_whole = std::find(is_known.begin(), is_known.end(), false) == is_known.end();
  return is_whole ? std::optional(std::move(composed)) : std::nullopt;
}

}  // namespace

uint64_t bytes_beside_outputs(const std::vector<Download>& downloads,
                              const std::vector<tasks::Array>& outputs) {
  std::vector<OutputText> texts;
  for (const tasks::Array& output : outputs) texts.emplace_back(text_of(output.bytes));
  uint64_t beside = 0;
  for (const Download& download : downloads) {
    // What nearly all hosts ask for, and quick to tell where there is much of it.
    const auto is_this = [&](const tasks::Array& output) { return output.bytes == download; };
    if (std::any_of(outputs.begin(), outputs.end(), is_this)) continue;
    uint64_t least = telling_bytes(text_of(download), 0, download.size());
    for (size_t i = 0; i < outputs.size() && least > 0; ++i) {
      least = std::min(least, telling_beside(text_of(download), texts[i].find(text_of(download))));
      if (least > 0 && is_converted(download, outputs[i])) least = 0;
    }
    beside += least;
  }
  return beside;
}

std::optional<std::vector<tasks::Array>> outputs_of_other(const std::vector<Download>& downloads,
                                                          const std::vector<Download>& other,
                                                          const std::vector<tasks::Array>& outputs) {
  const bool same_sizes =
      std::equal(downloads.begin(), downloads.end(), other.begin(), other.end(),
                 [](const Download& one, const Download& two) { return one.size() == two.size(); });
  if (!same_sizes) return std::nullopt;
  std::vector<tasks::Array> composed;
  for (const tasks::Array& output : outputs) {
    std::optional<tasks::Array> one = compose(downloads, other, output);
    if (!one) return std::nullopt;
    composed.push_back(*std::move(one));
  }
  return composed;
}

}  // namespace cuset::judge
