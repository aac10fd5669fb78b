// What a script may take: seconds of processor time (not of the clock: the machine may be busy), bytes of
// arrays, items of lists and depth of calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace cuset::script {

class Budget {
 public:
  struct Limits {
    double seconds = 60;
    uint64_t bytes = uint64_t{16} << 30;
    uint64_t items = uint64_t{1} << 26;  // of lists, counted when they are made
    int depth = 600;                     // of the evaluator's recursion
  };
  explicit Budget(const Limits& limits);

  // Throws OutOfBudget where the time is over; looks at the clock once in many calls.
  void step() {
    if ((++steps_ & 0x3FF) == 0) check_time();
  }
  void check_time() const;
  // Throws OutOfBudget where that is too much.
  void take(uint64_t bytes);
  void give_back(uint64_t bytes) { used_ -= bytes; }
  void count_items(uint64_t items);
  void enter();
  void leave() { --depth_; }

 private:
  Limits limits_;
  double begin_ = 0;
  uint64_t steps_ = 0;
  uint64_t used_ = 0;
  uint64_t items_ = 0;
  int depth_ = 0;
};

// Numbers on the heap, counted in a budget while they live. Not initialised.
class Buffer {
 public:
  Buffer(std::shared_ptr<Budget> budget, uint64_t count);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  double* data() { return numbers_.get(); }
  uint64_t size() const { return count_; }
  const std::shared_ptr<Budget>& budget() const { return budget_; }

  // The one number that the buffer holds stands everywhere in its views, whose strides are 0, and stays.
  bool constant = false;

  // Why the numbers are not what the script means: a statement that should have changed them failed.
  std::string fault;
  int fault_line = 0;

 private:
  std::shared_ptr<Budget> budget_;
  uint64_t count_;
  std::unique_ptr<double[]> numbers_;
};

}  // namespace cuset::script
