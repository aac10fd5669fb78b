#include <algorithm>
#include <set>

#include "base/error.h"
#include "gym/gym_task.h"

namespace cuset::gym {
namespace {

constexpr uint64_t kLargestArray = 1 << 20;  // elements: a CPU judges five trials of this in about a second

// Collects the draft's keys and holds texts against them.
class DraftCheck {
 public:
  DraftCheck(const GymFamily& family, const GymDraft& draft) : family_(family), draft_(draft) {}

  void run() {
    declare_keys();
    require(draft_.titles.size() >= 3, "fewer than three titles");
    require(draft_.solutions.size() >= 3, "fewer than three solutions");
    require(!draft_.outputs.empty(), "no output");
    require(!draft_.oracle.native.empty(), "no native oracle");
    for (const std::string& title : draft_.titles) check_text(title, keys_);
    for (const std::string& note : draft_.notes) check_text(note, keys_);
    check_text(draft_.formula, keys_);
    std::set<std::string> styles;
    for (const GymSolution& solution : draft_.solutions) {
      require(styles.insert(solution.style).second, fmt::format("two solutions of style {}", solution.style));
      check_solution(solution);
    }
  }

 private:
  using Keys = std::set<std::string>;

  void require(bool holds, const std::string& otherwise) const {
    CUSET_CHECK(holds, "family {}: {}", family_.name, otherwise);
  }

  void declare(const std::string& key) {
    require(keys_.insert(key).second, fmt::format("the key {} is declared twice", key));
  }

  void declare_keys() {
    for (const GymSize& size : draft_.sizes) declare(size.key);
    for (const GymScalar& scalar : draft_.scalars) declare(scalar.key);
    for (const std::vector<GymArray>* arrays : {&draft_.inputs, &draft_.outputs})
      for (const GymArray& array : *arrays) {
        declare(array.key);
        check_shape(array);
      }
  }

  void check_shape(const GymArray& array) const {
    require(tasks::count_of(array.shape) <= kLargestArray && tasks::count_of(array.shape) > 0,
            fmt::format("{} has {} elements", array.key, tasks::count_of(array.shape)));
    require(
        array.sides.size() == array.shape.size(),
        fmt::format("{} has {} sides for a shape of {}", array.key, array.sides.size(), array.shape.size()));
    for (size_t axis = 0; axis < array.sides.size(); ++axis)
      require(size_of(array.sides[axis]) == array.shape[axis],
              fmt::format("side {} of {} is not {}", array.sides[axis], array.key, array.shape[axis]));
  }

  int64_t size_of(const std::string& key) const {
    for (const GymSize& size : draft_.sizes)
      if (size.key == key) return size.value;
    require(!key.empty() && key.find_first_not_of("0123456789") == std::string::npos,
            fmt::format("no size {}", key));
    return std::stoll(key);
  }

  void check_text(const std::string& text, const Keys& known) const {
    for (const std::string& key : keys_in(text))
      require(known.contains(key), fmt::format("${} is not declared, in: {}", key, text));
  }

  void check_solution(const GymSolution& solution) const {
    require(!solution.kernels.empty(), "a solution without a kernel: " + solution.style);
    Keys host;
    for (const GymSize& size : draft_.sizes) host.insert(size.key);
    for (const GymSize& constant : solution.constants)
      require(host.insert(constant.key).second && !keys_.contains(constant.key),
              fmt::format("the constant {} of {} has a key that is taken", constant.key, solution.style));
    Keys pointers = keys_;
    for (const GymScratch& scratch : solution.scratch) {
      pointers.insert(scratch.key);
      check_text(scratch.count, host);
    }
    for (const GymKernel& kernel : solution.kernels) {
      check_text(kernel.grid + kernel.block + kernel.shared_bytes, host);
      for (const std::string& array : kernel.arrays)
        require(pointers.contains(array), fmt::format("no array {} for {}", array, solution.style));
      check_body(kernel, pointers, solution);
    }
    for (const std::string& text :
         {solution.reasoning.mapping, solution.reasoning.reduction, solution.reasoning.memory})
      for (const std::string& key : keys_in(text))
        require(pointers.contains(key) || host.contains(key),
                fmt::format("${} is not declared, in: {}", key, text));
  }

  // What the body uses of the task must be among the kernel's parameters.
  void check_body(const GymKernel& kernel, const Keys& declared, const GymSolution& solution) const {
    Keys given(kernel.arrays.begin(), kernel.arrays.end());
    given.insert(kernel.sizes.begin(), kernel.sizes.end());
    given.insert(kernel.scalars.begin(), kernel.scalars.end());
    for (const std::string& key : keys_in(kernel.body))
      require(!declared.contains(key) || given.contains(key),
              fmt::format("${} is used by {} of {} but not among its parameters", key, kernel.key,
                          solution.style));
    for (const std::string& key : given)
      require(declared.contains(key), fmt::format("parameter {} is not declared", key));
  }

  const GymFamily& family_;
  const GymDraft& draft_;
  Keys keys_;
};

}  // namespace

void check_draft(const GymFamily& family, const GymDraft& draft) { DraftCheck(family, draft).run(); }

}  // namespace cuset::gym
