#include "verify/tasks/input_script.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "base/error.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/evaluator.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/parser.h"
#include "verify/tasks/script/run_script.h"
#include "verify/tasks/script/slice.h"

namespace cuset {
namespace {

using script::Numbers;

template <typename T>
void store_all(const double* numbers, std::span<std::byte> bytes) {
  for (size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    const T number = static_cast<T>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &number, sizeof(T));
  }
}

// Every number is one that the type holds, so that the conversions are exact.
Array array_of_numbers(const Numbers& numbers) {
  const Numbers flat = script::packed(numbers);
  Array result;
  result.type = numbers.type;
  result.shape = numbers.shape;
  const auto count = static_cast<size_t>(flat.count());
  result.bytes.resize(count * bytes_of(numbers.type));
  const double* const data = flat.data();
  switch (numbers.type) {
    case NumberType::kFloat64:
      store_all<double>(data, result.bytes);
      break;
    case NumberType::kFloat32:
      store_all<float>(data, result.bytes);
      break;
    case NumberType::kInt64:
      store_all<int64_t>(data, result.bytes);
      break;
    case NumberType::kInt32:
      store_all<int32_t>(data, result.bytes);
      break;
    case NumberType::kUint32:
      store_all<uint32_t>(data, result.bytes);
      break;
    case NumberType::kUint8:
    case NumberType::kBool:
      store_all<uint8_t>(data, result.bytes);
      break;
    default:
      for (size_t i = 0; i < count; ++i) result.set(i, data[i]);
  }
  return result;
}

std::string stem_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string file = path.substr(slash == std::string::npos ? 0 : slash + 1);
  return file.substr(0, file.rfind('.'));
}

// Messages may hold names and strings of the script.
std::string on_one_line(std::string text) {
  constexpr size_t kLongest = 300;
  text.resize(std::min(text.size(), kLongest));
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return text;
}

// Keeps what is written to wanted files.
class WantedFiles : public script::Surroundings {
 public:
  explicit WantedFiles(const std::vector<std::string>& names) : names_(names) {}

  void write(const std::string& path, const Numbers& numbers, bool behind) override {
    const std::string name = stem_of(path);
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) return;
    Array written = array_of_numbers(numbers);
    const auto place = files_.find(name);
    if (!behind || place == files_.end()) {
      files_[name] = std::move(written);
      return;
    }
    Array& file = place->second;
    file.bytes.insert(file.bytes.end(), written.bytes.begin(), written.bytes.end());
    file.shape = {static_cast<int64_t>(file.count())};
  }

  Numbers read(const std::string& path, NumberType, int64_t) override {
    throw script::Failure("the file {} is read", in_quotes(path));
  }

  void print(const std::string&) override {}

  bool complete() const {
    return files_.size() == std::set<std::string>(names_.begin(), names_.end()).size();
  }

  std::vector<Array> take() {
    std::vector<Array> arrays;
    for (const std::string& name : names_) {
      const auto place = files_.find(name);
      if (place == files_.end()) throw Error("input script: it writes no file {}.bin", name);
      arrays.push_back(std::move(place->second));
    }
    return arrays;
  }

 private:
  const std::vector<std::string>& names_;
  std::map<std::string, Array> files_;
};

}  // namespace

std::vector<Array> script::run_script(const std::string& text, const std::vector<std::string>& names,
                                      const RandomStream& stream, const ScriptRun& run) {
  WantedFiles files(names);
  try {
    Program program = parse_program(text);
    mark_needed(program, names);
    Machine machine(run.limits, Draws(stream, run.variation), files);
    Evaluator evaluator(program, machine);
    evaluator.run();
    if (evaluator.unwritten() && !files.complete()) throw Failure(*evaluator.unwritten());
  } catch (const ScriptExit&) {
    // What has been written by then counts.
  } catch (const Failure& failure) {
    throw Error("input script, line {}: {}", failure.line, on_one_line(failure.what()))
        .with_remedy("docs/input-scripts.md lists what is understood");
  }
  return files.take();
}

std::vector<Array> run_input_script(const std::string& text, const std::vector<std::string>& names,
                                    Variation variation, const RandomStream& stream) {
  return script::run_script(text, names, stream, {.variation = variation, .limits = {}});
}

}  // namespace cuset
