#include "study/plan/plan.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/stats/random.h"
#include "study/plan/cells.h"
#include "support/test_folder.h"

namespace cuset::study {
namespace {

constexpr const char* kSmall = R"(question: does it help?
prediction: yes
bases: {builtin: assets/model}
data: {clean: {count: 30}, noisy: {count: 30, noise: 0.3}}
methods:
  sft: {objective: sft}
  cuset: {objective: cuset, tau: 0.2}
train: {learning_rate: 2.0e-3, tau: 0.1}
tasks: {seen: {split: held_out, count: 4, seed: 100}}
seeds: [1, 2]
)";

// The message about a plan, or "accepted".
std::string complaint(const std::string& text) {
  try {
    parse_study_plan(text, "p.yaml");
  } catch (const base::UsageError& error) {
    return error.one_line();
  }
  return "accepted";
}

// kSmall with one piece of text replaced.
std::string changed(std::string_view from, std::string_view to) {
  std::string text = kSmall;
  const size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

std::vector<std::string> names_of_cells(const StudyPlan& plan) {
  std::vector<std::string> names;
  for (const StudyCell& cell : cells_of(plan)) names.push_back(cell.name());
  return names;
}

TEST(StudyPlan, ReadsEverySection) {
  const StudyPlan plan = parse_study_plan(kSmall, "recipes/p.yaml");
  EXPECT_EQ(plan.name, "p");
  EXPECT_EQ(plan.question, "does it help?");
  EXPECT_EQ(plan.prediction, "yes");
  EXPECT_EQ(plan.bases[0].model, "assets/model");
  EXPECT_EQ(plan.data[1].name, "noisy");
  EXPECT_EQ(setting_of(plan.data[1].options, "noise"), "0.3");
  EXPECT_EQ(plan.tasks[0].seed, 100);
  EXPECT_EQ(plan.seeds, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(plan.decodings.size(), 1u);
  EXPECT_EQ(plan.decodings[0].name, "greedy");
}

TEST(StudyPlan, SettingsOfAMethodWinOverSharedOnes) {
  const StudyPlan plan = parse_study_plan(kSmall, "p.yaml");
  EXPECT_EQ(number_setting_of(training_settings_of(plan, "cuset"), "tau"), 0.2);
  EXPECT_EQ(number_setting_of(training_settings_of(plan, "sft"), "tau"), 0.1);
  EXPECT_EQ(setting_of(training_settings_of(plan, "sft"), "learning_rate"), "2.0e-3");
}

TEST(StudyPlan, ComparesWithTheBaseAndWithSftByDefault) {
  const StudyPlan plan = parse_study_plan(kSmall, "p.yaml");
  ASSERT_EQ(plan.compare.size(), 3u);
  EXPECT_EQ(plan.compare[0].left + "-" + plan.compare[0].right, "sft-base");
  EXPECT_EQ(plan.compare[1].left + "-" + plan.compare[1].right, "cuset-base");
  EXPECT_EQ(plan.compare[2].left + "-" + plan.compare[2].right, "cuset-sft");
}

TEST(StudyPlan, ExpandsAllCombinationsInOrder) {
  const StudyPlan plan = parse_study_plan(kSmall, "p.yaml");
  EXPECT_EQ(names_of_cells(plan),
            (std::vector<std::string>{"builtin/sft-clean-1", "builtin/sft-clean-2", "builtin/cuset-clean-1",
                                      "builtin/cuset-clean-2", "builtin/sft-noisy-1", "builtin/sft-noisy-2",
                                      "builtin/cuset-noisy-1", "builtin/cuset-noisy-2"}));
}

TEST(StudyPlan, CellsChooseCombinationsAndNoneAppearsTwice) {
  const StudyPlan plan = parse_study_plan(
      std::string(kSmall) +
          "cells: [{data: clean, method: [sft], seed: 2}, {method: sft, data: [noisy, clean], seed: [2, 3]}]\n",
      "p.yaml");
  EXPECT_EQ(names_of_cells(plan), (std::vector<std::string>{"builtin/sft-clean-2", "builtin/sft-noisy-2",
                                                            "builtin/sft-noisy-3", "builtin/sft-clean-3"}));
}

TEST(StudyPlan, DataThatMakesABaseIsLeftOutOfTheCells) {
  std::string text =
      changed("{builtin: assets/model}",
              "{builtin: assets/model, strong: {base: builtin, data: clean, train: {seed: 7}}}");
  text.replace(text.find("clean: {count: 30}"), 18, "clean: {count: 30, seed: 3}");
  const StudyPlan plan = parse_study_plan(text, "p.yaml");
  EXPECT_TRUE(plan.bases[1].is_made());
  EXPECT_EQ(plan.bases[1].parent, "builtin");
  for (const StudyCell& cell : cells_of(plan)) EXPECT_EQ(cell.data, "noisy");
  EXPECT_EQ(bases_of(plan, cells_of(plan)), (std::vector<std::string>{"builtin", "strong"}));
}

TEST(StudyPlan, ASweepBecomesOneMethodForEachValue) {
  const StudyPlan plan = parse_study_plan(
      changed("cuset: {objective: cuset, tau: 0.2}", "c: {objective: cuset, sweep: {tau: [0.1, 0.3]}}"),
      "p.yaml");
  ASSERT_EQ(plan.methods.size(), 3u);
  EXPECT_EQ(plan.methods[1].name, "c_tau_0.1");
  EXPECT_EQ(number_setting_of(plan.methods[2].settings, "tau"), 0.3);
}

TEST(StudyPlan, RefusesWhatIsWrongWithPlaceAndRemedy) {
  struct Case {
    const char* from;
    const char* to;
    const char* message;
  };
  const Case cases[] = {
      {"seeds:", "seed:",
       "p.yaml:10: unknown key \"seed\"; did you mean 'seeds'? (it takes question, prediction, bases, data, "
       "methods, train, tasks, decodings, generate, verify, seeds, cells, compare, compare_data)"},
      {"seeds: [1, 2]", "seeds: [1, 1]", "p.yaml:10: seeds: 1 appears twice"},
      {"seeds: [1, 2]", "seeds: []", "p.yaml:10: seeds is empty (write [1, 2, 3])"},
      {"seeds: [1, 2]", "seeds: [-1]", "p.yaml:10: seeds: \"-1\" is not a whole number from 0 on"},
      {"seeds: [1, 2]", "seeds: {a: 1}", "p.yaml:10: seeds is not a list (write [a, b])"},
      {"seeds: [1, 2]", "", "p.yaml: the section 'seeds' is missing or empty (write seeds: [1, 2, 3])"},
      {"bases: {builtin: assets/model}", "bases: {}",
       "p.yaml: the section 'bases' is missing or empty (write bases: {builtin: assets/model})"},
      {"builtin: assets/model", "built-in: assets/model",
       "p.yaml:3: bases: \"built-in\" cannot be a name (use up to 60 letters, digits, '_' and '.', a letter "
       "or digit first)"},
      {"builtin: assets/model", "b: {data: clean}",
       "p.yaml:3: bases.b needs either a model folder or another base (write b: FOLDER, or b: {model: "
       "FOLDER, data: NAME})"},
      {"builtin: assets/model", "b: {model: m, train: {tau: 1}}",
       "p.yaml:3: bases.b has no data to be tuned on (add data: NAME)"},
      {"builtin: assets/model", "b: {model: m, data: clean}",
       "p.yaml:3: bases.b: its data 'clean' has no seed of its own (add seed: 77 to data.clean)"},
      {"builtin: assets/model", "b: {model: m, data: clen}",
       "p.yaml:3: bases.b.data: the plan has no \"clen\"; did you mean 'clean'? (it has clean, noisy)"},
      {"builtin: assets/model", "b: {model: m, dta: clean}",
       "p.yaml:3: bases.b: unknown key \"dta\"; did you mean 'data'? (it takes model, base, data, train)"},
      {"clean: {count: 30}", "clean: {count: {a: 1}}", "p.yaml:4: data.clean.count is not plain text"},
      {"clean: {count: 30}", "clean: {output: a}",
       "p.yaml:4: data.clean: the study itself sets 'output' (remove this key)"},
      {"clean: {count: 30}", "clean: {file: a.jsonl, count: 3}",
       "p.yaml:4: data.clean: options of the gym beside a file (keep either file or the options)"},
      {"clean: {count: 30}", "clean: [1]", "p.yaml:4: data.clean is not a mapping (write {key: value, ...})"},
      {"clean: {count: 30}", "clean: {count: 1, count: 2}",
       "p.yaml:4: data.clean: key \"count\" appears twice"},
      {"sft: {objective: sft}", "base: {objective: sft}",
       "p.yaml:6: methods: 'base' stands for the base without an adapter (choose another name)"},
      {"sft: {objective: sft}", "sft: {}",
       "p.yaml:6: methods.sft has no objective (add objective: sft, or another one of `cuset train --help`)"},
      {"sft: {objective: sft}", "sft: {objective: sft, seed: 3}",
       "p.yaml:6: methods.sft: the study itself sets 'seed' (remove this key)"},
      {"sft: {objective: sft}", "sft: {objective: sft, sweep: {a: [1], b: [2]}}",
       "p.yaml:6: methods.sft.sweep names 2 settings (name one: sweep: {tau: [0.1, 0.3]})"},
      {"train: {", "train: {data: x, ", "p.yaml:8: train: the study itself sets 'data' (remove this key)"},
      {"seeds:", "decodings: {all: {level: all}}\nseeds:",
       "p.yaml:10: decodings.all: level all makes several sets of answers (make one decoding for each level)"},
      {"seeds:", "cells: [{method: dft}]\nseeds:",
       "p.yaml:10: cells.method: the plan has no \"dft\"; did you mean 'sft'? (it has sft, cuset)"},
      {"seeds:", "cells: {method: sft}\nseeds:", "p.yaml:10: cells is not a list (write [a, b])"},
      {"seeds:", "compare: [[sft]]\nseeds:",
       "p.yaml:10: compare: an entry is not two different names (write [[cuset, sft], [cuset, base]])"},
      {"seeds:", "compare_data: [[clean, clean]]\nseeds:",
       "p.yaml:10: compare_data: an entry is not two different names (write [[curated, noisy]])"},
      {"seeds:", "compare_data: [[clean, cuset]]\nseeds:",
       "p.yaml:10: compare_data: the plan has no \"cuset\" (it has clean, noisy)"},
      {"clean: {count: 30}", "clean: {curate: noisy}",
       "p.yaml:4: data.clean: a curation needs curate and plan, and nothing else (write clean: {curate: "
       "NAME_OF_DATA, plan: FILE})"},
      {"clean: {count: 30}", "clean: {curate: noisy, plan: none.yaml}",
       "p.yaml:4: data.clean.plan: no such file: none.yaml (paths in a plan are relative to the current folder)"},
      {"clean: {count: 30}", "clean: {tasks: t.jsonl}",
       "p.yaml:4: data.clean: the study itself sets 'tasks' (remove this key)"},
      {"seeds:", "question: [a]\nseeds:", "p.yaml:10: the plan: key \"question\" appears twice"},
      {"does it help?", "[a]", "p.yaml:1: question is not plain text"},
  };
  for (const Case& wrong : cases) EXPECT_EQ(complaint(changed(wrong.from, wrong.to)), wrong.message);
  EXPECT_EQ(complaint("- a\n- b\n"), "p.yaml:1: the plan is not a mapping (write {key: value, ...})");
  EXPECT_EQ(complaint("a: 1\n---\nb: 2\n"), "p.yaml: 2 YAML documents (keep one)");
  EXPECT_TRUE(complaint("bases: {a: [\n").starts_with("p.yaml:2: not valid YAML: "))
      << complaint("bases: {a: [\n");
}

TEST(StudyPlan, RefusesMoreCellsThanAnybodyWants) {
  std::string seeds = "seeds: [0";
  for (int seed = 1; seed < 900; ++seed) seeds += ", " + std::to_string(seed);
  std::string methods = "  sft: {objective: sft}\n";
  for (int i = 0; i < 20; ++i) methods += "  m" + std::to_string(i) + ": {objective: sft}\n";
  std::string text = changed("  sft: {objective: sft}\n", methods);
  text.replace(text.find("seeds: [1, 2]"), 13, seeds + "]");
  EXPECT_EQ(complaint(text), "p.yaml: 39600 cells, more than 10000 (choose fewer combinations under cells)");
}

TEST(StudyPlan, AsksTheCommandsAboutTheirSettings) {
  const StudyPlan plan = parse_study_plan(kSmall, "p.yaml");
  std::vector<std::string> asked;
  check_plan_settings(plan, [&](std::string_view command, const PlanSettings& settings, const std::string&) {
    for (const base::ConfigEntry& entry : settings)
      asked.push_back(fmt::format("{} {}:{}", command, entry.key, entry.line));
  });
  EXPECT_EQ(asked, (std::vector<std::string>{"gym data count:4", "gym data count:4", "gym data noise:4",
                                             "gym tasks split:9", "gym tasks count:9", "train objective:6",
                                             "train objective:7", "train tau:7", "train learning_rate:8",
                                             "train tau:8"}));
}

TEST(StudyPlan, CurationsNameDataOfTheGymAndAPlanThatIsChecked) {
  const support::TestFolder folder;
  folder.write("c.yaml", "verify: {keep: [correct]}\nvalidation: 0\n");
  folder.write("faulty.yaml", "verify: {keep: [corect]}\n");
  folder.write("sources.yaml", "sources: {}\n");
  const auto with = [&](const std::string& curated, const char* file) {
    const std::string kept =
        fmt::format("{{curate: {}, plan: {}}}", curated, (folder.path() / file).string());
    return changed("noise: 0.3}}",
                   "noise: 0.3}, more: {file: p.jsonl}, kept: " + kept + "}\ncompare_data: [[kept, noisy]]");
  };
  const StudyPlan plan = parse_study_plan(with("noisy", "c.yaml"), "p.yaml");
  const PlannedFile& kept = entry_named(plan.data, "kept");
  EXPECT_EQ(kept.curated, "noisy");
  EXPECT_EQ(kept.curation_plan, "verify: {keep: [correct]}\nvalidation: 0\n");
  EXPECT_TRUE(seed_varies(plan, kept));
  ASSERT_EQ(plan.compare_data.size(), 1u);
  EXPECT_EQ(plan.compare_data[0].left + "-" + plan.compare_data[0].right, "kept-noisy");
  EXPECT_NE(complaint(with("noisy", "faulty.yaml")).find("faulty.yaml:1: verify.keep: \"corect\""),
            std::string::npos);
  EXPECT_NE(complaint(with("noisy", "sources.yaml")).find("\"sources\" appears twice"), std::string::npos);
  EXPECT_NE(complaint(with("more", "c.yaml")).find("data.kept.curate (earlier data of the gym)"),
            std::string::npos);
}

// Any text is either a plan or a UsageError: nothing else may come out of the reader.
TEST(StudyPlan, DamagedPlansAreRefusedInOneLine) {
  base::RandomStream random(1, "damaged plans");
  const std::string alphabet = "{}[]:,-&*!|>'\"%@`#\n \t~0aA\\?\x01\xff";
  for (int round = 0; round < 4000; ++round) {
    std::string text = kSmall;
    const size_t changes = 1 + random.below(4);
    for (size_t i = 0; i < changes; ++i) {
      const size_t place = random.below(text.size());
      const char letter = alphabet[random.below(alphabet.size())];
      switch (random.below(4)) {
        case 0:
          text.erase(place, 1 + random.below(20));
          break;
        case 1:
          text.insert(place, 1, letter);
          break;
        case 2:
          text[place] = letter;
          break;
        default:
          text.insert(place, text.substr(random.below(text.size()), random.below(40)));
      }
    }
    EXPECT_EQ(complaint(text).find('\n'), std::string::npos) << text;
  }
}

TEST(StudyPlan, HostileStructuresAreRefused) {
  EXPECT_TRUE(complaint(std::string(100'000, '[')).starts_with("p.yaml:"));
  EXPECT_TRUE(complaint("a: &a [*a, *a]\n").starts_with("p.yaml:"));
  EXPECT_TRUE(complaint("bases: &a {x: *a}\n").starts_with("p.yaml:"));
  std::string laughs = "l0: &l0 [a, a]\n";
  for (int i = 1; i < 40; ++i) laughs += fmt::format("l{}: &l{} [*l{}, *l{}]\n", i, i, i - 1, i - 1);
  EXPECT_TRUE(complaint(laughs).starts_with("p.yaml:1: unknown key \"l0\""));
}

TEST(StudyCells, PatternsFitNamesAndPartsOfThem) {
  EXPECT_TRUE(fits_pattern("builtin/cuset-noisy-1", ""));
  EXPECT_TRUE(fits_pattern("builtin/cuset-noisy-1", "noisy"));
  EXPECT_TRUE(fits_pattern("builtin/cuset-noisy-1", "*/cuset-*-1"));
  EXPECT_FALSE(fits_pattern("builtin/cuset-noisy-1", "*/cuset-*-2"));
  EXPECT_FALSE(fits_pattern("builtin/cuset-noisy-1", "clean"));
}

}  // namespace
}  // namespace cuset::study
