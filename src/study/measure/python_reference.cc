#include "study/measure/python_reference.h"

#include <algorithm>
#include <chrono>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "sandbox/process.h"

namespace cuset::study {

BenchReference run_bench_reference(const char* script, const base::Json& job, const std::string& python) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder.path() / "reference.py", script);
  base::write_json_file(folder.path() / "job.json", job);
  const sandbox::ProcessResult result =
      sandbox::run_process({"sh", "-c", "exec \"$1\" \"$2\" < \"$3\"", "sh", python,
                            (folder.path() / "reference.py").string(), (folder.path() / "job.json").string()},
                           {.time_limit = std::chrono::minutes(9)});
  BenchReference reference;
  size_t begin = 0;
  while (begin < result.output.size()) {
    const size_t end = std::min(result.output.find('\n', begin), result.output.size());
    const std::string line = result.output.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("{\"who\""))
      reference.answers.push_back(base::parse_json(line, "the comparison"));
    else if (!line.empty())
      reference.missing = line;  // the last line of a failure says most
  }
  if (result.succeeded()) reference.missing.clear();
  return reference;
}

}  // namespace cuset::study
