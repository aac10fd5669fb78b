// Ways for tests to make the world fail: a disk that fills up, a user without rights, a kill at a random
// moment. Each runs `work` in a child process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace cuset::support {

// What the child has to say: empty for success, else what went wrong. Exceptions count as their text.
using ChildWork = std::function<std::string()>;

// Runs `work` with a file system of `bytes` mounted on `folder`, which only the child sees and which goes
// away with it. Nothing where the kernel does not let us mount one.
std::optional<std::string> run_on_small_disk(const std::filesystem::path& folder, size_t bytes,
                                             const ChildWork& work);

// Runs `work` as a user without special rights. Nothing where we are root and cannot become another user.
std::optional<std::string> run_as_ordinary_user(const ChildWork& work);

// Starts `work`, which should run forever, and kills it with SIGKILL within `microseconds` after it called
// the function it is given to say that it has begun. `seed` chooses the moment.
void kill_at_random_moment(const std::function<void(const std::function<void()>& begun)>& work, uint32_t seed,
                           uint32_t microseconds);

}  // namespace cuset::support
