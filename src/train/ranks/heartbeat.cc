#include "train/ranks/heartbeat.h"

#include <fmt/format.h>

namespace cuset::train {
namespace {

std::string pulse_of(int rank) { return fmt::format("pulse/{}", rank); }

}  // namespace

Heartbeat::Heartbeat(HeartbeatOptions options) : options_(std::move(options)), thread_([this] { watch(); }) {}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stop_asked_.notify_all();
  thread_.join();
}

std::optional<std::string> Heartbeat::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void Heartbeat::watch() {
  std::unique_lock lock(mutex_);
  while (!stop_ && !lost_) {
    lock.unlock();
    std::optional<std::string> found;
    try {
      found = look();
    } catch (const std::exception&) {
      found = "rank 0 is gone";
    }
    lock.lock();
    lost_ = std::move(found);
    stop_asked_.wait_for(lock, options_.interval, [this] { return stop_; });
  }
}

std::optional<std::string> Heartbeat::look() {
  c10d::Store& store = *options_.store;
  store.add(pulse_of(options_.rank), 1);
  if (store.check({kEndedKey})) return store.get_to_str(kEndedKey);
  const int next = (options_.rank + 1) % options_.size;
  const int64_t pulse = store.add(pulse_of(next), 0);
  still_ = pulse == seen_ ? still_ + 1 : 0;
  seen_ = pulse;
  if (still_ < options_.patience) return std::nullopt;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options_.interval * still_);
  std::string note = fmt::format("rank {} sent no heartbeat for {} s", next, seconds.count());
  store.set(kEndedKey, note);
  return note;
}

}  // namespace cuset::train
