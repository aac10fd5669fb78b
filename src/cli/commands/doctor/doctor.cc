#include "cli/commands/doctor/doctor.h"

#include <iostream>

#include "base/console.h"
#include "base/error.h"
#include "base/files/search_path.h"
#include "cli/commands/commands.h"
#include "cli/framework/installation.h"
#include "cli/framework/version.h"

namespace cuset::cli {
namespace {

struct StateLook {
  const char* mark;
  const char* color;  // ANSI
};

StateLook look_of(study::State state) {
  switch (state) {
    case study::State::kGood:
      return {"ok", "\033[32m"};
    case study::State::kOptional:
      return {"--", "\033[33m"};
    case study::State::kBad:
      return {"!!", "\033[31m"};
  }
  return {"", ""};
}

std::string painted(const std::string& text, const char* color, bool wanted) {
  return wanted ? color + text + "\033[0m" : text;
}

// This program and its LibTorch: a machine may have several of both.
void add_program(study::MachineReport& report) {
  const std::string libtorch = loaded_libtorch().string();
  report.findings.insert(
      report.findings.begin(),
      {{"program", "installation", study::State::kGood, find_installation(base::program_folder()).text(), ""},
       {"program", "LibTorch", study::State::kGood, libtorch.empty() ? "linked into it" : libtorch, ""}});
}

class DoctorCommand : public Command {
 public:
  std::string_view name() const override { return "doctor"; }
  std::string_view summary() const override {
    return "Show what this machine can do, what is missing and the command that adds it";
  }
  std::string_view examples() const override {
    return "  cuset doctor\n"
           "  cuset doctor --json > machine.json";
  }

  void declare(Settings& settings) override { settings.add("json", json_, "Print JSON instead of text"); }

  int run() override {
    const bool from_source_tree = find_installation(base::program_folder()).kind == "build tree";
    study::MachineReport report = study::examine_machine(from_source_tree);
    add_program(report);
    if (json_) {
      base::Json out = {{"version", program_version()}, {"revision", git_revision()}};
      out.update(study::to_json(report));
      std::cout << out.dump(2) << "\n";
    } else {
      std::cout << render_report(report, base::output_has_color());
    }
    return report.has_bad() ? 1 : 0;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_doctor_command() { return std::make_unique<DoctorCommand>(); }

std::string render_report(const study::MachineReport& report, bool color) {
  std::string out = fmt::format("cuset {} (revision {})\n", program_version(), git_revision());
  std::string area;
  for (const study::Finding& finding : report.findings) {
    if (finding.area != area) out += fmt::format("\n{}\n", finding.area);
    area = finding.area;
    const StateLook look = look_of(finding.state);
    out +=
        fmt::format("  {}  {:<16} {}\n", painted(look.mark, look.color, color), finding.name, finding.detail);
    if (!finding.remedy.empty()) out += fmt::format("      {:<16} -> {}\n", "", finding.remedy);
  }
  out += "\nThis machine can\n";
  for (const auto& [ability, how] : report.abilities) out += fmt::format("  {:<26} {}\n", ability, how);
  return out;
}

}  // namespace cuset::cli
