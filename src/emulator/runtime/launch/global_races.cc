#include "runtime/launch/global_races.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <deque>

namespace cuset_emulator {
namespace {

constexpr uint64_t kWord = 4;
constexpr uint64_t kMostFollowed = 32 << 20;  // bytes of memory that have marks
constexpr uint32_t kLastTime = UINT32_MAX - 2;

using Touch = GlobalRaces::Touch;

uint64_t thread_key(uint32_t block, uint16_t thread) { return uint64_t{block} << 16 | thread; }

uint64_t words_of(uint64_t bytes) { return (bytes + kWord - 1) / kWord; }

bool is_plain_write(Touch touch) { return touch == Touch::kWrite || touch == Touch::kWriteUniform; }

// Whether two accesses that nothing orders race, as far as their kinds tell.
bool conflict(Touch earlier, Touch later) {
  if (later == Touch::kRead) return earlier == Touch::kWrite;
  if (later == Touch::kUpdate) return is_plain_write(earlier);
  return earlier != Touch::kRead || later == Touch::kWrite;
}

}  // namespace

// Never destroyed: the program's own destructors may still launch.
GlobalRaces& GlobalRaces::instance() {
  static GlobalRaces& races = *new GlobalRaces;
  return races;
}

void GlobalRaces::begin_launch() {
  pending_.reset();
  words_.clear();
  listeners_.clear();
  thread_fences_.clear();
  block_fences_.clear();
  if (time_ > kLastTime / 2) {  // marks are compared by time, which must not wrap
    forget_shadows();
    time_ = 0;
  }
  launch_start_ = ++time_;
  grid_barrier_ = 0;
}

void GlobalRaces::pass_grid_barrier() { grid_barrier_ = ++time_; }

GlobalRaces::Cell* GlobalRaces::cells_of(const Allocation& allocation) {
  Shadow& recent = recent_[allocation.address / 512 % std::size(recent_)];
  if (recent.number == allocation.number && recent.start == allocation.address) return recent.cells;
  Shadow& shadow = shadows_[allocation.address];
  if (shadow.cells == nullptr || shadow.number != allocation.number || shadow.bytes != allocation.bytes) {
    if (allocation.bytes > kMostFollowed) return nullptr;
    if (shadow_bytes_ + allocation.bytes > kMostFollowed) {
      forget_shadows();
      return cells_of(allocation);
    }
    if (shadow.cells != nullptr) ::munmap(shadow.cells, words_of(shadow.bytes) * sizeof(Cell));
    shadow_bytes_ += allocation.bytes - shadow.bytes;
    void* memory = ::mmap(nullptr, words_of(allocation.bytes) * sizeof(Cell), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) memory = nullptr;
    shadow = {allocation.number, allocation.address, allocation.bytes, static_cast<Cell*>(memory)};
  }
  recent = shadow;
  return shadow.cells;
}

void GlobalRaces::forget_shadows() {
  for (auto& [start, shadow] : shadows_) {
    if (shadow.cells != nullptr) ::munmap(shadow.cells, words_of(shadow.bytes) * sizeof(Cell));
  }
  shadows_.clear();
  shadow_bytes_ = 0;
  std::fill(std::begin(recent_), std::end(recent_), Shadow{});
}

void GlobalRaces::fence(const Actor& actor) {
  const auto block = static_cast<uint32_t>(actor.block);
  thread_fences_[thread_key(block, static_cast<uint16_t>(actor.thread))].push_back(++time_);
  block_fences_[block].push_back(time_);
  ++time_;  // what follows comes behind it
}

// Without a fence, a word tells nothing. Later words of a thread to the same listeners replace earlier ones: they tell
// more.
void GlobalRaces::tell(uint64_t address, const Actor& actor, bool releases) {
  const auto block = static_cast<uint32_t>(actor.block);
  if (!releases && block_fences_.find(block) == block_fences_.end()) return;
  Word& word = words_[address];
  Tells& tells = word.told[block];
  const auto thread = static_cast<uint16_t>(actor.thread);
  if (!tells.empty() && tells.back().time > word.last_heard && tells.back().thread == thread &&
      tells.back().releases <= releases)
    tells.pop_back();
  tells.push_back({++time_, thread, releases});
  ++time_;  // what follows is not told
}

void GlobalRaces::hear(uint64_t address, const Actor& actor, const Allocation& allocation) {
  Word& word = words_[address];
  if (const Cell* cells = cells_of(allocation)) {
    // An atomic update has told by itself.
    const Mark& flag = cells[(address - allocation.address) / kWord].write;
    if (flag.time >= launch_start_ && block_fences_.find(flag.block) != block_fences_.end()) {
      Tells& tells = word.told[flag.block];
      if (tells.empty() || tells.back().time < flag.time) tells.push_back({flag.time, flag.thread, false});
    }
  }
  word.last_heard = ++time_;
  listeners_[static_cast<uint32_t>(actor.block)][address] = time_;
}

// As if each had told all others of everything, by a word that no program has.
void GlobalRaces::meet(const std::vector<uint64_t>& blocks) {
  const uint64_t address = 2 * blocks.front() + 1;
  for (const uint64_t block : blocks) tell(address, {block, 0, 0, 0}, true);
  words_[address].last_heard = ++time_;
  for (const uint64_t block : blocks) listeners_[static_cast<uint32_t>(block)][address] = time_;
}

bool GlobalRaces::had_fence(uint32_t block, uint16_t thread, uint32_t after, uint32_t until) const {
  const auto fences = thread_fences_.find(thread_key(block, thread));
  if (fences == thread_fences_.end()) return false;
  const auto next = std::upper_bound(fences->second.begin(), fences->second.end(), after);
  return next != fences->second.end() && *next <= until;
}

// Whether the word tells of the marked access of the same block.
bool GlobalRaces::is_told(const Told& told, const Mark& earlier) const {
  if (told.time < earlier.time) return false;
  return told.releases || had_fence(earlier.block, told.thread, earlier.time, told.time) ||
         had_fence(earlier.block, earlier.thread, earlier.time, told.time);
}

bool GlobalRaces::is_told(const Tells& tells, const Mark& earlier, uint32_t heard) const {
  for (auto told = tells.rbegin(); told != tells.rend() && told->time >= earlier.time; ++told)
    if (told->time < heard && is_told(*told, earlier)) return true;
  return false;
}

// Until when what a block had heard itself is passed on by what it told before `heard`; 0: nothing.
uint32_t GlobalRaces::told_until(const Tells& tells, uint32_t block, uint32_t heard) const {
  uint32_t until = 0;
  const auto fences = block_fences_.find(block);
  for (auto told = tells.rbegin(); told != tells.rend() && told->time > until; ++told) {
    if (told->time >= heard) continue;
    if (told->releases) return std::max(until, told->time);
    if (fences == block_fences_.end()) continue;
    const auto after = std::upper_bound(fences->second.begin(), fences->second.end(), told->time);
    if (after != fences->second.begin()) until = std::max(until, *std::prev(after));
  }
  return until;
}

// From the marked block itself, without others in between.
bool GlobalRaces::has_heard_directly(const Mark& earlier, uint32_t block) {
  for (const auto& [address, heard] : listeners_[block]) {
    const auto& told = words_[address].told;
    const auto tells = told.find(earlier.block);
    if (tells != told.end() && is_told(tells->second, earlier, heard)) return true;
  }
  return false;
}

// Follows messages back from the block until one of the marked block after the mark. Only asked where there
// would be a race.
bool GlobalRaces::has_heard(const Mark& earlier, uint32_t block) {
  std::unordered_map<uint32_t, uint32_t> reached{{block, time_ + 1}};  // block -> latest time that counts
  std::deque<uint32_t> open{block};
  while (!open.empty()) {
    const uint32_t listener = open.front();
    open.pop_front();
    const uint32_t until = reached[listener];
    for (const auto& [address, last] : listeners_[listener]) {
      const uint32_t heard = std::min(last, until);
      for (const auto& [teller, tells] : words_[address].told) {
        if (teller == earlier.block && is_told(tells, earlier, heard)) return true;
        const uint32_t passed_on = told_until(tells, teller, heard);
        uint32_t& known = reached[teller];
        if (passed_on <= known) continue;
        known = passed_on;
        open.push_back(teller);
      }
    }
  }
  return false;
}

bool GlobalRaces::is_ordered(const Mark& earlier, const Access& access, OrderInBlock ordered,
                             const void* block) {
  if (earlier.time < grid_barrier_) return true;
  if (earlier.block == static_cast<uint32_t>(access.actor.block))
    return ordered(block, earlier, access.actor);
  const auto later = static_cast<uint32_t>(access.actor.block);
  return has_heard_directly(earlier, later) || has_heard(earlier, later);
}

// Of this launch, of another thread, and of at least one of these bytes.
bool GlobalRaces::meets(const Mark& mark, const Access& access, uint8_t bytes) const {
  if (mark.time < launch_start_ || (mark.bytes & bytes) == 0) return false;
  return mark.block != static_cast<uint32_t>(access.actor.block) || mark.thread != access.actor.thread;
}

GlobalRaces::Race GlobalRaces::race_with(const Mark& earlier, const Access& access) const {
  return {earlier, sites_[earlier.site], access.touch, access.actor, access.site};
}

std::optional<GlobalRaces::Race> GlobalRaces::check(const Cell& cell, const Access& access, uint8_t bytes,
                                                    OrderInBlock ordered, const void* block) {
  for (const Mark* mark : {&cell.write, &cell.update, &cell.read, &cell.other_read}) {
    if (!meets(*mark, access, bytes) || !conflict(mark->touch, access.touch)) continue;
    if (is_ordered(*mark, access, ordered, block)) continue;
    const Race race = race_with(*mark, access);
    if (!is_plain_write(access.touch)) return race;
    suspend_until_written(race, access);
    break;
  }
  return std::nullopt;
}

void GlobalRaces::suspend_until_written(const Race& race, const Access& access) {
  if (access.bytes > sizeof(Pending::before)) return;
  pending_.emplace(Pending{race, access.address, access.bytes, {}});
  std::memcpy(pending_->before, reinterpret_cast<const void*>(access.address), access.bytes);
}

std::optional<GlobalRaces::Race> GlobalRaces::take_pending() {
  if (!pending_) return std::nullopt;
  const bool changed =
      std::memcmp(pending_->before, reinterpret_cast<const void*>(pending_->address), pending_->bytes) != 0;
  const Race race = pending_->race;
  pending_.reset();
  return changed ? std::optional(race) : std::nullopt;
}

void GlobalRaces::note(Cell& cell, const Access& access, uint8_t bytes) {
  const Actor& actor = access.actor;
  Mark mark{time_,       static_cast<uint32_t>(actor.block),
            actor.epoch, static_cast<uint16_t>(actor.thread),
            actor.clock, number_of(access.site),
            bytes,       access.touch};
  if (access.touch != Touch::kRead) {
    // Neighboring bytes that the same thread wrote stay marked.
    Mark& last = access.touch == Touch::kUpdate ? cell.update : cell.write;
    if (last.time >= launch_start_ && last.block == mark.block && last.thread == mark.thread &&
        last.epoch == mark.epoch && last.touch == mark.touch)
      mark.bytes |= last.bytes;
    last = mark;
    return;
  }
  const bool same_reader =
      cell.read.time >= launch_start_ && cell.read.block == mark.block && cell.read.thread == mark.thread;
  if (same_reader) {
    mark.bytes |= cell.read.bytes;
  } else if (cell.read.time >= launch_start_) {
    cell.other_read = cell.read;
  }
  cell.read = mark;
}

std::optional<GlobalRaces::Race> GlobalRaces::access(const Access& access, const Allocation& allocation,
                                                     OrderInBlock ordered, const void* block) {
  Cell* cells = cells_of(allocation);
  if (cells == nullptr) return std::nullopt;
  std::optional<Race> race;
  const uint64_t first = access.address - allocation.address;
  const uint64_t last = first + access.bytes;
  for (uint64_t word = first / kWord; word * kWord < last; ++word) {
    const uint64_t from = std::max(first, word * kWord) % kWord;
    const uint64_t count = std::min(last - word * kWord, kWord) - from;
    const auto bytes = static_cast<uint8_t>(((1u << count) - 1) << from);
    Cell& cell = cells[word];
    if (!race && !pending_) race = check(cell, access, bytes, ordered, block);
    note(cell, access, bytes);
  }
  return race;
}

uint16_t GlobalRaces::number_of(const CusetSite* site) {
  if (sites_[last_site_] == site) return last_site_;
  const auto [known, is_new] = site_numbers_.try_emplace(site, static_cast<uint16_t>(0));
  if (is_new && sites_.size() < UINT16_MAX) {
    known->second = static_cast<uint16_t>(sites_.size());
    sites_.push_back(site);
  }
  return last_site_ = known->second;
}

}  // namespace cuset_emulator
