#include "verify/kernel_proof.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "base/temporary_folder.h"
#include "emulator/execution_record.h"
#include "verify/companion_file.h"
#include "verify/run_record.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

// Whether the probe's kernel appears in its record.
bool records_kernels(const KernelProof& proof, int index) {
  const TemporaryFolder folder;
  const RunRecordFile file(folder / "record");
  std::map<std::string, std::string> environment = proof.environment;
  environment[CUSET_RECORD_VARIABLE] = file.path().string();
  const GpuProbe probe = probe_gpu(index, ProbeDepth::kRunKernel, environment);
  const RunRecord record = file.read();
  const bool recorded = std::any_of(
      record.kernels.begin(), record.kernels.end(),
      [](const KernelLaunches& kernel) { return kernel.name == kHealthKernel && kernel.total_ms > 0; });
  if (!recorded) {
    const RunFinding* why = find_finding(record.findings, "unrecorded");
    log_info("CUPTI does not record kernels here ({}): the CUDA runtime is interposed instead",
             why != nullptr          ? why->text
             : probe.problem.empty() ? "nothing was recorded"
                                     : probe.problem);
  }
  return recorded;
}

}  // namespace

fs::path find_cupti_library(const NvccToolkit& toolkit) {
  for (const fs::path& folder :
       {toolkit.libraries, toolkit.root / "extras/CUPTI/lib64", toolkit.root / "lib"}) {
    for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
      std::error_code ignored;
      if (fs::exists(folder / name, ignored)) return folder / name;
    }
  }
  return {};
}

KernelProof choose_kernel_proof(const NvccToolkit& toolkit, int index) {
  const fs::path injected = find_companion_file("libcuset_cuda_record.so", CUSET_RECORD_LIBRARY);
  const fs::path cupti = find_cupti_library(toolkit);
  if (!injected.empty() && !cupti.empty()) {
    KernelProof proof{"cupti",
                      {{"CUDA_INJECTION64_PATH", injected.string()}, {"CUSET_CUPTI_LIBRARY", cupti.string()}},
                      {injected, cupti.parent_path()},
                      false};
    if (records_kernels(proof, index)) return proof;
  }
  const fs::path interposed = find_companion_file("libcuset_cuda_interpose.so", CUSET_INTERPOSE_LIBRARY);
  if (interposed.empty()) {
    throw Error(
        "kernels cannot be recorded on this machine: CUPTI does not work and there is no "
        "libcuset_cuda_interpose.so beside this program")
        .with_remedy("install the CUDA toolkit with CUPTI and build again");
  }
  return {"interposed runtime", {{"LD_PRELOAD", interposed.string()}}, {interposed}, true};
}

}  // namespace cuset
