#include "train/ranks/rendezvous.h"

#include <sched.h>
#include <unistd.h>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <fstream>

#include "base/error.h"
#include "base/json/json.h"

namespace cuset::train {
namespace {

using std::chrono::milliseconds;

double seconds(milliseconds time) { return std::chrono::duration<double>(time).count(); }

// The boot's number tells machines apart that were given one host name.
std::string this_machine() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  return fmt::format("{} {}", name, boot);
}

std::string these_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return "";
  std::string text;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &cores)) text += fmt::format("{} ", core);
  }
  return text;
}

c10::intrusive_ptr<c10d::Store> open_store(const RankEnvironment& environment, milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = environment.master_port;
  options.isServer = environment.rank == 0 && !environment.launcher_listens;
  options.waitWorkers = false;
  options.timeout = timeout;
  try {
    const auto store = c10::make_intrusive<c10d::TCPStore>(environment.master_host, options);
    return c10::make_intrusive<c10d::PrefixStore>("cuset/" + environment.attempt, store);
  } catch (const std::exception& fault) {
    if (options.isServer)
      throw base::Error("rank 0 cannot listen at {}:{}: {}", environment.master_host, environment.master_port,
                        short_reason(fault))
          .with_remedy("set MASTER_PORT to a free port and MASTER_ADDR to the machine of rank 0");
    throw base::Error("rank {} did not reach rank 0 at {}:{} within {} s: {}", environment.rank,
                      environment.master_host, environment.master_port, seconds(timeout), short_reason(fault))
        .with_remedy("check that rank 0 runs there, MASTER_ADDR and MASTER_PORT, and the firewall");
  }
}

std::string place_key(int rank) { return fmt::format("place/{}", rank); }

void write_place(c10d::Store& store, const RankEnvironment& environment) {
  if (store.add(fmt::format("claimed/{}", environment.rank), 1) > 1)
    throw base::UsageError("two processes were started as rank {}", environment.rank)
        .with_remedy("give every process its own rank, and every run its own MASTER_PORT");
  const base::Json place{{"machine", this_machine()}, {"cores", these_cores()}, {"size", environment.size}};
  store.set(place_key(environment.rank), base::to_json_line(place));
}

[[noreturn]] void throw_missing(c10d::Store& store, const RankEnvironment& environment,
                                milliseconds timeout) {
  std::string missing;
  int arrived = 0;
  for (int rank = 0; rank < environment.size; ++rank) {
    if (store.check({place_key(rank)})) {
      ++arrived;
    } else {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", rank);
    }
  }
  throw base::Error("{} of {} ranks arrived within {} s; missing: {}", arrived, environment.size,
                    seconds(timeout), missing)
      .with_remedy("look at the output of the missing ranks; all meet at {}:{}", environment.master_host,
                   environment.master_port);
}

void wait_for_all(c10d::Store& store, const RankEnvironment& environment, milliseconds timeout) {
  std::vector<std::string> keys;
  for (int rank = 0; rank < environment.size; ++rank) keys.push_back(place_key(rank));
  try {
    store.wait(keys, timeout);
  } catch (const std::exception&) {
    throw_missing(store, environment, timeout);
  }
}

std::vector<RankPlace> read_places(c10d::Store& store, const RankEnvironment& environment) {
  std::vector<RankPlace> places;
  for (int rank = 0; rank < environment.size; ++rank) {
    const base::Json place =
        base::parse_json(store.get_to_str(place_key(rank)), fmt::format("the place of rank {}", rank));
    const int size = place.at("size");
    if (size != environment.size)
      throw base::UsageError("rank {} was started as one of {} ranks, rank {} as one of {}", rank, size,
                             environment.rank, environment.size)
          .with_remedy("give every run its own MASTER_PORT");
    places.push_back({place.at("machine"), place.at("cores")});
  }
  return places;
}

}  // namespace

std::string short_reason(const std::exception& fault) {
  std::string_view text = fault.what();
  text = text.substr(0, text.find('\n'));
  text = text.substr(0, text.find(". This is"));  // Gloo adds advice on its own logs
  if (text.starts_with('[') && text.find("] ") != text.npos) text.remove_prefix(text.find("] ") + 2);
  return base::in_quotes(text, 200);
}

Rendezvous meet(const RankEnvironment& environment, milliseconds timeout) {
  Rendezvous result;
  result.store = open_store(environment, timeout);
  try {
    write_place(*result.store, environment);
    wait_for_all(*result.store, environment, timeout);
    result.places = read_places(*result.store, environment);
  } catch (const base::Error&) {
    throw;
  } catch (const std::exception& fault) {
    throw base::Error("rank {} lost rank 0 while the ranks were meeting: {}", environment.rank,
                      short_reason(fault))
        .with_remedy("look at the output of rank 0");
  }
  return result;
}

}  // namespace cuset::train
