// How the blocks of a grid are shared out. Blocks, or clusters of them, are claimed in order, a few at a time; each worker says
// which one it is at, so that atomics whose order matters can wait until all earlier ones are done
// (cuset_wait_for_order). Kernels whose blocks wait for each other (grid barriers, spinning) run on one
// worker, which keeps blocks that wait alive beside the one that runs, as many as the device holds. So do checked kernels
// that are interrupted at atomic operations.
#include "runtime/launch/launch.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/launch/block_cluster.h"
#include "runtime/launch/checks.h"
#include "runtime/launch/child_grids.h"
#include "runtime/launch/fault.h"
#include "runtime/launch/launch_plan.h"
#include "runtime/launch/timeline.h"
#include "runtime/launch/workers.h"

extern "C" {
__thread CusetContext cuset_context __attribute__((tls_model("initial-exec")));
}

namespace cuset_emulator {
namespace {

constexpr uint64_t kNothingLeft = UINT64_MAX;
constexpr uint64_t kLargestChunk = 64;
constexpr uint64_t kThreadsTogether = 2048;  // of blocks that take turns at atomic operations
constexpr uint64_t kBlocksTogether = 16;
constexpr int kWatchdogError = 702;  // what a GPU's watchdog says of a kernel that never ends
constexpr std::chrono::seconds kLongestStall{2};
constexpr uint64_t kStalledRounds = 100;  // at least: the process itself may have had to wait

// How far a worker is. Others sleep until it goes on: where programs want more cores than there are, one that only offered its
// core would get it back long after its turn (std::atomic's wait does that, too).
class alignas(64) Progress {
 public:
  // The cluster, by its turn, that the worker is at; all its earlier ones are done.
  uint64_t position() const { return position_.load(std::memory_order_acquire); }

  void arrive_at(uint64_t position) {
    position_.store(position);
    if (sleepers_.load() != 0)
      ::syscall(SYS_futex, word(), FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
  }

  // Returns when it may be at another position than `known`.
  void sleep_at(uint64_t known) {
    ++sleepers_;
    if (position_.load() == known)
      ::syscall(SYS_futex, word(), FUTEX_WAIT_PRIVATE, static_cast<uint32_t>(known), nullptr, nullptr, 0);
    --sleepers_;
  }

 private:
  // The low half, which every step changes.
  uint32_t* word() { return reinterpret_cast<uint32_t*>(&position_); }

  std::atomic<uint64_t> position_{0};
  std::atomic<uint32_t> sleepers_{0};
};

// Clusters that a worker claims at once; a block is one of its own where the launch asks for none. Where operations wait for
// earlier blocks, whoever holds a later row of blocks would wait for the whole row before it.
uint64_t chunk_for(const LaunchPlan& plan, uint32_t workers) {
  if ((plan.kernel().flags & CUSET_KERNEL_ORDERED) != 0) return 1;
  return std::clamp<uint64_t>(plan.clusters() / (uint64_t{workers} * 16), 1, kLargestChunk);
}

class Launch {
 public:
  explicit Launch(const LaunchPlan& plan, uint32_t workers)
      : plan_(plan), progress_(workers), chunk_(chunk_for(plan, workers)) {}

  // The next clusters by turn: [first, last); first == last when there are none.
  std::pair<uint64_t, uint64_t> claim(uint32_t worker) {
    const uint64_t first = std::min(next_.fetch_add(chunk_), plan_.clusters());
    arrive_at(worker, first == plan_.clusters() ? kNothingLeft : first);
    return {first, std::min(first + chunk_, plan_.clusters())};
  }

  void arrive_at(uint32_t worker, uint64_t position) { progress_[worker].arrive_at(position); }
  void leave(uint32_t worker) { arrive_at(worker, kNothingLeft); }

  // Returns when all earlier clusters are done, or the launch has failed.
  void wait_until_first(uint64_t position) {
    constexpr unsigned kSpins = 200;
    for (Progress& progress : progress_) {
      unsigned spins = 0;
      for (uint64_t at = progress.position(); at < position && !failed(); at = progress.position()) {
        if (++spins < kSpins) {
          __builtin_ia32_pause();
        } else {
          progress.sleep_at(at);
        }
      }
    }
  }

  void fail(const Fault& fault) {
    std::lock_guard lock(mutex_);
    if (fault_.error == 0) fault_ = fault;
    failed_.store(true);
  }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  const Fault& fault() const { return fault_; }
  const LaunchPlan& plan() const { return plan_; }
  DeviceRequests& requests() { return requests_; }

