#include "cli/framework/model_path.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

std::string verdict(const fs::path& model) {
  try {
    require_model_folder(model);
  } catch (const base::UsageError& error) {
    return error.one_line();
  }
  return "accepted";
}

constexpr const char* kFolder =
    " (give the folder of a Hugging Face model, with config.json and tokenizer.json)";

TEST(ModelPath, NameOnTheHubIsAnsweredWithItsDownload) {
  EXPECT_EQ(
      verdict("Nobody/Qwen2.5-Coder-7B"),
      "model: there is no folder \"Nobody/Qwen2.5-Coder-7B\" (if it is a name on the Hugging Face Hub: hf "
      "download Nobody/Qwen2.5-Coder-7B --local-dir Qwen2.5-Coder-7B, then --model Qwen2.5-Coder-7B)");
  EXPECT_EQ(verdict("/no/such"), std::string("model: there is no folder \"/no/such\"") + kFolder);
  EXPECT_EQ(verdict("./no-such"), std::string("model: there is no folder \"./no-such\"") + kFolder);
  EXPECT_EQ(verdict("no-such/"), std::string("model: there is no folder \"no-such/\"") + kFolder);
}

TEST(ModelPath, AddressOfTheHubIsAnsweredLikeTheName) {
  EXPECT_EQ(
      verdict("https://huggingface.co/Qwen/Qwen3-4B"),
      "model: there is no folder \"Qwen/Qwen3-4B\" (if it is a name on the Hugging Face Hub: hf download "
      "Qwen/Qwen3-4B --local-dir Qwen3-4B, then --model Qwen3-4B)");
}

TEST(ModelPath, FolderOfTheHubsCacheNamesItsSnapshot) {
  const base::TemporaryFolder folder;
  const fs::path snapshot = folder / "snapshots/0123abc";
  fs::create_directories(snapshot);
  const std::string start = "model: \"" + folder.path().string() + "\" has no config.json";
  EXPECT_EQ(verdict(folder.path()), start + kFolder);
  base::write_file_atomic(snapshot / "config.json", "{}");
  EXPECT_EQ(verdict(folder.path()), start + " (the model is in " + snapshot.string() + ")");
}

TEST(ModelPath, AdapterInPlaceOfItsModelIsNamed) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "adapter_config.json", "{}");
  EXPECT_EQ(
      verdict(folder.path()),
      "model: \"" + folder.path().string() +
          "\" has no config.json (it is an adapter: --model takes its base model, --adapter this folder)");
}

TEST(ModelPath, GgufIsNamed) {
  const base::TemporaryFolder folder;
  const fs::path file = folder / "m.gguf";
  base::write_file_atomic(file, "GGUF");
  const std::string remedy = " (GGUF is not read: take the model's folder with safetensors)";
  EXPECT_EQ(verdict(file), "model: \"" + file.string() + "\" is a file, not a folder" + remedy);
  EXPECT_EQ(verdict(folder.path()), "model: \"" + folder.path().string() + "\" has no config.json" + remedy);
}

TEST(ModelPath, BothFilesMustBeThere) {
  const base::TemporaryFolder folder;
  const std::string start = "model: \"" + folder.path().string() + "\" has no ";
  EXPECT_EQ(verdict(folder.path()), start + "config.json" + kFolder);
  base::write_file_atomic(folder / "config.json", "{}");
  EXPECT_EQ(verdict(folder.path()), start + "tokenizer.json" + kFolder);
  base::write_file_atomic(folder / "vocab.json", "{}");
  EXPECT_EQ(verdict(folder.path()), start +
                                        "tokenizer.json (in Python, AutoTokenizer.from_pretrained(FOLDER)."
                                        "save_pretrained(FOLDER) writes it)");
  base::write_file_atomic(folder / "tokenizer.json", "{}");
  EXPECT_EQ(verdict(folder.path()), "accepted");
}

TEST(ModelPath, RunThatDidNotEndNamesItsCheckpoint) {
  const auto complaint = [](const fs::path& adapter) {
    try {
      require_adapter_folder(adapter);
    } catch (const base::UsageError& error) {
      return error.one_line();
    }
    return std::string("accepted");
  };
  const base::TemporaryFolder folder;
  const std::string start = "adapter: \"" + folder.path().string() + "\" has no adapter_config.json ";
  EXPECT_EQ(complaint(folder.path()), start + "(give the folder that `cuset train` or PEFT wrote)");
  const fs::path checkpoint = folder / "checkpoint-13";
  fs::create_directory(checkpoint);
  base::write_file_atomic(checkpoint / "adapter_config.json", "{}");
  base::write_file_atomic(checkpoint / "checkpoint.json", "{}");
  fs::create_directory(folder / "checkpoint-14.tmp-0123456789abcdef");  // one that was never finished
  base::write_file_atomic(folder / "checkpoint-14.tmp-0123456789abcdef/adapter_config.json", "{}");
  EXPECT_EQ(complaint(folder.path()),
            start + "(its run did not end: finish it with cuset train --resume, or give " +
                checkpoint.string() + ")");
  EXPECT_EQ(complaint(checkpoint), "accepted");
  EXPECT_EQ(complaint(folder / "none"), "adapter: there is no folder \"" + (folder / "none").string() +
                                            "\" (give the folder that `cuset train` or PEFT wrote)");
}

}  // namespace
}  // namespace cuset::cli
