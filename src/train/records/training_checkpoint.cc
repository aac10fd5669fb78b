#include "train/records/training_checkpoint.h"

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json_cursor.h"

namespace cuset::train {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kStateFormat = 1;

base::Json stream_json(const base::RandomStream::State& state) {
  return {{"key", state.key}, {"line", state.line}, {"position", state.position}};
}

base::RandomStream::State stream_from(const base::JsonCursor& stream) {
  return {.key = stream.at("key").unsigned_integer(),
          .line = stream.at("line").unsigned_integer(),
          .position = stream.at("position").unsigned_integer()};
}

const base::Json& object_at(const base::JsonCursor& saved, std::string_view key) {
  const base::JsonCursor field = saved.at(key);
  field.expect_object();
  return field.value();
}

const base::Json* value_of(const base::Json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

bool is_same(const base::Json* a, const base::Json* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return *a == *b;
}

std::vector<int64_t> threads_from(const base::JsonCursor& saved) {
  std::vector<int64_t> threads;
  for (const base::JsonCursor& count : saved.get("threads").elements_or_none())
    threads.push_back(count.integer());
  return threads;
}

base::Json log_history_in(const fs::path& file) {
  const base::Json state = base::read_json_file(file);
  const std::string name = file.string();
  const base::JsonCursor history =
      base::JsonCursor(state, name).with_remedy(kUseOtherCheckpoint).at("log_history");
  if (!history.value().is_array()) history.refuse_type("a list");
  return history.value();
}

std::string shown(const base::Json* value) {
  if (value == nullptr) return "unset";
  return base::in_quotes(value->is_string() ? value->get<std::string>() : base::to_json_line(*value));
}

}  // namespace

base::Json to_json(const RunState& state) {
  base::Json streams = base::Json::object();
  for (const auto& [name, stream] : state.random_streams) streams[name] = stream_json(stream);
  return {{"format", kStateFormat},
          {"step", state.step},
          {"data_fingerprint", state.data_fingerprint},
          {"random_streams", streams},
          {"early_stop", state.early_stop},
          {"settings", state.settings},
          {"loss_guard", state.loss_guard},
          {"tokens_seen", state.tokens_seen},
          {"threads", state.threads}};
}

RunState run_state_from(const base::Json& json, std::string_view name) {
  const base::JsonCursor saved = base::JsonCursor(json, name).with_remedy(kUseOtherCheckpoint);
  const int64_t format = saved.at("format").integer();
  if (format != kStateFormat) {
    throw base::Error("{} has the format {}, but this program reads {}", name, format, kStateFormat)
        .with_remedy("resume with the version of cuset that wrote it");
  }
  RunState state;
  state.step = saved.at("step").integer();
  state.data_fingerprint = saved.at("data_fingerprint").string();
  for (const auto& [key, stream] : saved.at("random_streams").members()) {
    state.random_streams[std::string(key)] = stream_from(stream);
  }
  state.early_stop = object_at(saved, "early_stop");
  state.settings = object_at(saved, "settings");
  state.loss_guard = object_at(saved, "loss_guard");
  state.tokens_seen = saved.at("tokens_seen").integer();
  state.threads = threads_from(saved);
  return state;
}

fs::path save_training_checkpoint(CheckpointFolder& folder, const TrainingCheckpoint& checkpoint) {
  CUSET_CHECK(checkpoint.trainer.global_step == checkpoint.run.step, "step {} and {}",
              checkpoint.trainer.global_step, checkpoint.run.step);
  return folder.save(checkpoint.run.step, [&](const fs::path& path) {
    checkpoint.write_model(path);
    model::write_safetensors(path / "optimizer.safetensors", checkpoint.optimizer);
    base::write_file_atomic(path / "trainer_state.json", trainer_state_text(checkpoint.trainer));
    base::write_json_file(path / "state.json", to_json(checkpoint.run));
  });
}

SavedTraining open_training_checkpoint(const fs::path& checkpoint) {
  const int64_t step = verify_checkpoint(checkpoint);
  const fs::path state = checkpoint / "state.json";
  SavedTraining saved{.path = checkpoint,
                      .run = run_state_from(base::read_json_file(state), state.string()),
                      .log_history = log_history_in(checkpoint / "trainer_state.json")};
  if (saved.run.step != step) {
    throw base::Error("{} is of step {}, but the checkpoint of step {}", state.string(), saved.run.step, step)
        .with_remedy("{}", kUseOtherCheckpoint);
  }
  return saved;
}

void check_same_settings(const SavedTraining& saved, const base::Json& current) {
  const base::Json& before = saved.run.settings;
  const auto compare = [&](const std::string& key) {
    const base::Json* old_value = value_of(before, key);
    const base::Json* new_value = value_of(current, key);
    if (is_same(old_value, new_value)) return;
    if (key == kDataChecksum) {
      throw base::UsageError("the data are not those of the run in {}", saved.path.string())
          .with_remedy(
              "resume with the same files, template and cutoff_len, or begin a new run in another folder");
    }
    throw base::UsageError("{} is {}, but the run in {} has {}", key, shown(new_value), saved.path.string(),
                           shown(old_value))
        .with_remedy("resume with the same settings, or begin a new run in another folder");
  };
  const auto compare_all = [&](const base::Json& settings) {
    for (const auto& [key, value] : settings.items()) {
      if (key != kDataChecksum) compare(key);
    }
  };
  compare_all(before);
  compare_all(current);
  compare(kDataChecksum);  // last: another setting may be the reason
}

}  // namespace cuset::train
