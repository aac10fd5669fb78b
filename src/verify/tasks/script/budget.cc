#include "verify/tasks/script/budget.h"

#include <time.h>

#include <new>

#include "verify/tasks/script/failure.h"

namespace cuset::script {

namespace {

double seconds_of_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Budget::Budget(const Limits& limits) : limits_(limits), begin_(seconds_of_thread()) {}

void Budget::check_time() const {
  if (seconds_of_thread() - begin_ > limits_.seconds)
    throw OutOfBudget("takes more than {:.0f} seconds", limits_.seconds);
}

void Budget::take(uint64_t bytes) {
  check_time();
  if (bytes > limits_.bytes - used_)
    throw OutOfBudget("its arrays take more than {:.1f} GiB", static_cast<double>(limits_.bytes) / 0x1p30);
  used_ += bytes;
}

void Budget::count_items(uint64_t items) {
  if (items > limits_.items - items_) throw OutOfBudget("its lists take more than {} items", limits_.items);
  items_ += items;
}

void Budget::enter() {
  if (++depth_ > limits_.depth) {
    --depth_;
    throw OutOfBudget("calls nested too deeply");
  }
}

Buffer::Buffer(std::shared_ptr<Budget> budget, uint64_t count) : budget_(std::move(budget)), count_(count) {
  budget_->take(count * sizeof(double));
  try {
    numbers_ = std::make_unique_for_overwrite<double[]>(count);
  } catch (const std::bad_alloc&) {
    budget_->give_back(count * sizeof(double));
    throw OutOfBudget("no memory for an array of {} numbers", count);
  }
}

Buffer::~Buffer() { budget_->give_back(count_ * sizeof(double)); }

}  // namespace cuset::script
