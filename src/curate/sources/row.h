// A row on its way from a source to the training file: one sample with what is known about it.
#pragma once

#include <cstdint>
#include <string>

#include "base/json/json.h"
#include "data/sample.h"

namespace cuset::curate {

// Where a row is refused and why. `reason` is one word that can be counted ("no_code"), `detail` says more.
struct Rejection {
  std::string stage;
  std::string reason;
  std::string detail;
};

struct Row {
  std::string id;       // of the record, or made from source and place; may repeat
  std::string source;   // name in the plan
  std::string place;    // "pairs.jsonl:7"
  base::Json messages;  // as data::Sample has them
  base::Json tools = nullptr;
  double weight = 1;
  std::string task;               // id of its task; empty: none
  std::string family;             // of the task, or as the record says
  std::string license;            // as the record, the file or its folder says; empty: unknown
  int64_t tokens = -1;            // of the answer, where its generator counted them
  int64_t reasoning_tokens = -1;  // of its reasoning
  bool is_source = false;         // a document that is a CUDA source file

  bool is_document() const { return messages.size() == 1; }
  // The content of the last message: what is learned.
  const std::string& response() const;
  // The texts of all messages before it, joined.
  std::string prompt() const;
  // Words of the reasoning in the response.
  int64_t reasoning_words() const;
  // The program in the response; empty where there is none.
  std::string program() const;
};

// A line of rows.jsonl and back. Reading one that is damaged throws Error naming `place`.
base::Json json_of(const Row& row);
Row row_from_json(const base::Json& record, const std::string& place);

data::Sample sample_of(const Row& row);

// The sample as a record for `cuset train`: {"prompt", "response"} where that says all, else {"messages", "tools"}, or
// {"text"}; with "weight" where it is not 1.
base::Json training_record(const Row& row);

}  // namespace cuset::curate
