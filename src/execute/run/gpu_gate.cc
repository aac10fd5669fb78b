#include "execute/run/gpu_gate.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/log.h"

namespace cuset::execute {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{1};

// Never through a name that the program has put there. One that is there already opens the gate as well.
int make_go_file(int folder) {
  const base::FileDescriptor file(
      ::openat(folder, kGoFile, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  return file.is_open() || errno == EEXIST ? 0 : errno;
}

}  // namespace

void open_gate(const std::filesystem::path& folder) {
  const base::FileDescriptor opened = base::open_file(folder, O_RDONLY | O_DIRECTORY);
  if (const int error = make_go_file(opened.get()); error != 0)
    throw base::file_error("make", folder / kGoFile, error);
}

GatedTurn::GatedTurn(GpuQueue& queue, const std::filesystem::path& folder, const Wants& wants)
    : queue_(queue), folder_(base::open_file(folder, O_RDONLY | O_DIRECTORY)), wants_(wants) {
  if (wants_.to_begin) turn_.emplace(queue_, *wants_.to_begin);
  if (wants_.to_work) watcher_ = std::thread([this] { watch(); });
}

GatedTurn::~GatedTurn() { stop_watching(); }

void GatedTurn::watch() {
  while (!is_ready()) {
    if (has_ended_) return;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  try {
    let_go();
  } catch (const base::Error& error) {  // of the lock between processes
    base::log_warning("{}", error.one_line());
    began_shared_ = true;
  }
  make_go_file(folder_.get());
}

bool GatedTurn::is_ready() const {
  struct stat ignored{};
  return ::fstatat(folder_.get(), kReadyFile, &ignored, AT_SYMLINK_NOFOLLOW) == 0;
}

void GatedTurn::let_go() {
  if (turn_) began_shared_ = turn_->was_shared();
  turn_.reset();
  waits_since_ = Clock::now().time_since_epoch().count();
  turn_.emplace(queue_, *wants_.to_work);
  waited_until_ = Clock::now().time_since_epoch().count();
}

std::chrono::milliseconds GatedTurn::waited() const {
  const Clock::rep since = waits_since_, until = waited_until_;
  if (since == 0) return {};
  const Clock::rep now = until != 0 ? until : Clock::now().time_since_epoch().count();
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::duration(now - since));
}

void GatedTurn::stop_watching() {
  has_ended_ = true;
  if (watcher_.joinable()) watcher_.join();
}

bool GatedTurn::was_shared() {
  stop_watching();
  return began_shared_ || (turn_ && turn_->was_shared());
}

}  // namespace cuset::execute
