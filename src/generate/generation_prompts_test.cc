#include "generate/generation_prompts.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "data/messages.h"
#include "support/error_text.h"
#include "support/tiny_model.h"

namespace cuset::generate {
namespace {

class GenerationPrompts : public testing::Test {
 protected:
  static PlainPrompt prompt(const std::string& task, const std::string& level) {
    return {task, level, base::Json::array({data::make_message("user", task + level)})};
  }

  static PromptChoice choice(const std::string& level, std::vector<std::string> only = {},
                             int64_t limit = 0) {
    PromptChoice made;
    made.level = level;
    made.only = std::move(only);
    made.limit = limit;
    return made;
  }

  // "task/level" of every chosen prompt, with a blank between them.
  std::string chosen(const PromptChoice& wanted) const {
    std::string names;
    const std::vector<PlainPrompt> all = {prompt("a", "1"), prompt("a", "2"), prompt("b", "1"),
                                          prompt("c", "1")};
    for (const EncodedPrompt& encoded : choose_prompts(all, wanted, builder_).prompts)
      names += (names.empty() ? "" : " ") + encoded.task + "/" + encoded.level;
    return names;
  }

  support::TinyModelFolder model_;
  data::ExampleBuilder builder_ = data::ExampleBuilder::from_model_folder(model_.path());
  base::TemporaryFolder folder_;
};

TEST_F(GenerationPrompts, LevelIdsAndLimitChoose) {
  EXPECT_EQ(chosen({}), "a/1 b/1 c/1");
  EXPECT_EQ(chosen(choice("2")), "a/2");
  EXPECT_EQ(chosen(choice("all", {}, 1)), "a/1 a/2") << "the limit counts tasks";
  EXPECT_EQ(chosen(choice("1", {"c", "a"})), "a/1 c/1");
}

TEST_F(GenerationPrompts, UnknownLevelsAndIdsAreRefused) {
  EXPECT_EQ(support::error_of([&] { chosen(choice("4")); }),
            "level: no prompt has the level \"4\" (there are: 1, 2)");
  EXPECT_EQ(support::error_of([&] { chosen(choice("1", {"d"})); }), "--only: unknown task \"d\"");
}

TEST_F(GenerationPrompts, FingerprintCoversPromptsThatAreNotChosen) {
  const PromptChoice first = choice("1", {"a"});
  const std::string two = choose_prompts({prompt("a", "1"), prompt("b", "1")}, first, builder_).fingerprint;
  const std::string other = choose_prompts({prompt("a", "1"), prompt("c", "1")}, first, builder_).fingerprint;
  EXPECT_NE(two, other);
}

TEST_F(GenerationPrompts, PromptsWithoutAnIdAreCalledByTheirNumber) {
  const std::filesystem::path file = folder_ / "prompts.jsonl";
  base::write_file_atomic(file, "{\"prompt\": \"x\"}\n{\"id\": \"second\", \"prompt\": \"y\"}\n");
  const std::vector<PlainPrompt> prompts = read_prompt_file(file);
  ASSERT_EQ(prompts.size(), 2u);
  EXPECT_EQ(prompts[0].task, "1");
  EXPECT_EQ(prompts[1].task, "second");
  base::write_file_atomic(file, "{\"id\": \"a\", \"prompt\": \"x\"}\n{\"id\": \"a\", \"prompt\": \"y\"}\n");
  EXPECT_EQ(support::error_of([&] { read_prompt_file(file); }),
            file.string() + ":2: a second prompt has the id \"a\" (give every prompt its own \"id\")");
}

}  // namespace
}  // namespace cuset::generate
