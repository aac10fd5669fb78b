#include "cli/commands/doctor/doctor.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace cuset::cli {
namespace {

study::MachineReport sample_report() {
  study::MachineReport report;
  report.findings = {{"host", "CPU", study::State::kGood, "two cores", ""},
                     {"host", "disk", study::State::kBad, "full", "free some space"},
                     {"GPU", "device", study::State::kOptional, "none", "buy one"}};
  report.abilities = {{"train", "on the CPU"}};
  return report;
}

TEST(Doctor, TextGroupsByAreaAndShowsRemedies) {
  const std::string text = render_report(sample_report(), /*color=*/false);
  const std::string wanted =
      "\nhost\n"
      "  ok  CPU              two cores\n"
      "  !!  disk             full\n"
      "                       -> free some space\n"
      "\nGPU\n"
      "  --  device           none\n"
      "                       -> buy one\n"
      "\nThis machine can\n"
      "  train                      on the CPU\n";
  EXPECT_EQ(text.substr(text.find('\n') + 1), wanted);
  EXPECT_EQ(text.find('\033'), std::string::npos);
}

TEST(Doctor, ColorAddsOnlyEscapes) {
  EXPECT_NE(render_report(sample_report(), /*color=*/true).find("\033[31m!!\033[0m"), std::string::npos);
}

TEST(Doctor, JsonCarriesStatesAndRemedies) {
  const base::Json json = study::to_json(sample_report());
  EXPECT_EQ(json["findings"][1]["state"], "bad");
  EXPECT_EQ(json["findings"][1]["remedy"], "free some space");
  EXPECT_FALSE(json["findings"][0].contains("remedy"));
  EXPECT_EQ(json["abilities"]["train"], "on the CPU");
}

TEST(Doctor, RealMachineHasEveryArea) {
  const study::MachineReport report = study::examine_machine(/*from_source_tree=*/true);
  for (const char* area : {"host", "tensors", "GPU", "compilers", "sandbox"}) {
    const bool found = std::any_of(report.findings.begin(), report.findings.end(),
                                   [&](const study::Finding& finding) { return finding.area == area; });
    EXPECT_TRUE(found) << area;
  }
  for (const study::Finding& finding : report.findings) {
    EXPECT_FALSE(finding.detail.empty()) << finding.name;
    EXPECT_EQ(finding.remedy.empty(), finding.state == study::State::kGood) << finding.name;
  }
}

// A wheel has no Makefile.
TEST(Doctor, InstalledProgramNamesNoTargetOfMake) {
  ::setenv("CUSET_PYTHON", "/bin/false", 1);
  const study::MachineReport report = study::examine_machine(/*from_source_tree=*/false);
  ::unsetenv("CUSET_PYTHON");
  for (const study::Finding& finding : report.findings) {
    EXPECT_EQ(finding.remedy.find("make setup"), std::string::npos) << finding.name << ": " << finding.remedy;
  }
}

}  // namespace
}  // namespace cuset::cli