 private:
  const LaunchPlan& plan_;
  DeviceRequests requests_;
  std::vector<Progress> progress_;
  uint64_t chunk_;
  std::atomic<uint64_t> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  Fault fault_;
};

// What cuset_wait_for_order needs to know of the block that runs on this thread.
struct Turn {
  Launch* launch = nullptr;
  uint64_t position = 0;
};
thread_local Turn turn;

struct Resident {
  std::unique_ptr<BlockCluster> blocks;
  uint64_t position;  // by its turn
};

// One worker's share of a launch. Kept as an object so that a fault, which skips destructors, leaves nothing
// behind.
struct Share {
  Launch* launch;
  uint32_t worker;
  std::unique_ptr<BlockCluster> blocks;
  std::vector<Resident> resident;  // one-worker launches: clusters that wait
  std::vector<std::unique_ptr<BlockCluster>> spare;
};

void run_in_order(Share& share) {
  Launch& launch = *share.launch;
  const LaunchPlan& plan = launch.plan();
  while (!launch.failed()) {
    const auto [first, last] = launch.claim(share.worker);
    if (first == last) return;
    for (uint64_t position = first; position < last && !launch.failed(); ++position) {
      launch.arrive_at(share.worker, position);
      turn = {&launch, position};
      set_device_requests(&launch.requests(), position);
      cuset_context.ordered = 0;
      share.blocks->begin(plan.schedule().block_at(position, plan.clusters(), plan.number()));
      while (share.blocks->run() == Block::State::kYielding) std::this_thread::yield();
    }
  }
}

struct Round {
  size_t at_grid_barrier = 0;
  bool finished = false;    // a cluster has
  bool preempted = false;   // a block resumes next time
  bool progressed = false;  // a thread did more than wait
};

// One turn of every cluster that lives; a finished one makes room.
Round run_residents(Share& share) {
  Round round;
  for (size_t i = 0; i < share.resident.size();) {
    Resident& resident = share.resident[i];
    set_device_requests(&share.launch->requests(), resident.position);
    const Block::State state = resident.blocks->run();
    round.progressed |= resident.blocks->take_progress();
    if (state == Block::State::kFinished) {
      round.finished = true;
      share.spare.push_back(std::move(resident.blocks));
      share.resident.erase(share.resident.begin() + static_cast<ptrdiff_t>(i));
      continue;
    }
    if (state == Block::State::kAtGridBarrier) ++round.at_grid_barrier;
    if (state == Block::State::kPreempted) round.preempted = true;
    ++i;
  }
  return round;
}

// Kernels that wait for memory to change, with more blocks than the device holds: blocks start in order there, and
// programs rely on it that a block may wait for those before it.
bool starts_in_order(const LaunchPlan& plan) {
  const uint64_t most = plan.shape().most_resident;
  return (plan.kernel().flags & CUSET_KERNEL_ONE_WORKER) != 0 && most != 0 && plan.blocks() > most;
}

void start_cluster(Share& share, uint64_t position) {
  const LaunchPlan& plan = share.launch->plan();
  std::unique_ptr<BlockCluster> blocks;
  if (share.spare.empty()) {
    blocks = std::make_unique<BlockCluster>(plan);
  } else {
    blocks = std::move(share.spare.back());
    share.spare.pop_back();
  }
  blocks->begin(starts_in_order(plan) ? position
                                      : plan.schedule().block_at(position, plan.clusters(), plan.number()));
  share.resident.push_back({std::move(blocks), position});
}

// Clusters that live at first. Those that are interrupted at atomic operations meet some others there.
uint64_t first_residents(const LaunchPlan& plan) {
  if ((plan.kernel().flags & CUSET_KERNEL_PREEMPTED) == 0 || plan.schedule().is_natural()) return 1;
  return std::clamp<uint64_t>(kThreadsTogether / plan.threads() / plan.cluster_blocks(), 2, kBlocksTogether);
}

// Ends a launch whose blocks wait for others that never start: a GPU would hang.
class StallWatch {
 public:
  explicit StallWatch(const LaunchPlan& plan) : plan_(plan) {}

  void note(bool stalls, uint64_t residents) {
    const auto now = std::chrono::steady_clock::now();
    if (!stalls) rounds_ = 0;
    if (rounds_++ == 0) began_ = now;
    if (rounds_ < kStalledRounds || now - began_ < kLongestStall) return;
    fail_launch(kWatchdogError,
                "deadlock: the device holds " + std::to_string(residents * plan_.cluster_blocks()) +
                    " of the grid's " + std::to_string(plan_.blocks()) +
                    " blocks at a time, and all of them wait for others that have not started");
  }

