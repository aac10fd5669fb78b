// One rank, for ranks_test, which starts several: rank_program MODE[-gpu] START_TIMEOUT_MS TIMEOUT_MS. The
// rank comes from the environment. Prints "done ..." and returns 0, or prints the error and returns 1 or 2.
#include <torch/types.h>
#include <torch/utils.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "base/error.h"
#include "base/stats/random.h"
#include "train/ranks/ranks.h"

namespace cuset::support {
namespace {

constexpr int kManySums = 100'000;  // at most; the tests end these modes by a failure

// FNV-1a of a tensor's bytes.
uint64_t hash_bits(const torch::Tensor& tensor, uint64_t value) {
  const auto bytes = tensor.contiguous().cpu().view(torch::kUInt8);
  const uint8_t* data = bytes.data_ptr<uint8_t>();
  for (int64_t i = 0; i < bytes.numel(); ++i) value = (value ^ data[i]) * 1099511628211u;
  return value;
}

std::vector<torch::Tensor> values_of_rank(int rank, torch::Device device) {
  auto generator = at::detail::createCPUGenerator(rank + 1);
  const auto values = [&](std::vector<int64_t> shape) { return torch::randn(shape, generator).to(device); };
  return {values({1'000, 37}),
          values({5}),
          torch::empty({0}).to(device),
          values({129, 64}).t(),
          values({1'001}).to(torch::kFloat64),
          values({77}).to(torch::kBFloat16),
          values({31}).to(torch::kFloat16),
          torch::full({3}, (int64_t{1} << 40) + rank, torch::kInt64).to(device)};
}

torch::Device device_of(const train::Ranks& ranks) {
  if (ranks.gpu() < 0) return torch::kCPU;
  return {torch::kCUDA, static_cast<c10::DeviceIndex>(ranks.gpu())};
}

// The sums against a plain addition in one process, and their bits.
void run_sum(const train::Ranks& ranks) {
  const torch::Device device = device_of(ranks);
  auto tensors = values_of_rank(ranks.rank(), device);
  ranks.all_reduce_sum(tensors, "the sum");
  uint64_t bits = 14695981039346656037u;
  for (size_t i = 0; i < tensors.size(); ++i) {
    torch::Tensor wanted = values_of_rank(0, device)[i].to(torch::kFloat64);
    for (int rank = 1; rank < ranks.size(); ++rank)
      wanted += values_of_rank(rank, device)[i].to(torch::kFloat64);
    const double tolerance = tensors[i].element_size() == 2 ? 0.05 : 1e-5;
    CUSET_CHECK(torch::allclose(tensors[i].to(torch::kFloat64), wanted, 0, tolerance), "tensor {}", i);
    bits = hash_bits(tensors[i], bits);
  }
  auto copied = torch::full({4, 3}, ranks.rank() + 7.0).to(device).t();
  ranks.broadcast(copied, "the broadcast");
  CUSET_CHECK((copied == 7.0).all().item<bool>(), "broadcast");
  std::string texts;
  for (const std::string& text : ranks.all_gather(std::string(ranks.rank(), 'x'), "the texts"))
    texts += text + ";";
  std::printf("bits %016lx texts %s threads %d local %d of %d\n", static_cast<unsigned long>(bits),
              texts.c_str(), torch::get_num_threads(), ranks.local_rank(), ranks.local_size());
}

// Dies, throws, or does nothing until rank 0 has gone.
void fail(const train::Ranks& ranks, const std::string& mode, pid_t first) {
  if (mode.starts_with("killed")) std::raise(SIGKILL);
  if (mode == "thrown") {
    const base::Error error("the loss is NaN");
    ranks.announce_failure(error.what());
    throw error;
  }
  while (kill(first, 0) == 0) usleep(10'000);
}

void run_failing(const train::Ranks& ranks, const std::string& mode) {
  const pid_t first = std::stoi(ranks.all_gather(std::to_string(getpid()), "the start")[0]);
  const bool fails = ranks.rank() == (mode == "killed-first" ? 0 : ranks.size() - 1);
  for (int i = 0; i < kManySums; ++i) {
    if (i == 3 && fails) fail(ranks, mode, first);
    ranks.all_reduce_sum(torch::ones({10'000}, device_of(ranks)), fmt::format("step {}", i));
  }
}

// A write whose reader is gone, as a partner's socket is when it dies.
void write_to_nobody() {
  int ends[2];
  CUSET_CHECK(pipe(ends) == 0, "no pipe");
  close(ends[0]);
  const ssize_t written = write(ends[1], "x", 1);
  std::printf("%s\n", written < 0 ? "the write failed" : "the write worked");
  close(ends[1]);
}

void run(const std::string& mode, const train::RanksOptions& options) {
  train::Ranks ranks(train::read_rank_environment(train::process_environment()), options);
  if (mode == "sum") {
    run_sum(ranks);
  } else if (mode == "write-to-nobody") {
    write_to_nobody();
  } else if (mode == "settings") {
    ranks.require_same({{"seed", 1}, {"rates", {0.5, ranks.rank() == 1 ? 2.0 : 1.0}}}, "settings");
  } else {
    run_failing(ranks, mode);
  }
  ranks.finish();
}

}  // namespace
}  // namespace cuset::support

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  cuset::train::RanksOptions options;
  std::string mode = argv[1];
  options.gpu = mode.ends_with("-gpu");
  if (options.gpu) mode.resize(mode.size() - 4);
  options.heartbeat = std::chrono::milliseconds(100);
  options.start_timeout = std::chrono::milliseconds(std::stol(argv[2]));
  options.timeout = std::chrono::milliseconds(std::stol(argv[3]));
  try {
    cuset::support::run(mode, options);
  } catch (const cuset::base::UsageError& error) {
    std::printf("wrong usage: %s\n", error.one_line().c_str());
    return 2;
  } catch (const std::exception& error) {
    std::printf("error: %s\n", error.what());
    return 1;
  }
  return 0;
}
