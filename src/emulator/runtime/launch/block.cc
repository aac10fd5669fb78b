#include "runtime/launch/block.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/launch/checks.h"
#include "runtime/launch/fault.h"

namespace cuset_emulator {
namespace {

constexpr int kLaunchTimeout = 702;  // what a GPU's watchdog says of a kernel that never ends
constexpr uint32_t kBarriers = 16;
constexpr int kPoison = 0xff;               // a NaN in every format
constexpr size_t kRoomBehindShared = 4096;  // what overflows of shared memory hit first

// The lanes from `first` up to before `last`, both within a warp.
uint32_t lanes_between(uint32_t first, uint32_t last) {
  const uint32_t below_last = last >= CUSET_WARP_SIZE ? ~0u : (1u << last) - 1;
  return below_last & ~((1u << first) - 1);
}

size_t rounded_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

}  // namespace

// Frames, shared memory and private arguments of a block in one mapping, which costs nothing until touched. A worker keeps
// the mapping of its last block for the next launch: fresh pages, huge ones above all, would take longer to clear than
// small kernels run.
struct Block::Memory {
  Memory(size_t wanted, bool may_be_used) : bytes(rounded_up(wanted + 1, 4096)) {
    if (may_be_used && spare.bytes >= bytes) {
      bytes = std::exchange(spare.bytes, 0);
      start = std::exchange(spare.start, nullptr);
      return;
    }
    start =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) fail_launch(2, "no memory for the threads of a block");
  }
  ~Memory() {
    if (bytes <= kMostKept && bytes > spare.bytes) {
      std::swap(start, spare.start);
      std::swap(bytes, spare.bytes);
    }
    if (start != nullptr) ::munmap(start, bytes);
  }
  void* start = nullptr;
  size_t bytes;

 private:
  static constexpr size_t kMostKept = 16u << 20;
  struct Spare {
    ~Spare() {
      if (start != nullptr) ::munmap(start, bytes);
    }
    void* start = nullptr;
    size_t bytes = 0;
  };
  static thread_local Spare spare;
};

thread_local Block::Memory::Spare Block::Memory::spare;

Block::Block(const LaunchPlan& plan) : plan_(plan) {
  const size_t shared = rounded_up(plan.shared_bytes() + kRoomBehindShared, 4096);
  const size_t frames = plan.suspends() ? size_t{plan.frame_stride()} * plan.threads() : 0;
  const size_t arguments = size_t{plan.private_argument_bytes()} * (plan.suspends() ? plan.threads() : 1);
  memory_ = std::make_unique<Memory>(shared + rounded_up(frames, 4096) + arguments, !plan.checked());
  shared_ = static_cast<char*>(memory_->start);
  private_arguments_ = shared_ + shared + rounded_up(frames, 4096);
  if (plan.suspends()) {
    requests_.resize(plan.warps() * CUSET_WARP_SIZE);
    results_.resize(requests_.size());
    yield_sites_.resize(requests_.size());
    threads_ = {shared_ + shared, plan.frame_stride(), plan.indices(), results_.data(), requests_.data()};
  }
  sweeps_ = plan.schedule().is_natural() && !plan.checked();
  warps_.resize(plan.warps());
  warp_order_.resize(plan.warps());
  lane_order_.resize(CUSET_WARP_SIZE);
  if (plan.checked())
    checks_ = std::make_unique<BlockChecks>(
        plan, BlockMemory{reinterpret_cast<uint64_t>(memory_->start), memory_->bytes, shared});
}

Block::~Block() = default;

void Block::begin(uint64_t number) {
  number_ = number;
  plan_.block_index(number, index_);
  living_ = plan_.threads();
  waiting_at_grid_ = waiting_at_cluster_ = 0;
  cluster_rank_ = 0;
  cluster_shared_.assign(1, shared_);
  has_numbered_barriers_ = has_votes_ = false;
  std::fill(yield_sites_.begin(), yield_sites_.end(), nullptr);
  for (uint32_t warp = 0; warp < warps_.size(); ++warp) {
    const uint32_t left = plan_.threads() - warp * CUSET_WARP_SIZE;
    const uint32_t lanes = left >= CUSET_WARP_SIZE ? ~0u : (1u << left) - 1;
    warps_[warp] = Warp{};
    warps_[warp].alive = warps_[warp].ready = lanes;
  }
  plan_.schedule().shuffle(warp_order_, number * 2 + 1);
  plan_.schedule().shuffle(lane_order_, number * 2 + 2);
  // What a GPU leaves in shared memory is never a row of zeros to rely on.
  std::memset(shared_, kPoison, plan_.shared_bytes());
  if (checks_) checks_->begin_block(index_);
}

