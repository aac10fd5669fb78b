// What a task's script left in its folder: whatever it holds, it is inputs of the declared sizes or one line
// of why there are none. The first byte says how many bytes go into the input's file; the rest is
// result.json.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "judge/scripts/task_scripts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  cuset::tasks::Task task;
  task.inputs.push_back({"x", cuset::tasks::NumberType::kInt16, {4}, {}});
  task.outputs.push_back({"y", cuset::tasks::NumberType::kFloat32, {4}, {}});
  const cuset::base::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "job_0/trial_0/data");
  cuset::base::write_file_atomic(folder / "job_0/trial_0/data/x.bin", std::string(data[0], 'x'));
  cuset::base::write_file_atomic(folder / "job_0/result.json",
                                 {reinterpret_cast<const char*>(data + 1), size - 1});
  const cuset::judge::ScriptedTrials made =
      cuset::judge::read_scripted_trials(folder.path(), "job_0", task, 1);
  if (made.outcome == cuset::judge::Outcome::kCorrect) {
    CUSET_CHECK(made.inputs.size() == 1 && made.inputs[0][0].bytes.size() == 8, "{} trials",
                made.inputs.size());
    for (const auto& [name, tolerance] : made.tolerances)
      CUSET_CHECK(name == "y" && tolerance.absolute >= 0 && tolerance.relative >= 0, "{}", name);
  } else {
    CUSET_CHECK(!made.explanation.empty() && made.explanation.find('\n') == std::string::npos, "{}",
                made.explanation);
  }
  return 0;
}
