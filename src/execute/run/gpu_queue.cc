#include "execute/run/gpu_queue.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

namespace cuset::execute {
namespace {

// Shared by all users of the machine. An existing file is opened without O_CREAT: kernels refuse that flag
// for files of others in /tmp.
base::FileDescriptor open_lock(const std::filesystem::path& path) {
  for (const int create : {0, O_CREAT, 0}) {
    base::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | create, 0644));
    if (file.is_open()) return file;
  }
  throw base::file_error("open", path, errno);
}

}  // namespace

GpuQueue::GpuQueue(const std::string& uuid, uint32_t places)
    : path_("/tmp/cuset-" + uuid + ".lock"), file_(open_lock(path_)), places_(places) {}

void GpuQueue::lock_file(int how) {
  while (::flock(file_.get(), how) != 0) {
    if (errno != EINTR) throw base::file_error("lock", path_, errno);
  }
}

GpuQueue::Turn::Turn(GpuQueue& queue, Want want) : queue_(queue), want_(want) {
  std::unique_lock lock(queue_.mutex_);
  if (want_ == Want::kExclusive) {
    ++queue_.waiting_exclusive_;
    queue_.changed_.wait(lock, [&] { return queue_.taken_ == 0; });
    --queue_.waiting_exclusive_;
    queue_.exclusive_ = true;
  } else {
    queue_.changed_.wait(lock, [&] {
      return !queue_.exclusive_ && queue_.waiting_exclusive_ == 0 && queue_.taken_ < queue_.places_;
    });
  }
  // The first of this process waits for other processes, and all of this process with it.
  if (queue_.taken_ == 0) queue_.lock_file(want_ == Want::kExclusive ? LOCK_EX : LOCK_SH);
  began_ = ++queue_.starts_;
  if (++queue_.taken_ > 1) queue_.last_shared_ = began_;
}

GpuQueue::Turn::~Turn() {
  const std::lock_guard lock(queue_.mutex_);
  if (--queue_.taken_ == 0) ::flock(queue_.file_.get(), LOCK_UN);
  queue_.exclusive_ = false;
  queue_.changed_.notify_all();
}

bool GpuQueue::Turn::was_shared() const {
  const std::lock_guard lock(queue_.mutex_);
  return queue_.last_shared_ >= began_;
}

}  // namespace cuset::execute
