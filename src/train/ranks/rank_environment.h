// Which rank of how many this process is, read from the variables that the starting program sets:
//
//   torchrun         RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT
//   mpirun           OMPI_COMM_WORLD_{RANK,SIZE,LOCAL_RANK} (Open MPI),
//                    PMI_{RANK,SIZE}, MPI_LOCALRANKID (MPICH, Intel MPI)
//   srun             SLURM_PROCID, SLURM_STEP_NUM_TASKS or SLURM_NTASKS, SLURM_LOCALID
//
// The first of them that is there counts. MASTER_ADDR and MASTER_PORT override where rank 0 is looked for in
// every case; else it is the first host of Slurm's node list, or this machine. Slurm's variables also exist
// in the shell of a batch script, where nobody started other ranks: only a step that srun made counts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cuset::train {

using Environment = std::map<std::string, std::string, std::less<>>;

struct RankEnvironment {
  std::string launcher;           // "torchrun", "mpirun" or "srun"; empty: started alone
  int rank = 0;                   // 0 to size - 1
  int size = 1;                   // ranks in all
  std::optional<int> local_rank;  // among the ranks of this machine, where the launcher says it
  std::string master_host;        // where rank 0 listens; empty where size is 1
  uint16_t master_port = 0;
  bool launcher_listens = false;  // torchrun's own process listens there instead of rank 0
  std::string attempt = "0";      // counts torchrun's restarts, whose keys must not mix
};

// The variables of this process.
Environment process_environment();

// Throws UsageError with the variable and its value where one is malformed, missing or contradicts another.
RankEnvironment read_rank_environment(const Environment& environment);

// The first host of a Slurm node list: "gpu[003-007,9],cpu1" gives "gpu003". Throws UsageError for a
// malformed list; `variable` opens the message.
std::string first_host(std::string_view node_list, std::string_view variable);

}  // namespace cuset::train
