#include "curate/run/row_store.h"

#include <xxhash.h>

#include "base/error.h"
#include "curate/text/compared_text.h"

namespace cuset::curate {
namespace {

constexpr size_t kPendingRows = 1024;

}  // namespace

Fingerprint fingerprint_of(const std::string& program, const std::vector<CodeToken>& tokens,
                           const std::string& task, size_t run) {
  Fingerprint made;
  made.code = hash_of(tokens);
  made.scope = task.empty() ? 0 : XXH3_64bits(task.data(), task.size()) | 1;
  made.signature = signature_of(runs_of_code(tokens_of_task(program, tokens), run));
  return made;
}

RowStore::RowStore(const std::filesystem::path& folder)
    : file_(folder / "rows.jsonl"), rows_(file_), prints_(folder / "fingerprints.bin") {
  const std::string_view text = rows_.text();
  for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    begins_.push_back(begin);
    if (text.find('\n', begin) == std::string_view::npos)
      throw base::Error("{}: the last line is not complete", file_.string()).with_remedy("remove the file");
  }
  if (prints_.bytes().size() != begins_.size() * sizeof(Fingerprint)) {
    throw base::Error("{}: {} rows, but {} bytes of fingerprints", file_.string(), begins_.size(),
                      prints_.bytes().size())
        .with_remedy("remove the folder {}", folder.string());
  }
}

Row RowStore::row(size_t i) const {
  const std::string_view text = rows_.text();
  const size_t end = i + 1 < begins_.size() ? begins_[i + 1] : text.size();
  const std::string place = fmt::format("{}:{}", file_.string(), i + 1);
  return row_from_json(base::parse_json(text.substr(begins_[i], end - begins_[i]), place), place);
}

std::span<const Fingerprint> RowStore::fingerprints() const {
  return {reinterpret_cast<const Fingerprint*>(prints_.bytes().data()), begins_.size()};
}

RowStoreWriter::RowStoreWriter(const std::filesystem::path& folder)
    : rows_(folder / "rows.jsonl"), prints_(folder / "fingerprints.bin") {}

void RowStoreWriter::add(const Row& row, const Fingerprint& fingerprint) {
  pending_rows_ += base::to_json_line(json_of(row)) + "\n";
  pending_prints_.push_back(fingerprint);
  ++size_;
  if (pending_prints_.size() >= kPendingRows) flush();
}

void RowStoreWriter::flush() {
  rows_.write(pending_rows_);
  prints_.write(std::as_bytes(std::span(pending_prints_)));
  pending_rows_.clear();
  pending_prints_.clear();
}

void RowStoreWriter::commit() {
  flush();
  rows_.commit();
  prints_.commit();
}

}  // namespace cuset::curate
