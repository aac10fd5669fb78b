// Rows as they come from sources, normalized on several threads and stored in order.
#pragma once

#include <filesystem>
#include <vector>

#include "base/files/file.h"
#include "base/machine/worker_pool.h"
#include "base/progress.h"
#include "curate/plan/plan.h"
#include "curate/run/row_store.h"
#include "curate/run/stage_file.h"
#include "curate/sources/sources.h"

namespace cuset::curate {

// Thrown where an interrupt ends a stage before its result is complete.
struct StageInterrupted {};

void stop_if_interrupted();

// Writes rows.jsonl and fingerprints.bin, and refused.jsonl with the records that are no rows.
class Collector : public RowSink {
 public:
  // `plan` must outlive it.
  Collector(const CurationPlan& plan, int workers, const std::filesystem::path& folder);

  // Throws StageInterrupted.
  void take(Row row) override;
  void refuse(const std::string& source, const std::string& place, const Rejection& rejection) override;

  // Makes the files complete; the result of the stage normalize.
  StageResult finish();

 private:
  void normalize_pending();
  std::optional<Rejection> normalize(const Row& row, Fingerprint& print) const;

  const CurationPlan& plan_;
  base::WorkerPool pool_;
  RowStoreWriter writer_;
  base::AtomicFile refused_;
  base::Progress progress_;
  std::vector<Row> pending_;
  StageResult result_;
};

}  // namespace cuset::curate
