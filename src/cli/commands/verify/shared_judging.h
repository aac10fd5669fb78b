// How `cuset verify` shares its answers with other processes (judge/results/shared_work.h): as ranks that torchrun,
// mpirun or srun started, through c10d's store; or over standard input and output, for programs that carry messages by
// themselves, as the Python package does on Ray.
//
// On pipes a message is one line of JSON. The owner's lines to helper NAME are {"to": NAME, "body": {...}}, those to it
// {"from": NAME, "body": {...}}; a helper reads and writes bodies alone.
#pragma once

#include <memory>

#include "judge/results/shared_work.h"
#include "train/ranks/rank_mailbox.h"

namespace cuset::cli {

// Over standard input and output. Throws Error from receive() where the input ends.
std::unique_ptr<judge::Crew> make_pipe_crew();
std::unique_ptr<judge::OwnerLink> make_pipe_link();

// `mailbox` must outlive the result.
std::unique_ptr<judge::Crew> make_rank_crew(train::RankMailbox& mailbox);
std::unique_ptr<judge::OwnerLink> make_rank_link(train::RankMailbox& mailbox);

// The answers that each of `sharers` processes on the same cores judges at a time; `wanted` is --workers.
int workers_of_rank(int64_t wanted, int sharers);

}  // namespace cuset::cli
