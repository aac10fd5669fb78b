// Checkpoints: folders checkpoint-<step>/ in a run's folder. docs/checkpoints.md has the files.
//
// A checkpoint is written as "checkpoint-<step>.tmp-<16 hex digits>", every file flushed to the disk, a
// manifest with the size and CRC-32C of each written last (checkpoint.json), and then renamed: at every
// moment a kill, a crash or a full disk leaves the old or the new, never a half. A writer holds a lock on its
// temporary; what a killed one left is removed at the next start. Old checkpoints go the same way back:
// renamed first, removed then.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace cuset::train {

// The remedy for a damaged file of a checkpoint.
inline constexpr std::string_view kUseOtherCheckpoint = "resume from another checkpoint";

class CheckpointFolder {
 public:
  // In `run_folder`, which is made if needed. Removes what killed writers left there.
  explicit CheckpointFolder(std::filesystem::path run_folder);

  // Makes checkpoint-<step>: `write` puts the files into the folder it is given; the manifest is ours. An
  // earlier checkpoint of that step is replaced. Returns its path. On failure (full disk), removes the
  // temporary and throws; everything else stays as it was.
  std::filesystem::path save(int64_t step, const std::function<void(const std::filesystem::path&)>& write);

  // Removes all but the `keep` newest checkpoints and the one of `best`. A `keep` of 0 keeps all.
  void remove_old(size_t keep, std::optional<int64_t> best = std::nullopt);

  // A run that resumes from `step` makes its later checkpoints anew: those behind it are renamed to
  // "checkpoint-<step>.replaced", with a line in the log, and play no part any more.
  void set_aside_behind(int64_t step);

  std::filesystem::path path_of(int64_t step) const;

 private:
  void remove_abandoned();
  void put_in_place(const std::filesystem::path& temporary, const std::filesystem::path& target);
  void remove(const std::filesystem::path& folder);

  std::filesystem::path run_folder_;
};

struct FoundCheckpoint {
  int64_t step = 0;
  std::filesystem::path path;
};

// The checkpoints of a run, oldest first: folders of that name with a manifest. Empty where `run_folder` has
// none or does not exist.
std::vector<FoundCheckpoint> checkpoints_of(const std::filesystem::path& run_folder);

// The newest of them. It may still be damaged: verify_checkpoint().
std::optional<FoundCheckpoint> latest_checkpoint(const std::filesystem::path& run_folder);

// Reads every file of the manifest and compares size and checksum. Throws Error that names the damaged file
// and, as the remedy, the checkpoint before this one. Returns the step.
int64_t verify_checkpoint(const std::filesystem::path& checkpoint);

}  // namespace cuset::train
