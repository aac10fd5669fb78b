// Runs hostile and honest programs side by side through an executor and watches what they do to the world
// around them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "cuda/hostile_programs.h"
#include "cuda/planted_secrets.h"
#include "execute/executor.h"

namespace cuset::tests {

struct ProgramReport {
  std::string name;
  std::string ending;  // how build and run ended, for people
  double seconds = 0;
  std::string faults;  // one line each; "" if all is well
};

// Where the driver listens for programs that get out. Connections wait until they are counted.
class Listeners {
 public:
  Listeners(const std::filesystem::path& path, const std::string& abstract_name);
  int port() const { return port_; }
  // How many programs connected since the last time.
  int connections() const;

 private:
  std::vector<base::FileDescriptor> sockets_;
  int port_ = 0;
};

class HostileRun {
 public:
  // `executor` is "gpu", or the CPU's. Throws Error where the machine lacks what the executor needs.
  explicit HostileRun(const std::string& executor,
                      sandbox::Confinement confinement = sandbox::Confinement::kFull);

  // Builds and runs one program; never throws for what the program does.
  ProgramReport run(const TestProgram& program);
  // All of them in the order given, `workers` at a time.
  std::vector<ProgramReport> run_all(const std::vector<TestProgram>& programs, int workers);

  // Secrets changed, connections made, files left outside of the working folders; "" if none.
  std::string faults() const;
  const std::string& token() const { return token_; }

 private:
  execute::BuildOptions build_options(const TestProgram& program) const;
  execute::RunOptions run_options(const TestProgram& program, const std::filesystem::path& folder) const;
  void check_text(const std::string& text, const char* where, ProgramReport& report) const;
  void check_files(const std::filesystem::path& folder, ProgramReport& report) const;
  void check_run(const TestProgram& program, const execute::Run& run, ProgramReport& report) const;
  void build_and_run(const TestProgram& program, const std::filesystem::path& folder, ProgramReport& report);

  base::TemporaryFolder folder_;
  std::string token_;
  std::filesystem::path cache_;
  PlantedSecrets secrets_;
  Listeners listeners_;
  std::unique_ptr<execute::Executor> executor_;         // for attacks: short limits on the compiler
  std::unique_ptr<execute::Executor> honest_executor_;  // the same cache
  sandbox::SandboxLimits limits_;
};

}  // namespace cuset::tests