void Block::join_cluster(const std::vector<Block*>& blocks, uint32_t rank) {
  cluster_rank_ = rank;
  cluster_shared_.clear();
  std::vector<BlockChecks*> checks;
  for (const Block* block : blocks) {
    cluster_shared_.push_back(block->shared_);
    checks.push_back(block->checks_.get());
  }
  if (checks_) checks_->join_cluster(std::move(checks));
}

void Block::enter_context() {
  CusetContext& context = cuset_context;
  std::memcpy(context.block_index, index_, sizeof index_);
  std::memcpy(context.block_dim, plan_.shape().block, sizeof context.block_dim);
  std::memcpy(context.grid_dim, plan_.shape().grid, sizeof context.grid_dim);
  context.shared = shared_;
  context.dynamic_shared_offset = plan_.kernel().dynamic_shared_start;
  context.dynamic_shared_size = plan_.shape().dynamic_shared_bytes;
  std::memcpy(context.cluster_dim, plan_.shape().cluster, sizeof context.cluster_dim);
  context.cluster_rank = cluster_rank_;
  context.cluster_shared = cluster_shared_.data();
  if (checks_) checks_->enter();
}

Block::State Block::run() {
  enter_context();
  const State state = plan_.suspends() ? run_suspending() : plan_.runs_as_loops() ? run_loops() : run_plain();
  if (checks_ && state == State::kFinished) checks_->end_block();
  return state;
}

Block::State Block::run_loops() {
  plan_.kernel().run_block(plan_.slots_for_thread(nullptr));
  return State::kFinished;
}

void Block::enter_thread(uint32_t thread) const {
  CusetContext& context = cuset_context;
  const LaunchPlan::Index& index = plan_.index_of(thread);
  context.thread_index[0] = index.x;
  context.thread_index[1] = index.y;
  context.thread_index[2] = index.z;
  context.linear_thread = thread;
  context.lane = thread % CUSET_WARP_SIZE;
}

Block::State Block::run_plain() {
  for (const uint16_t warp : warp_order_) {
    for (const uint16_t lane : lane_order_) {
      const uint32_t thread = warp * CUSET_WARP_SIZE + lane;
      if (thread >= plan_.threads()) continue;
      enter_thread(thread);
      plan_.kernel().run_thread(plan_.slots_for_thread(private_arguments_));
    }
  }
  return State::kFinished;
}

Block::State Block::run_suspending() {
  while (true) {
    for (const uint16_t warp : warp_order_) {
      if ((warps_[warp].ready | warps_[warp].in_warp_operation) != 0) run_warp(warp);
    }
    if (living_ == 0) return State::kFinished;
    if (release_barriers()) {
      // Plain barriers by all threads, one after the other, are the common case.
      while (sweeps_ && all_ready() && resume_all_to_barrier()) {
      }
      continue;
    }
    if (any_ready()) continue;
    // Those who wait for memory are woken with them: what they wait for may be there.
    if (wake(&Warp::preempted)) return wake(&Warp::yielded), State::kPreempted;
    if (wake(&Warp::yielded)) return State::kYielding;
    if (waiting_at_grid_ == living_) return State::kAtGridBarrier;
    if (waiting_at_cluster_ == living_) return State::kAtClusterBarrier;
    report_deadlock();
  }
}

void Block::run_warp(uint32_t number) {
  Warp& warp = warps_[number];
  do {
    const uint32_t lanes = warp.ready;
    warp.ready = 0;
    run_lanes(number, lanes);
    if (warp.in_warp_operation != 0 && !complete_operations(number) && warp.preempted == 0)
      complete_active_mask(number);
  } while (warp.ready != 0);
}

void Block::run_lanes(uint32_t number, uint32_t lanes) {
  const uint32_t fresh = lanes & ~warps_[number].started;
  if (fresh != 0) start_lanes(number, fresh);
  if (lanes != fresh) resume_lanes(number, lanes & ~fresh);
}

