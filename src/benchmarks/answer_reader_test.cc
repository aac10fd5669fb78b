#include "benchmarks/answer_reader.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/archive_writer.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

// "task#sample (tokens): text" for each answer.
std::string dump(const std::vector<tasks::Answer>& answers) {
  std::string out;
  for (const tasks::Answer& answer : answers) {
    out += fmt::format("{}#{}", answer.task, answer.sample);
    if (answer.tokens >= 0) out += fmt::format(" ({})", answer.tokens);
    out += fmt::format(": {}\n", answer.text);
  }
  return out;
}

class AnswerReader : public testing::Test {
 protected:
  fs::path file(const std::string& name, const std::string& text) {
    base::write_file_atomic(folder_ / name, text);
    return folder_ / name;
  }

  std::string read(const std::string& text) { return dump(read_answers(file("a.jsonl", text))); }

  // The message with the folder's name taken away.
  std::string error_of(const fs::path& path) {
    try {
      read_answers(path);
    } catch (const base::Error& error) {
      std::string line = error.one_line();
      for (size_t at; (at = line.find(folder_.path().string() + "/")) != std::string::npos;)
        line.erase(at, folder_.path().string().size() + 1);
      return line;
    }
    return "no error";
  }

  base::TemporaryFolder folder_;
};

TEST_F(AnswerReader, OurOwnForm) {
  EXPECT_EQ(read(R"({"task": "add", "sample": 1, "text": "b", "tokens": 7}
{"task": "add", "sample": 0, "text": "a", "finish": "stop"}

{"task": "scan", "text": "c", "tokens": null})"),
            "add#1 (7): b\nadd#0: a\nscan#0: c\n");
}

TEST_F(AnswerReader, UsualNamesOfTheText) {
  EXPECT_EQ(read(R"({"task": "add", "prompt": "p", "response": "a"}
{"task": "scan", "output": "b"}
{"task": "sort", "generated_text": "c"}
{"task": "sum", "completion": "d"})"),
            "add#0: a\nscan#0: b\nsort#0: c\nsum#0: d\n");
}

TEST_F(AnswerReader, SamplesWithoutNumbersAreCounted) {
  EXPECT_EQ(read(R"({"task": "add", "text": "a"}
{"task": "scan", "text": "b"}
{"task": "add", "text": "c"})"),
            "add#0: a\nscan#0: b\nadd#1: c\n");
}

TEST_F(AnswerReader, CudabenchsCodesAreSamplesFromZero) {
  EXPECT_EQ(
      read(
          R"({"id": 15, "task_name": "Top-K", "prompt": "p", "code1": "a", "response1": "r", "code2": null, "code3": "c"})"),
      "15#0: a\n15#1: \n15#2: c\n");
}

TEST_F(AnswerReader, KernelbenchsNamesAndNumbers) {
  EXPECT_EQ(read(R"({"level": 1, "name": "23_Softmax", "problem_id": 23, "code": "a"}
{"level": 2, "problem_id": 23, "sample_id": 4, "code": "b"}
{"problem_id": 23, "code": "c"})"),
            "23_Softmax#0: a\n2/23#4: b\n23#0: c\n");
}

TEST_F(AnswerReader, ComputeEvalsSolutions) {
  EXPECT_EQ(read(R"({"type": "file", "task_id": "CUDA/1", "files": [{"path": "solution.cu", "content": "a"}]}
{"task_id": "CUDA/1", "completion": "b"}
{"task_id": "CUDA/2", "solutions": ["c", {"files": [{"path": "x.cu", "content": "d"}, {"path": "y.h", "content": "e"}]}]}
{"task_id": "CUDA/3", "compilable_code": "x", "generated_completion": "f"})"),
            "CUDA/1#0: a\nCUDA/1#1: b\nCUDA/2#0: c\nCUDA/2#1: // file: \"x.cu\"\nd\n// file: "
            "\"y.h\"\ne\n\nCUDA/3#0: f\n");
}

TEST_F(AnswerReader, ComputeEvalsArchive) {
  const std::string lines =
      "{\"task_id\": \"CUDA/1\", \"completion\": \"a\"}\n\n{\"task_id\": \"CUDA/2\", \"completion\": "
      "\"b\"}\n";
  const std::string archive = support::tar_entry({"metadata.json", "{}"}) +
                              support::tar_entry({"solutions.jsonl", lines}) + support::tar_end();
  const std::vector<tasks::Answer> answers =
      read_answers(file("solutions.tar.gz", support::gzipped(archive)));
  EXPECT_EQ(dump(answers), "CUDA/1#0: a\nCUDA/2#0: b\n");
  EXPECT_TRUE(answers[1].place.ends_with("solutions.tar.gz:solutions.jsonl:3")) << answers[1].place;
}

