// cuset report: the results of a run as one HTML page. docs/report.md.
#include "cli/commands/commands.h"

#include <iostream>

#include "base/error.h"
#include "base/human_readable.h"
#include "report/report.h"

namespace cuset::cli {
namespace {

class ReportCommand : public Command {
 public:
  std::string_view name() const override { return "report"; }
  std::string_view summary() const override {
    return "Write the results of a run as one HTML page that needs no network";
  }
  std::string_view examples() const override {
    return "  cuset report runs/demo             # a folder of cuset demo\n"
           "  cuset report runs/compare          # a folder of cuset evaluate\n"
           "  cuset report runs/cuset            # a folder of cuset train or cuset analyze";
  }

  void declare(Settings& settings) override {
    settings.add_positional("folder", folders_,
                            "Folders of runs of cuset demo, train, verify, evaluate or analyze");
    settings.add("output", output_, "Page to write for one folder (default: report.html in each folder)");
  }

  int run() override {
    if (folders_.empty()) throw base::UsageError("no folder given").with_remedy("cuset report runs/demo");
    if (!output_.empty() && folders_.size() > 1)
      throw base::UsageError("--output names one page, but there are {} folders", folders_.size());
    const bool is_folder = std::filesystem::is_directory(output_);
    for (const std::string& folder : folders_) {
      const std::filesystem::path page =
          report::write_report(folder, is_folder ? output_ / "report.html" : output_);
      std::cout << fmt::format("{}: {}\n", page.string(),
                               base::human_bytes(std::filesystem::file_size(page)));
    }
    return 0;
  }

 private:
  std::vector<std::string> folders_;
  std::filesystem::path output_;
};

}  // namespace

std::unique_ptr<Command> make_report_command() { return std::make_unique<ReportCommand>(); }

}  // namespace cuset::cli