void Block::start_lanes(uint32_t number, uint32_t lanes) {
  Warp& warp = warps_[number];
  warp.started |= lanes;
  for (const uint16_t lane : lane_order_) {
    if ((lanes >> lane & 1) == 0) continue;
    const uint32_t thread = number * CUSET_WARP_SIZE + lane;
    enter_thread(thread);
    char* own = private_arguments_ + size_t{plan_.private_argument_bytes()} * thread;
    plan_.kernel().start_thread(plan_.slots_for_thread(own),
                                threads_.frames + threads_.frame_stride * thread);
    file_context(thread);
    file_requests(warp, requests_[thread].operation, 1u << lane);
  }
}

// Rows of neighboring lanes go on in one call, as far as they ask for the same.
void Block::resume_lanes(uint32_t number, uint32_t lanes) {
  Warp& warp = warps_[number];
  const uint32_t start = number * CUSET_WARP_SIZE;
  const auto resume_threads = plan_.kernel().resume_threads;
  if (!plan_.schedule().is_natural()) {
    for (const uint16_t lane : lane_order_) {
      if ((lanes >> lane & 1) == 0) continue;
      resume_threads(&threads_, start + lane, start + lane + 1);
      file_requests(warp, requests_[start + lane].operation, 1u << lane);
    }
    return;
  }
  while (lanes != 0) {
    const auto first = static_cast<uint32_t>(__builtin_ctz(lanes));
    const uint32_t gap = ~lanes >> first;
    const uint32_t last = gap == 0 ? CUSET_WARP_SIZE : first + static_cast<uint32_t>(__builtin_ctz(gap));
    const uint32_t reached = resume_threads(&threads_, start + first, start + last) - start;
    // Only the last one may have asked for something else.
    file_requests(warp, requests_[start + first].operation, lanes_between(first, reached - 1));
    file_requests(warp, requests_[start + reached - 1].operation, 1u << (reached - 1));
    lanes &= ~lanes_between(first, reached);
  }
}

// All threads are released from a barrier: takes them to the next one without looking at warps. False if one
// of them asked for something else; then all that ran are filed.
bool Block::resume_all_to_barrier() {
  const uint32_t threads = plan_.threads();
  const uint32_t reached = plan_.kernel().resume_threads(&threads_, 0, threads);
  if (reached == threads && requests_[0].operation == CUSET_BARRIER &&
      requests_[threads - 1].operation == CUSET_BARRIER)
    return true;
  for (uint32_t number = 0; number < warps_.size(); ++number) {
    const uint32_t start = number * CUSET_WARP_SIZE;
    if (start >= reached) break;
    const uint32_t lanes = lanes_between(0, std::min(reached - start, CUSET_WARP_SIZE));
    warps_[number].ready &= ~lanes;
    const bool holds_last = reached - start <= CUSET_WARP_SIZE;
    const uint32_t last = holds_last ? 1u << (reached - 1 - start) : 0;
    file_requests(warps_[number], requests_[0].operation, lanes & ~last);
    if (holds_last) file_requests(warps_[number], requests_[reached - 1].operation, last);
  }
  return false;
}

void Block::file_context(uint32_t thread) {
  // Volatile: field by field, as they were just written; wider loads would have to wait for the stores.
  const volatile CusetContext& context = cuset_context;
  requests_[thread] = {context.operation, context.mask, context.argument, 0, context.value, context.site};
}

void Block::file_requests(Warp& warp, uint32_t operation, uint32_t lanes) {
  if (lanes == 0) return;
  const auto count = static_cast<uint32_t>(__builtin_popcount(lanes));
  if (operation == CUSET_YIELD) return file_yields(warp, lanes);
  progressed_ = true;
  if (operation == CUSET_FINISHED) {
    warp.alive &= ~lanes;
    living_ -= count;
  } else if (is_barrier(operation)) {
    warp.at_barrier |= lanes;
    has_votes_ |= operation >= CUSET_BARRIER_COUNT && operation <= CUSET_BARRIER_OR;
    has_numbered_barriers_ |= operation == CUSET_NUMBERED_BARRIER;
  } else if (operation == CUSET_GRID_BARRIER) {
    warp.at_grid_barrier |= lanes;
    waiting_at_grid_ += count;
  } else if (operation == CUSET_CLUSTER_BARRIER) {
    warp.at_cluster_barrier |= lanes;
    waiting_at_cluster_ += count;
  } else if (operation == CUSET_PREEMPTED) {
    warp.preempted |= lanes;
  } else {
    warp.in_warp_operation |= lanes;
  }
}

