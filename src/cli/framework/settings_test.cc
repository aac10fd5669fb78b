#include "cli/framework/settings.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::cli {
namespace {

// The settings of an imaginary command.
struct Trainer {
  double learning_rate = 1e-4;
  int64_t epochs = 3;
  bool packing = true;
  std::string method = "sft";
  std::vector<std::string> targets = {"all"};
  std::filesystem::path output;
  Settings settings;

  Trainer() {
    settings.add("learning_rate", learning_rate, "step size");
    settings.add("num_train_epochs", epochs, "passes over the data");
    settings.add("packing", packing, "join samples");
    settings.add_choice("method", method, {"sft", "cuset"}, "objective");
    settings.add("lora_target", targets, "layers");
    settings.add("output_dir", output, "folder");
  }

  // Parses a command line as the program does.
  void parse(const std::vector<std::string>& arguments) {
    CLI::App app;
    settings.bind(app);
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    settings.apply();
  }

  std::string complaint(const std::vector<std::string>& arguments) {
    try {
      parse(arguments);
    } catch (const base::UsageError& error) {
      return error.one_line();
    }
    return "accepted";
  }
};

std::string config_with(const std::string& text) {
  const std::string path = testing::TempDir() + "/settings_test.yaml";
  base::write_file_atomic(path, text);
  return path;
}

TEST(Settings, AListTakesSeveralWords) {
  Trainer trainer;
  trainer.parse({"--lora-target", "q_proj", "v_proj,o_proj", "--num-train-epochs", "2"});
  EXPECT_EQ(trainer.targets, (std::vector<std::string>{"q_proj", "v_proj", "o_proj"}));
  EXPECT_EQ(trainer.epochs, 2);
}

TEST(Settings, FilesAndPairsMayStandWithoutAFlag) {
  Trainer trainer;
  trainer.settings.take_files_without_flag();
  trainer.parse({config_with("num_train_epochs: 7\nmethod: cuset\n"), "--no-packing", "num_train_epochs=5"});
  EXPECT_EQ(trainer.epochs, 5);
  EXPECT_EQ(trainer.method, "cuset");
  EXPECT_FALSE(trainer.packing);
}

TEST(Settings, KeysOfAnotherProgramAreNotTypos) {
  Trainer trainer;
  trainer.settings.set_foreign_keys([](std::string_view key, const std::vector<std::string>& values) {
    if (key == "use_magic" && values != std::vector<std::string>{"false"}) throw base::UsageError("no magic");
    return key == "use_magic" || key == "comment";
  });
  EXPECT_EQ(trainer.complaint({"--set", "comment=x"}), "accepted");
  Trainer other;
  other.settings.set_foreign_keys(
      [](std::string_view, const auto&) -> bool { throw base::UsageError("no magic"); });
  EXPECT_EQ(other.complaint({"--set", "use_magic=true"}), "--set: use_magic: no magic");
}

TEST(Settings, OtherNamesMeanTheSameSetting) {
  Trainer trainer;
  trainer.settings.add_alias("dataset_packing", "packing");
  trainer.settings.add_alias("lr", "learning_rate");
  trainer.parse({"--config", config_with("lr: 2e-4\n"), "--no-dataset-packing"});
  EXPECT_EQ(trainer.learning_rate, 2e-4);
  EXPECT_FALSE(trainer.packing);
  EXPECT_TRUE(trainer.settings.is_given("learning_rate"));
  EXPECT_FALSE(trainer.settings.is_given("output_dir"));
  EXPECT_FALSE(trainer.settings.to_json().contains("lr"));

  Trainer other;
  other.settings.add_alias("report_to_folder", "output_dir");
  EXPECT_EQ(other.complaint({"--set", "report_to_foldr=x"}),
            "--set: unknown key 'report_to_foldr'; did you mean 'report_to_folder'?");
}

TEST(Settings, WordsLettersAndTheRest) {
  std::vector<std::string> defines, rest;
  std::vector<std::string> files;
  int64_t level = 3;
  Settings settings;
  settings.add_positional("file", files, "program");
  settings.add_words("define", defines, "macro");
  settings.add_letter('D', "define");
  settings.add("optimise", level, "level");
  settings.add_letter('O', "optimise");
  EXPECT_FALSE(settings.takes_rest());
  settings.add_rest("arguments", rest, "arguments of the program");
  EXPECT_TRUE(settings.takes_rest());
  EXPECT_EQ(settings.rest_help(), "arguments of the program");
  CLI::App app;
  settings.bind(app);
  const std::vector<std::string> words = {"-DF(a,b)=a", "a.cu", "-O0", "-D", "N=1"};
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  settings.apply();
  settings.take_rest({"--check", "--", "x,y"});
  EXPECT_EQ(defines, (std::vector<std::string>{"F(a,b)=a", "N=1"}));
  EXPECT_EQ(files, std::vector<std::string>{"a.cu"});
  EXPECT_EQ(level, 0);
  EXPECT_EQ(rest, (std::vector<std::string>{"--check", "--", "x,y"}));
}

TEST(Settings, FlagBeatsSetBeatsFileBeatsDefault) {
  const std::string file = config_with("learning_rate: 2e-4\nnum_train_epochs: 5\npacking: false\n");
  Trainer trainer;
  trainer.parse({"--learning-rate", "4e-4", "--config", file, "--set", "learning_rate=3e-4", "--set",
                 "num_train_epochs=7"});
  EXPECT_EQ(trainer.learning_rate, 4e-4);
  EXPECT_EQ(trainer.epochs, 7);
  EXPECT_FALSE(trainer.packing);
  EXPECT_EQ(trainer.method, "sft");
}

TEST(Settings, JsonTellsValuesAndOrigins) {
  const std::string file = config_with("\n\nmethod: cuset\n");
  Trainer trainer;
  trainer.parse({"--config", file, "--set", "packing=no", "--num-train-epochs", "1"});
  const base::Json json = trainer.settings.to_json();
  EXPECT_EQ(json["method"], (base::Json{{"value", "cuset"}, {"origin", file + ":3"}}));
  EXPECT_EQ(json["packing"], (base::Json{{"value", false}, {"origin", "--set"}}));
  EXPECT_EQ(json["num_train_epochs"], (base::Json{{"value", 1}, {"origin", "--num-train-epochs"}}));
  EXPECT_EQ(json["learning_rate"], (base::Json{{"value", 1e-4}, {"origin", "default"}}));
}

TEST(Settings, BooleansHaveBothFlags) {
  Trainer trainer;
  trainer.parse({"--no-packing"});
  EXPECT_FALSE(trainer.packing);
  Trainer again;
  again.packing = false;
  again.parse({"--packing"});
  EXPECT_TRUE(again.packing);
  Trainer off;
  off.packing = false;
  off.parse({"--config", config_with("packing: true\n"), "--no-packing"});
  EXPECT_FALSE(off.packing);
}

TEST(Settings, ListsComeFromFilesCommasAndRepeats) {
  const std::vector<std::string> wanted = {"q_proj", "v_proj"};
  Trainer from_file;
  from_file.parse({"--config", config_with("lora_target: [q_proj, v_proj]\n")});
  EXPECT_EQ(from_file.targets, wanted);
  Trainer from_commas;
  from_commas.parse({"--lora-target", "q_proj,v_proj"});
  EXPECT_EQ(from_commas.targets, wanted);
  Trainer from_repeats;
  from_repeats.parse({"--lora-target", "q_proj", "--lora-target", "v_proj"});
  EXPECT_EQ(from_repeats.targets, wanted);
}

TEST(Settings, NullInAFileKeepsTheDefault) {
  Trainer trainer;
  trainer.parse({"--config", config_with("learning_rate: null\n")});
  EXPECT_EQ(trainer.learning_rate, 1e-4);
}

TEST(Settings, UnknownKeyNamesThePlaceAndTheNearest) {
  const std::string file = config_with("method: sft\nlearning_rat: 1\n");
  EXPECT_EQ(Trainer().complaint({"--config", file}),
            file + ":2: unknown key 'learning_rat'; did you mean 'learning_rate'?");
  EXPECT_EQ(Trainer().complaint({"--set", "paking=1"}),
            "--set: unknown key 'paking'; did you mean 'packing'?");
  EXPECT_EQ(Trainer().complaint({"--set", "zzz=1"}),
            "--set: unknown key 'zzz' (`--help` lists the keys, as flags)");
}

TEST(Settings, WrongValuesAreRefusedWithTheKey) {
  EXPECT_EQ(Trainer().complaint({"--learning-rate", "fast"}), "--learning-rate: \"fast\" is not a number");
  EXPECT_EQ(Trainer().complaint({"--set", "learning_rate=nan"}),
            "--set: learning_rate: \"nan\" is not a finite number");
  EXPECT_EQ(Trainer().complaint({"--num-train-epochs", "2.5"}),
            "--num-train-epochs: \"2.5\" is not a whole number");
  EXPECT_EQ(Trainer().complaint({"--set", "packing=maybe"}),
            "--set: packing: \"maybe\" is neither true nor false");
  EXPECT_EQ(Trainer().complaint({"--method", "cusset"}),
            "--method: \"cusset\" is not one of sft, cuset; did you mean 'cuset'?");
  EXPECT_EQ(Trainer().complaint({"--config", config_with("method: [sft, cuset]\n")}),
            config_with("method: [sft, cuset]\n") + ":1: method: expected one value, got 2");
  EXPECT_EQ(Trainer().complaint({"--set", "packing"}), "--set packing: no key=value (write --set key=value)");
}

TEST(Settings, ArgumentsWithoutAFlagGoToThePositionalList) {
  std::vector<std::string> files;
  bool json = false;
  Settings settings;
  settings.add("json", json, "machine-readable");
  settings.add_positional("files", files, "what to read");
  CLI::App app;
  settings.bind(app);
  app.parse("--json a.cu b,c.cu");
  settings.apply();
  EXPECT_EQ(files, (std::vector<std::string>{"a.cu", "b,c.cu"}));
  EXPECT_TRUE(json);
}

TEST(Settings, RequiredSettingMayComeFromAnySource) {
  const auto complaint = [](const std::vector<std::string>& arguments) {
    std::filesystem::path model;
    Settings settings;
    settings.add("model", model, "Folder of the model");
    settings.require("model");
    CLI::App app;
    settings.bind(app);
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    try {
      settings.apply();
    } catch (const base::UsageError& error) {
      return error.one_line();
    }
    return "accepted " + model.string();
  };
  EXPECT_EQ(complaint({}), "--model is missing: Folder of the model");
  EXPECT_EQ(complaint({"--model", "qwen"}), "accepted qwen");
  EXPECT_EQ(complaint({"--set", "model=qwen"}), "accepted qwen");
  EXPECT_EQ(complaint({"--config", config_with("model: qwen\n")}), "accepted qwen");
}

TEST(Settings, MissingConfigFileIsAnError) {
  Trainer trainer;
  EXPECT_THROW(trainer.parse({"--config", "/no/such/file.yaml"}), base::Error);
}

}  // namespace
}  // namespace cuset::cli