 private:
  const LaunchPlan& plan_;
  std::chrono::steady_clock::time_point began_;  // of the rounds without progress
  uint64_t rounds_ = 0;
};

// A further cluster starts when one has finished, or when those that live cannot finish by themselves and the device has
// room for it.
void run_together(Share& share) {
  const LaunchPlan& plan = share.launch->plan();
  const uint64_t on_device = plan.shape().most_resident != 0 ? plan.shape().most_resident : plan.blocks();
  const uint64_t most = std::max<uint64_t>(on_device / plan.cluster_blocks(), 1);
  uint64_t room = std::min(first_residents(plan), most);
  StallWatch watch(plan);
  cuset_context.ordered = 1;
  for (uint64_t started = 0; started < plan.clusters() || !share.resident.empty();) {
    while (started < plan.clusters() && share.resident.size() < room) start_cluster(share, started++);
    const Round round = run_residents(share);
    if (round.finished || round.preempted) continue;
    if (started == plan.clusters()) {
      if (round.at_grid_barrier < share.resident.size()) continue;
      for (Resident& resident : share.resident) resident.blocks->release_grid_barrier();
    } else if (room < most) {
      room = std::min(most, room + room / 4 + 1);
    } else {
      watch.note(!round.progressed, room);
    }
  }
}

void run_share(void* argument) {
  Share& share = *static_cast<Share*>(argument);
  constexpr uint32_t kTogether = CUSET_KERNEL_ONE_WORKER | CUSET_KERNEL_PREEMPTED;
  const bool together = (share.launch->plan().kernel().flags & kTogether) != 0;
  if (together) {
    run_together(share);
  } else {
    share.blocks = std::make_unique<BlockCluster>(share.launch->plan());
    run_in_order(share);
  }
}

// Checked launches keep one order, in which they find the same every time.
uint32_t workers_for(const LaunchPlan& plan) {
  if (plan.checked() || (plan.kernel().flags & CUSET_KERNEL_ONE_WORKER) != 0) return 1;
  return static_cast<uint32_t>(std::min<uint64_t>(worker_count(), plan.clusters()));
}

// One grid without what it launches itself, which is put into `asked`.
LaunchEnd run_grid(const CusetKernel& kernel, const LaunchShape& shape, const uint64_t* slots,
                   const uint32_t* slot_bytes, std::vector<DeviceRequest>& asked) {
  if ((kernel.flags & CUSET_KERNEL_GRID_BARRIER) != 0 && !shape.cooperative) {
    return {719, "a grid barrier in a kernel that was not launched cooperatively", 0};
  }
  static std::atomic<uint64_t> launches{0};
  const auto begin = std::chrono::steady_clock::now();
  const uint64_t begin_in_timeline = timeline_start();
  const LaunchPlan plan(kernel, shape, slots, slot_bytes, launches.fetch_add(1));
  const uint32_t workers = workers_for(plan);
  Launch launch(plan, workers);
  if (plan.checked()) begin_checks(plan);
  run_on_workers(workers, [&](uint32_t worker) {
    Share share{&launch, worker, nullptr, {}, {}};
    const Fault fault = guarded(run_share, &share);
    if (fault.error != 0) launch.fail(fault);
    launch.leave(worker);
    turn = {};
    set_device_requests(nullptr, 0);
  });
  if (plan.checked()) end_checks(plan);
  LaunchEnd end{launch.fault().error, launch.fault().explanation, 0};
  std::copy_n(launch.fault().block, 3, end.block);
  std::copy_n(launch.fault().thread, 3, end.thread);
  end.nanoseconds = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count());
  if (has_timeline()) end.nanoseconds = timeline_now() - begin_in_timeline;
  asked = launch.requests().take();
  return end;
}

LaunchEnd run_child(const DeviceRequest& request, DeviceRequests& asked) {
  std::vector<DeviceRequest> more;
  const LaunchEnd end =
      run_grid(*request.kernel, request.shape, request.slots.data(), request.sizes.data(), more);
  for (DeviceRequest& next : more) asked.add(std::move(next));
  return end;
}

}  // namespace

LaunchEnd run_kernel(const CusetKernel& kernel, const LaunchShape& shape, const uint64_t* slots,
                     const uint32_t* slot_bytes) {
  std::vector<DeviceRequest> asked;
  LaunchEnd end = run_grid(kernel, shape, slots, slot_bytes, asked);
  if (end.error != 0 || asked.empty()) return end;
  LaunchEnd of_children = run_device_requests(std::move(asked), run_child);
  of_children.nanoseconds = end.nanoseconds;
  return of_children;
}

}  // namespace cuset_emulator

extern "C" void cuset_wait_for_order(void) {
  using namespace cuset_emulator;
  if (turn.launch != nullptr) {
    turn.launch->wait_until_first(turn.position);
    if (turn.launch->failed()) fail_launch(719, "another block of the launch failed");
  }
  cuset_context.ordered = 1;
}
