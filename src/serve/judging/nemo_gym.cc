#include "serve/judging/nemo_gym.h"

#include <utility>

#include "base/json/json_cursor.h"

namespace cuset::serve {
namespace {

std::string text_of_response(const base::JsonCursor& response) {
  std::string text;
  for (const base::JsonCursor& item : response.at("output").elements()) {
    if (item.get("type").string_or("message") != "message") continue;  // reasoning, calls of tools
    const base::JsonCursor content = item.at("content");
    if (content.value().is_string()) {
      text += content.string();
      continue;
    }
    for (const base::JsonCursor& part : content.elements()) text += part.get("text").string_or("");
  }
  return text;
}

std::string task_of(const base::JsonCursor& body) {
  for (const base::JsonCursor& place : {body, body.get("verifier_metadata")}) {
    if (!place.value().is_object()) continue;
    for (const char* key : {"task", "task_id"}) {
      if (const base::JsonCursor task = place.get(key); !task.is_absent()) return task.nonempty_string();
    }
  }
  body.get("task").refuse("is missing", "name the task's id as \"task\" in the data set");
}

}  // namespace

JudgeRequest nemo_gym_request_from_json(const base::Json& document) {
  const base::JsonCursor body(document, "request");
  body.expect_object();
  JudgeRequest request;
  request.is_single = true;
  request.answers.resize(1);
  request.answers[0].job.task = task_of(body);
  request.answers[0].job.answer = text_of_response(body.at("response"));
  return request;
}

base::Json nemo_gym_reply(base::Json body, const base::Json& result) {
  const base::Json reward = result.value("reward", base::Json::object()).value("value", base::Json(nullptr));
  body["reward"] = reward.is_number() ? reward : base::Json(0.0);
  for (const char* key : {"outcome", "correct", "explanation", "feedback"})
    body[key] = result.value(key, base::Json(nullptr));
  if (result.contains("error")) body["error"] = result["error"];
  return body;
}

}  // namespace cuset::serve
