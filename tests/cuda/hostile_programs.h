// The programs of the hostile run: attacks from testdata/cuda/hostile, one for each "TRICK == n" of a
// family's file, and honest programs from testdata/cuda/corpus, whose output is known.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cuset::tests {

struct TestProgram {
  std::string name;  // "processes/3: vfork and exec in a loop", "corpus/atomics/add.cu"
  std::filesystem::path source;
  std::string family;  // of an attack
  int trick = 0;       // 0: an honest program
  std::string output;  // of an honest program, exactly

  bool is_honest() const { return trick == 0; }
};

// All attacks, ordered by family and number. Throws Error where the files are missing or a trick has no
// description.
std::vector<TestProgram> hostile_programs();

// `count` programs spread evenly over the corpus. Throws Error where there are fewer.
std::vector<TestProgram> honest_programs(size_t count);

// About `count` of the attacks: the first ones of each family.
std::vector<TestProgram> some_of_each_family(const std::vector<TestProgram>& programs, size_t count);

// The attack "family/number". Throws Error where there is none.
const TestProgram& find_trick(const std::vector<TestProgram>& programs, const std::string& family, int trick);

}  // namespace cuset::tests
