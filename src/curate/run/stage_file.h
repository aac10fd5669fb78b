// What a stage decided, as a file that is there whole or not at all:
//
//   {"stage", "key", "rejected", "notes", "summary"}           the first line
//   {"row", "reason", "detail"}                                a row that the stage refuses
//   {"row", "note": {...}}                                     what it found out about a row that stays
//
// `key` stands for everything that decides the result: the stage's settings, its inputs, and the key of the stage
// before. A file with another key is made again, and so are all after it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/json/json.h"
#include "curate/sources/row.h"

namespace cuset::curate {

struct StageResult {
  std::map<uint32_t, Rejection> rejected;  // by row; `stage` of each is the stage's name
  std::map<uint32_t, base::Json> notes;
  base::Json summary;  // what else the stage has to say
};

void write_stage(const std::filesystem::path& file, const std::string& stage, const std::string& key,
                 const StageResult& result);

// Nothing where there is no file, or one of another key. Throws Error for a damaged one.
std::optional<StageResult> read_stage(const std::filesystem::path& file, const std::string& stage,
                                      const std::string& key);

// The key of a stage with these settings after the one with the key `before`.
std::string stage_key(const std::string& before, const std::string& stage, const base::Json& settings);

// A hash of a file's content, or of everything in a folder.
std::string content_key(const std::filesystem::path& path);

}  // namespace cuset::curate