void Block::file_yields(Warp& warp, uint32_t lanes) {
  warp.yielded |= lanes;
  const auto first = static_cast<uint32_t>(&warp - warps_.data()) * CUSET_WARP_SIZE;
  for_each_lane(lanes, [&](uint32_t lane) {
    const void* site = requests_[first + lane].site;
    progressed_ |= std::exchange(yield_sites_[first + lane], site) != site;
    if (checks_) checks_->synchronizes_by_hand(first + lane);
  });
}

// The lanes that take part in the operation `lane` waits for, if all of them wait for it too; else 0.
uint32_t Block::partners(const Warp& warp, const Request* requests, uint32_t lane) const {
  const Request& wanted = requests[lane];
  const uint32_t needed = (wanted.mask & warp.alive) | 1u << lane;
  if ((needed & ~warp.in_warp_operation) != 0) return 0;
  for (uint32_t rest = needed; rest != 0; rest &= rest - 1) {
    const Request& other = requests[__builtin_ctz(rest)];
    if (other.operation != wanted.operation || other.mask != wanted.mask) return 0;
  }
  return needed;
}

bool Block::complete_operations(uint32_t number) {
  Warp& warp = warps_[number];
  Request* requests = &requests_[number * CUSET_WARP_SIZE];
  bool completed = false;
  for (uint32_t open = warp.in_warp_operation; open != 0;) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(open));
    open &= open - 1;
    const uint32_t operation = requests[lane].operation;
    if (operation == CUSET_ACTIVE_MASK) continue;
    const uint32_t lanes = partners(warp, requests, lane);
    if (lanes == 0) continue;
    complete_warp_operation(operation, lanes, requests, &results_[number * CUSET_WARP_SIZE]);
    if (checks_) checks_->warp_synchronized(number, lanes, requests);
    warp.in_warp_operation &= ~lanes;
    warp.ready |= lanes;
    open &= ~lanes;
    completed = true;
  }
  return completed;
}

// Nobody of the warp can go on: those who ask at the same place who is with them are together.
bool Block::complete_active_mask(uint32_t number) {
  Warp& warp = warps_[number];
  Request* requests = &requests_[number * CUSET_WARP_SIZE];
  const void* site = nullptr;
  uint32_t together = 0;
  for_each_lane(warp.in_warp_operation, [&](uint32_t lane) {
    if (requests[lane].operation != CUSET_ACTIVE_MASK) return;
    if (together == 0) site = requests[lane].site;
    if (requests[lane].site == site) together |= 1u << lane;
  });
  if (together == 0) return false;
  complete_warp_operation(CUSET_ACTIVE_MASK, together, requests, &results_[number * CUSET_WARP_SIZE]);
  warp.in_warp_operation &= ~together;
  warp.ready |= together;
  return true;
}

bool Block::release_barriers() {
  if (!has_numbered_barriers_) return has_votes_ ? release_barrier(0, living_) : release_plain_barrier();
  bool released = false;
  for (uint32_t barrier = 0; barrier < kBarriers; ++barrier) {
    uint32_t needed = living_;
    for (uint32_t warp = 0; warp < warps_.size(); ++warp) {
      for_each_lane(warps_[warp].at_barrier, [&](uint32_t lane) {
        const Request& request = requests_[warp * CUSET_WARP_SIZE + lane];
        if (request.operation == CUSET_NUMBERED_BARRIER && request.argument == barrier &&
            request.value != 0) {
          needed = static_cast<uint32_t>(request.value);
        }
      });
    }
    released |= release_barrier(barrier, needed);
  }
  return released;
}

// The usual case: __syncthreads() by all.
bool Block::release_plain_barrier() {
  for (const Warp& warp : warps_) {
    if (warp.at_barrier != warp.alive) return false;
  }
  if (checks_) checks_->barrier_released(requests_.data(), plan_.threads() - living_, false);
  for (Warp& warp : warps_) {
    warp.ready = warp.at_barrier;
    warp.at_barrier = 0;
  }
  return true;
}

