#include "serve/generation/generation_service.h"

#include <gtest/gtest.h>

#include <future>

#include "data/example.h"
#include "support/error_text.h"

namespace cuset::serve {
namespace {

constexpr const char* kModel = "assets/model";

generate::ServedModelOptions model_options() {
  generate::ServedModelOptions options;
  options.folder = kModel;
  options.placement.device = "cpu";
  options.placement.threads = 1;
  options.slots = 4;
  options.positions = 128;
  return options;
}

class GenerationServiceTest : public testing::Test {
 protected:
  GenerationServiceTest() : builder_(data::ExampleBuilder::from_model_folder(kModel)) {}

  GenerationServiceOptions options(size_t most_waiting = 100) const {
    return {.model = model_options(),
            .adapters = {},
            .stop_tokens = {builder_.closing_token()},
            .most_waiting = most_waiting};
  }

  generate::GenerationRequest request(uint64_t seed, int64_t tokens = 12) const {
    generate::GenerationRequest request;
    const text::Encoding encoding = builder_.tokenizer().encode("Write a CUDA kernel");
    request.prompt.assign(encoding.ids.begin(), encoding.ids.end());
    request.settings.max_new_tokens = tokens;
    request.settings.sampling.temperature = 1;
    request.random = base::RandomStream(seed, "1").child(0);
    return request;
  }

  static GenerationListener answer_to(std::promise<generate::GeneratedAnswer>& promise) {
    GenerationListener listener;
    listener.on_answer = [&promise](const generate::GeneratedAnswer& answer) { promise.set_value(answer); };
    return listener;
  }

  data::ExampleBuilder builder_;
  Metrics metrics_;
};

TEST_F(GenerationServiceTest, AnswersThatJoinARunningBatchAreThoseOfTheModelAlone) {
  std::vector<std::string> alone;
  {
    generate::ServedModel model(model_options(), builder_.tokenizer(), {builder_.closing_token()});
    for (uint64_t seed = 0; seed < 6; ++seed) {
      const generate::GenerationRequest one = request(seed, 8 + static_cast<int64_t>(seed));
      generate::GenerationEvents events;
      events.on_answer = [&](size_t, const generate::GeneratedAnswer& answer) {
        alone.push_back(answer.text);
      };
      model.run({&one, 1}, events);
    }
  }
  GenerationService service(options(), builder_.tokenizer(), metrics_);
  std::vector<std::promise<generate::GeneratedAnswer>> promises(6);
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const bool is_taken =
        service.submit(request(seed, 8 + static_cast<int64_t>(seed)), "", answer_to(promises[seed]))
            .has_value();
    ASSERT_TRUE(is_taken);
  }
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(promises[i].get_future().get().text, alone[i]) << i;
  EXPECT_EQ(service.unfinished(), 0U);
  EXPECT_NE(metrics_.text().find("cuset_time_to_first_token_seconds_count 6"), std::string::npos)
      << metrics_.text();
}

TEST_F(GenerationServiceTest, CanceledAnswersLeaveTheirPlaceToOthers) {
  GenerationService service(options(), builder_.tokenizer(), metrics_);
  std::vector<size_t> numbers;
  GenerationListener nobody;
  nobody.on_answer = [](const generate::GeneratedAnswer&) { ADD_FAILURE() << "a canceled answer was told"; };
  for (uint64_t seed = 0; seed < 8; ++seed)
    numbers.push_back(*service.submit(request(seed, 100), "", nobody));
  for (const size_t number : numbers) service.cancel(number);
  std::promise<generate::GeneratedAnswer> promise;
  service.submit(request(1), "", answer_to(promise));
  EXPECT_GT(promise.get_future().get().tokens, 0);
}

TEST_F(GenerationServiceTest, CanceledAnswersDoNotWait) {
  GenerationService service(options(1), builder_.tokenizer(), metrics_);
  std::vector<size_t> taken;
  // Until the batch of four and the one place behind it are full.
  for (bool is_full = false; !is_full;) {
    const std::optional<size_t> number = service.submit(request(1, 100), "", {});
    if (number) taken.push_back(*number);
    is_full = !number && taken.size() > 4;
  }
  service.cancel(taken.back());
  EXPECT_TRUE(service.submit(request(1, 100), "", {}));
}

TEST_F(GenerationServiceTest, TooManyAreRefusedAndSoAreUnknownAdapters) {
  GenerationService service(options(1), builder_.tokenizer(), metrics_);
  size_t refused = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    if (!service.submit(request(seed, 100), "", {})) ++refused;
  }
  EXPECT_GT(refused, 0U);
  EXPECT_EQ(support::error_of([&] { service.submit(request(0), "sft", {}); }), "there is no adapter \"sft\"");
}

TEST_F(GenerationServiceTest, AdapterThatCannotBeReadIsReported) {
  GenerationService service(options(), builder_.tokenizer(), metrics_);
  for (int i = 0; i < 2; ++i) {
    std::promise<std::string> problem;
    service.load_adapter({"a", "assets/no_such_adapter"}, false,
                         [&](const std::string& text) { problem.set_value(text); });
    EXPECT_NE(problem.get_future().get().find("assets/no_such_adapter"), std::string::npos);
  }
  EXPECT_FALSE(service.has_adapter("a"));
  EXPECT_FALSE(service.unload_adapter("a"));
  std::promise<generate::GeneratedAnswer> promise;
  service.submit(request(1), "", answer_to(promise));
  EXPECT_GT(promise.get_future().get().tokens, 0);
}

TEST_F(GenerationServiceTest, ModelThatCannotBeLoadedThrows) {
  GenerationServiceOptions missing = options();
  missing.model.folder = "assets/no_such_model";
  EXPECT_THROW(GenerationService(missing, builder_.tokenizer(), metrics_), base::Error);
}

}  // namespace
}  // namespace cuset::serve
