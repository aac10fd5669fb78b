// The names that a task's files and a program's variables get: pools of spellings per key, drawn so that no
// two things of one program share a name and none hides a word of C++ or CUDA.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/stats/random.h"
#include "gym/words/name_pools.h"

namespace cuset::gym {

// The names taken in one task or program.
class NameScope {
 public:
  // One of the spellings of `key` that is free, and takes it: `i`, `idx` or `tid` for "i". A key without a
  // pool gives itself. Where all are taken, a number is added.
  std::string draw_local(std::string_view key, base::RandomStream& stream);
  // A file's name for the array `key`, fit to be a C++ variable too.
  std::string draw_file(std::string_view key, bool is_output, base::RandomStream& stream);
  // `wanted`, or it with a number where it is taken.
  std::string take(std::string wanted);
  bool is_free(std::string_view name) const;
  std::vector<std::string> taken() const { return {taken_.begin(), taken_.end()}; }

 private:
  std::string draw(const NamePool& pool, base::RandomStream& stream);

  std::set<std::string, std::less<>> taken_;
};

// "softmax_rows" -> "SoftmaxRows", "softmaxRows", "SOFTMAX_ROWS".
std::string capitalized(std::string_view snake);
std::string camel(std::string_view snake);
std::string upper(std::string_view snake);

}  // namespace cuset::gym