// Releases those who wait at `barrier` if they are `needed` or more.
bool Block::release_barrier(uint32_t barrier, uint32_t needed) {
  uint32_t arrived = 0;
  uint32_t agreed = 0;
  const auto waits_here = [&](const Request& request) {
    return (request.operation == CUSET_NUMBERED_BARRIER ? request.argument : 0) == barrier;
  };
  for (uint32_t warp = 0; warp < warps_.size(); ++warp) {
    if (!has_numbered_barriers_ && warps_[warp].at_barrier != warps_[warp].alive) return false;
    for_each_lane(warps_[warp].at_barrier, [&](uint32_t lane) {
      const Request& request = requests_[warp * CUSET_WARP_SIZE + lane];
      if (!waits_here(request)) return;
      ++arrived;
      if (request.operation != CUSET_NUMBERED_BARRIER && request.value != 0) ++agreed;
    });
  }
  if (arrived == 0 || arrived < needed) return false;
  if (checks_)
    checks_->barrier_released(requests_.data(), plan_.threads() - living_, barrier != 0 || arrived < living_);
  has_votes_ = false;
  for (uint32_t warp = 0; warp < warps_.size(); ++warp) {
    for_each_lane(warps_[warp].at_barrier, [&](uint32_t lane) {
      const uint32_t thread = warp * CUSET_WARP_SIZE + lane;
      const Request& request = requests_[thread];
      if (!waits_here(request)) return;
      if (request.operation == CUSET_BARRIER_COUNT) results_[thread] = agreed;
      if (request.operation == CUSET_BARRIER_AND) results_[thread] = agreed == arrived;
      if (request.operation == CUSET_BARRIER_OR) results_[thread] = agreed != 0;
      warps_[warp].at_barrier &= ~(1u << lane);
      warps_[warp].ready |= 1u << lane;
    });
  }
  return true;
}

void Block::release_cluster_barrier() {
  wake(&Warp::at_cluster_barrier);
  waiting_at_cluster_ = 0;
  if (checks_) checks_->cluster_barrier_released(requests_.data());
}

void Block::release_grid_barrier() {
  wake(&Warp::at_grid_barrier);
  waiting_at_grid_ = 0;
  if (checks_) checks_->grid_barrier_released(requests_.data());
}

bool Block::wake(uint32_t Warp::* waiting) {
  bool any = false;
  for (Warp& warp : warps_) {
    any |= warp.*waiting != 0;
    warp.ready |= std::exchange(warp.*waiting, 0u);
  }
  return any;
}

bool Block::all_ready() const {
  for (const Warp& warp : warps_) {
    if (warp.ready != warp.alive) return false;
  }
  return living_ == plan_.threads();
}

bool Block::any_ready() const {
  for (const Warp& warp : warps_) {
    if (warp.ready != 0) return true;
  }
  return false;
}

void Block::report_deadlock() {
  uint32_t at_barrier = 0, in_operation = 0, at_grid = 0, at_cluster = 0;
  for (const Warp& warp : warps_) {
    at_barrier += static_cast<uint32_t>(__builtin_popcount(warp.at_barrier));
    in_operation += static_cast<uint32_t>(__builtin_popcount(warp.in_warp_operation));
    at_grid += static_cast<uint32_t>(__builtin_popcount(warp.at_grid_barrier));
    at_cluster += static_cast<uint32_t>(__builtin_popcount(warp.at_cluster_barrier));
  }
  if (checks_) checks_->report_deadlock(requests_.data());
  fail_launch(kLaunchTimeout,
              "deadlock: of " + std::to_string(living_) + " living threads in block (" +
                  std::to_string(index_[0]) + "," + std::to_string(index_[1]) + "," +
                  std::to_string(index_[2]) + ") " + std::to_string(at_barrier) + " wait at a barrier, " +
                  std::to_string(in_operation) + " in a warp operation, " + std::to_string(at_grid) +
                  " at a grid barrier" +
                  (at_cluster > 0 ? ", " + std::to_string(at_cluster) + " at a barrier of the cluster" : ""));
}

}  // namespace cuset_emulator
