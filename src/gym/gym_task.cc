#include "gym/gym_task.h"

#include "gym/prompt.h"
#include "gym/words/literal.h"
#include "gym/words/names.h"

namespace cuset::gym {
namespace {

constexpr double kSeconds = 10;  // of a run; our programs take hundredths of a second on a CPU

// `value` with its texts spelled, keys of objects too.
base::Json spelled(const base::Json& value, const Spelling& words) {
  if (value.is_string()) return words.apply(value.get<std::string>());
  if (value.is_array()) {
    base::Json result = base::Json::array();
    for (const base::Json& item : value) result.push_back(spelled(item, words));
    return result;
  }
  if (!value.is_object()) return value;
  base::Json result = base::Json::object();
  for (const auto& [key, item] : value.items()) result[words.apply(key)] = spelled(item, words);
  return result;
}

Spelling words_of(const GymDraft& draft, base::RandomStream stream) {
  Spelling words;
  NameScope scope;
  // Prose calls sizes and scalars by their keys; no file may have such a name.
  for (const GymSize& size : draft.sizes) {
    scope.take(size.key);
    words.set_name(size.key, size.key);
    words.set_value(size.key, std::to_string(size.value));
  }
  for (const GymScalar& scalar : draft.scalars) {
    scope.take(scalar.key);
    words.set_name(scalar.key, scalar.key);
    words.set_value(scalar.key, decimal(scalar.value));
  }
  for (const GymArray& array : draft.inputs)
    words.set_name(array.key, scope.draw_file(array.key, false, stream));
  for (const GymArray& array : draft.outputs)
    words.set_name(array.key, scope.draw_file(array.key, true, stream));
  return words;
}

}  // namespace

GymTask make_gym_task(const GymFamily& family, GymDraft draft, const base::RandomStream& stream) {
  check_draft(family, draft);
  GymTask made;
  made.family = &family;
  made.words = words_of(draft, stream.child("files"));
  made.task.family = family.name;
  made.task.time_limit = kSeconds;
  for (const GymArray& array : draft.inputs)
    made.task.inputs.push_back({made.words.name_of(array.key), array.type, array.shape, array.domain});
  for (const GymArray& array : draft.outputs)
    made.task.outputs.push_back({made.words.name_of(array.key), array.type, array.shape, array.tolerance});
  made.task.oracle = {draft.oracle.native, spelled(draft.oracle.parameters, made.words),
                      draft.oracle.program};
  made.wished = stream.child("wish").below(draft.solutions.size());
  made.draft = std::move(draft);
  made.task.prompts = write_prompts(made, stream.child("prompts"));
  return made;
}

}  // namespace cuset::gym
