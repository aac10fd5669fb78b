// The rows of a curation on disk, with a fingerprint of each:
//
//   rows.jsonl         one row a line (sources/row.h); read through a map of the file, so that memory holds no rows
//   fingerprints.bin   for each row 128 bits that name its normalized program and its MinHash signature
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/files/file.h"
#include "curate/sources/row.h"
#include "curate/text/normalized_code.h"
#include "curate/text/signature.h"

namespace cuset::curate {

struct Fingerprint {
  CodeHash code;
  uint64_t scope = 0;  // hash of the row's task; 0: it has none
  Signature signature;
};

// Of a program and its normalized tokens; runs of `run` tokens of its kernels, or of all of it where it has none, make
// the signature.
Fingerprint fingerprint_of(const std::string& program, const std::vector<CodeToken>& tokens,
                           const std::string& task, size_t run);

class RowStore {
 public:
  // Opens what RowStoreWriter made. Throws Error where the two files do not belong together.
  explicit RowStore(const std::filesystem::path& folder);

  size_t size() const { return begins_.size(); }
  // Parses row `i`. Safe to call from several threads.
  Row row(size_t i) const;
  const Fingerprint& fingerprint(size_t i) const { return fingerprints()[i]; }
  std::span<const Fingerprint> fingerprints() const;

 private:
  std::filesystem::path file_;
  base::MappedFile rows_;
  base::MappedFile prints_;
  std::vector<uint64_t> begins_;
};

class RowStoreWriter {
 public:
  explicit RowStoreWriter(const std::filesystem::path& folder);

  void add(const Row& row, const Fingerprint& fingerprint);
  void commit();
  size_t size() const { return size_; }

 private:
  void flush();

  base::AtomicFile rows_;
  base::AtomicFile prints_;
  std::string pending_rows_;
  std::vector<Fingerprint> pending_prints_;
  size_t size_ = 0;
};

}  // namespace cuset::curate