TEST_F(AnswerReader, ParevalsListKeepsTheCudaOnes) {
  EXPECT_EQ(dump(read_answers(file("outputs.json", R"([
  {"name": "00_lu", "parallelism_model": "omp", "outputs": ["x"]},
  {"name": "00_lu", "parallelism_model": "cuda", "outputs": ["a", "b"], "tokens": [3, 4]}
])"))),
            "00_lu#0 (3): a\n00_lu#1 (4): b\n");
}

TEST_F(AnswerReader, FolderOfFilesNamedAfterTasks) {
  file("add.cu", "a");
  file("scan_0.cu", "b");
  file("scan_12.cu", "c");
  file("level_1_problem_23_sample_2_kernel.py", "d");
  file("notes.txt", "x");
  EXPECT_EQ(dump(read_answers(folder_.path())), "add#0: a\n1/23#2: d\nscan#0: b\nscan#12: c\n");
}

TEST_F(AnswerReader, PlaceNamesTheLine) {
  const auto answers = read_answers(file("a.jsonl", "\n{\"task\": \"t\", \"text\": \"\"}\n"));
  EXPECT_EQ(answers[0].place, (folder_ / "a.jsonl").string() + ":2");
}

TEST_F(AnswerReader, ErrorsNamePlaceKeyAndRemedy) {
  const struct {
    const char* text;
    const char* error;
  } cases[] = {
      {R"({"text": "a"})",
       "a.jsonl:1: the record does not say whose answer it is (give it the key \"task\" with the task's id)"},
      {R"({"task": "t", "tekst": "a"})",
       "a.jsonl:1: the record holds no answer; did you mean 'text'? (give it the key \"text\"; "
       "docs/verify.md lists "
       "other forms)"},
      {R"({"task": "t", "text": 5})",
       "a.jsonl:1: field 'text' must be a string, found the number 5 (docs/verify.md lists the forms of "
       "answers)"},
      {R"({"task": ["t"], "text": "a"})",
       "a.jsonl:1: field 'task' must be a string or a whole number, found a list (it is the task's id)"},
      {R"({"task": "t", "text": "a", "sample": -1})",
       "a.jsonl:1: field 'sample' must be a whole number from 0 to 999999, found the number -1 (samples are "
       "counted 0, 1, 2 ...)"},
      {R"({"task": "t", "text": "a", "tokens": 1.5})",
       "a.jsonl:1: field 'tokens' must be a whole number of 0 or more, found the number 1.5 (docs/verify.md "
       "lists the forms of answers)"},
      {R"({"id": 1, "code1": "a", "code3": "b"})",
       "a.jsonl:1: field 'code2' is missing (number them code1, code2, ... without gaps; null is an "
       "answer "
       "without code)"},
      {R"({"name": "t", "outputs": []})",
       "a.jsonl:1: field 'outputs' must list at least one answer (docs/verify.md lists the forms of "
       "answers)"},
      {R"({"task_id": "t", "files": [{"path": "a.cu"}]})",
       "a.jsonl:1: field 'files[0].content' is missing; it must be a string (write {\"path\", \"content\"})"},
      {"{\"task\": \"t\", \"text\": \"a\", \"sample\": 3}\n{\"task\": \"t\", \"text\": \"b\", \"sample\": 3}",
       "a.jsonl:2: a second answer for sample 3 of task \"t\"; the first is at a.jsonl:1 (number the samples "
       "of a "
       "task 0, 1, 2 ..., or leave the numbers out)"},
      {"5",
       "a.jsonl:1: the top level must be an object, found the number 5 (docs/verify.md lists the forms of "
       "answers)"},
      {"[5]",
       "a.jsonl[0]: the top level must be an object, found the number 5 (docs/verify.md lists the forms of "
       "answers)"},
      {"\n", "a.jsonl: no answers in it (docs/verify.md lists the forms of answers)"},
  };
  for (const auto& wanted : cases) EXPECT_EQ(error_of(file("a.jsonl", wanted.text)), wanted.error);
}

TEST_F(AnswerReader, TwoFilesOfOneSampleAreRefused) {
  file("add.cu", "a");
  file("add_0.cu", "b");
  EXPECT_EQ(error_of(folder_.path())
                .find("add_0.cu: a second answer for sample 0 of task \"add\"; the first is at add.cu"),
            0u)
      << error_of(folder_.path());
}

}  // namespace
}  // namespace cuset::benchmarks
