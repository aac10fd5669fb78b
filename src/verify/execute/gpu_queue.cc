#include "verify/execute/gpu_queue.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

namespace cuset {
namespace {

// Shared by all users of the machine. An existing file is opened without O_CREAT: kernels refuse that flag
// for files of others in /tmp.
FileDescriptor open_lock(const std::filesystem::path& path) {
  for (const int create : {0, O_CREAT, 0}) {
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | create, 0644));
    if (file.is_open()) return file;
  }
  throw file_error("open", path, errno);
}

}  // namespace

GpuQueue::GpuQueue(const std::string& uuid)
    : path_("/tmp/cuset-" + uuid + ".lock"), file_(open_lock(path_)) {}

GpuQueue::Turn::Turn(GpuQueue& queue) : queue_(queue), guard_(queue.mutex_) {
  while (::flock(queue_.file_.get(), LOCK_EX) != 0) {
    if (errno != EINTR) throw file_error("lock", queue_.path_, errno);
  }
}

GpuQueue::Turn::~Turn() { ::flock(queue_.file_.get(), LOCK_UN); }

}  // namespace cuset
