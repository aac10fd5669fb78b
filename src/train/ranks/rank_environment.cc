#include "train/ranks/rank_environment.h"

#include <unistd.h>

#include <charconv>

#include "base/error.h"

namespace cuset::train {
namespace {

constexpr int kMostRanks = 1 << 20;
constexpr uint16_t kUsualPort = 29500;  // as torchrun's
// Ports made from a job's number stay below those that Linux gives to outgoing connections (32768 on).
constexpr uint64_t kFirstJobPort = 20000;
constexpr uint64_t kJobPorts = 12000;
// Slurm numbers the steps that it makes by itself (interactive, batch, extern) from here on.
constexpr int64_t kFirstSpecialStep = 0xfffffff0;

// The variables that one launcher sets.
struct Launcher {
  const char* name;
  const char* rank;
  const char* size;
  const char* local_rank;
};
constexpr Launcher kTorchrun{"torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK"};
constexpr Launcher kOpenMpi{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                            "OMPI_COMM_WORLD_LOCAL_RANK"};
constexpr Launcher kMpich{"mpirun", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"};
constexpr Launcher kSlurm{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"};
constexpr Launcher kOldSlurm{"srun", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"};

const std::string* find(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? nullptr : &found->second;
}

int64_t number(std::string_view name, const std::string& text, int64_t least, int64_t most) {
  int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || value < least || value > most)
    throw base::UsageError("{}={}: must be an integer from {} to {}", name, base::in_quotes(text), least,
                           most)
        .with_remedy("unset it to run alone, or start with torchrun, mpirun or srun");
  return value;
}

const std::string& required(const Environment& environment, std::string_view name, std::string_view because) {
  const std::string* text = find(environment, name);
  if (!text)
    throw base::UsageError("{} is not set although {} is", name, because)
        .with_remedy("set both to run several ranks, or neither to run alone");
  return *text;
}

bool is_srun_step(const Environment& environment) {
  const std::string* step = find(environment, "SLURM_STEP_ID");
  if (!step || !find(environment, "SLURM_PROCID")) return false;
  return number("SLURM_STEP_ID", *step, 0, UINT32_MAX) < kFirstSpecialStep;
}

const Launcher* launcher_of(const Environment& environment) {
  for (const Launcher* launcher : {&kTorchrun, &kOpenMpi, &kMpich}) {
    if (find(environment, launcher->rank) || find(environment, launcher->size)) return launcher;
  }
  if (!is_srun_step(environment)) return nullptr;
  return find(environment, kSlurm.size) ? &kSlurm : &kOldSlurm;
}

RankEnvironment place_in_world(const Environment& environment, const Launcher& launcher) {
  RankEnvironment result;
  result.launcher = launcher.name;
  const std::string& size = required(environment, launcher.size, launcher.rank);
  const std::string& rank = required(environment, launcher.rank, launcher.size);
  result.size = static_cast<int>(number(launcher.size, size, 1, kMostRanks));
  result.rank = static_cast<int>(number(launcher.rank, rank, 0, kMostRanks));
  if (result.rank >= result.size)
    throw base::UsageError("{}={} does not fit {}={}: ranks count from 0", launcher.rank, rank, launcher.size,
                           size);
  if (const std::string* local = find(environment, launcher.local_rank)) {
    result.local_rank = static_cast<int>(number(launcher.local_rank, *local, 0, kMostRanks));
    if (*result.local_rank >= result.size)
      throw base::UsageError("{}={} does not fit {}={}: ranks count from 0", launcher.local_rank, *local,
                             launcher.size, size);
  }
  return result;
}

std::string master_host(const Environment& environment, const Launcher& launcher) {
  if (&launcher == &kTorchrun) return required(environment, "MASTER_ADDR", "WORLD_SIZE");
  if (const std::string* host = find(environment, "MASTER_ADDR")) return *host;
  for (const char* name : {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"}) {
    if (const std::string* nodes = find(environment, name)) return first_host(*nodes, name);
  }
  const std::string* local_size = find(environment, "OMPI_COMM_WORLD_LOCAL_SIZE");
  if (&launcher == &kOpenMpi && local_size && *local_size != environment.find(kOpenMpi.size)->second)
    throw base::UsageError(
        "MASTER_ADDR is not set, and OMPI_COMM_WORLD_LOCAL_SIZE={} of OMPI_COMM_WORLD_SIZE={}: "
        "several machines take part",
        base::in_quotes(*local_size), environment.find(kOpenMpi.size)->second)
        .with_remedy("name the machine of rank 0: mpirun -x MASTER_ADDR=host");
  return "127.0.0.1";
}

// FNV-1a: the same on every rank, whatever the standard library.
uint64_t hash(std::string_view text) {
  uint64_t value = 14695981039346656037u;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return value;
}

uint16_t master_port(const Environment& environment, const Launcher& launcher) {
  const std::string* port = find(environment, "MASTER_PORT");
  if (&launcher == &kTorchrun) port = &required(environment, "MASTER_PORT", "WORLD_SIZE");
  if (port) return static_cast<uint16_t>(number("MASTER_PORT", *port, 1, 65535));
  // Two runs on one machine must not meet on one port; PMIX_NAMESPACE names one mpirun.
  if (const std::string* name = find(environment, "PMIX_NAMESPACE"); name && &launcher == &kOpenMpi)
    return static_cast<uint16_t>(kFirstJobPort + hash(*name) % kJobPorts);
  const std::string* job = find(environment, "SLURM_JOB_ID");
  if (!job) return kUsualPort;
  const std::string* step = find(environment, "SLURM_STEP_ID");
  return static_cast<uint16_t>(kFirstJobPort + hash(*job + "." + (step ? *step : "")) % kJobPorts);
}

[[noreturn]] void bad_list(std::string_view variable, std::string_view list) {
  throw base::UsageError("{}={} is not a list of hosts", variable, base::in_quotes(list))
      .with_remedy("set MASTER_ADDR to the machine of rank 0");
}

}  // namespace

Environment process_environment() {
  Environment result;
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      result.emplace(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
  }
  return result;
}

RankEnvironment read_rank_environment(const Environment& environment) {
  const Launcher* launcher = launcher_of(environment);
  if (!launcher) return {};
  RankEnvironment result = place_in_world(environment, *launcher);
  if (result.size == 1) return result;
  result.master_host = master_host(environment, *launcher);
  result.master_port = master_port(environment, *launcher);
  if (launcher != &kTorchrun) return result;
  const std::string* listens = find(environment, "TORCHELASTIC_USE_AGENT_STORE");
  result.launcher_listens = listens && *listens == "True";
  if (const std::string* attempt = find(environment, "TORCHELASTIC_RESTART_COUNT")) result.attempt = *attempt;
  return result;
}

std::string first_host(std::string_view node_list, std::string_view variable) {
  std::string host;
  size_t i = 0;
  while (i < node_list.size() && node_list[i] != ',') {
    if (node_list[i] != '[') {
      if (node_list[i] == ']' || static_cast<unsigned char>(node_list[i]) <= ' ')
        bad_list(variable, node_list);
      host += node_list[i++];
      continue;
    }
    const size_t close = node_list.find(']', i);
    const size_t end = node_list.find_first_not_of("0123456789", i + 1);  // zeros in front belong to the name
    if (close == std::string_view::npos || end == i + 1 ||
        (end != close && node_list[end] != '-' && node_list[end] != ','))
      bad_list(variable, node_list);
    host += node_list.substr(i + 1, end - i - 1);
    i = close + 1;
  }
  if (host.empty()) bad_list(variable, node_list);
  return host;
}

}  // namespace cuset::train
