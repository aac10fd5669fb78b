// Memory of graphs: what allocation nodes give. It has one address as long as the graph or an executable of it lives; an
// allocation node makes it usable, a free node or cudaFree ends that, and the next launch makes it usable again.
#pragma once

#include <cstdint>
#include <memory>

namespace cuset_emulator {

class GraphMemory {
 public:
  // Null where the device has no more memory.
  static std::shared_ptr<GraphMemory> allocate(uint64_t bytes);
  ~GraphMemory();
  GraphMemory(const GraphMemory&) = delete;
  GraphMemory& operator=(const GraphMemory&) = delete;

  uint64_t address() const { return address_; }
  uint64_t bytes() const { return bytes_; }
  void begin_use();

 private:
  GraphMemory(uint64_t address, uint64_t bytes) : address_(address), bytes_(bytes) {}
  uint64_t address_;
  uint64_t bytes_;
};

// What a graph gave out at this address: keeps it alive; null if there is none.
std::shared_ptr<GraphMemory> find_graph_memory(uint64_t address);
// False if the address is no graph's. Of memory that is not in use, as of any other, that is an error of the program.
bool is_graph_memory(uint64_t address);
bool end_graph_memory_use(uint64_t address);

struct GraphMemoryUse {
  uint64_t used = 0;
  uint64_t most_used = 0;
  uint64_t reserved = 0;
  uint64_t most_reserved = 0;
};
GraphMemoryUse graph_memory_use();
void reset_graph_memory_peaks();

}  // namespace cuset_emulator
