// cuset_gpu_device FOLDER, or --serve FOLDER: a program's device that is a GPU. The program's host code runs in another process
// (docs/proof-of-work.md), which sends its device code as nvcc embedded it.
//
// The program has its allocations at addresses of its own choice: the GPU's memory is mapped at the same
// ones.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "cuda_driver.h"
#include "device_account.h"
#include "runtime/device_process/device_process.h"
#include "runtime/device_process/footprint.h"
#include "runtime/device_process/gpu_textures.h"
#include "runtime/remote/channel.h"

namespace cuset_emulator {
namespace {

using cuset::emulator::CudaDriver;
using Result = CudaDriver::Result;
using Handle = CudaDriver::Handle;
using Address = CudaDriver::Address;

constexpr uint64_t kReserved = 1ull << 40;            // addresses of each arena
constexpr uint64_t kVariableBase = 0x3000'0000'0000;  // where variables are as the program sees it
constexpr uint64_t kLargestKept = 16 << 20;           // larger variables keep their values over a reset
constexpr uint64_t kSharedWithoutAsking = 48 << 10;
constexpr int kMaxThreads = 0;     // CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
constexpr int kSharedBytes = 1;    // CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
constexpr int kDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr int kPoison = 0xFF;

struct Location {
  int type = 1;  // CU_MEM_LOCATION_TYPE_DEVICE
  int id = 0;
};
struct AllocationProperties {
  int type = 1;  // CU_MEM_ALLOCATION_TYPE_PINNED
  int handle_types = 0;
  Location location;
  void* unused = nullptr;
  unsigned char flags[8] = {};
};
struct AccessDescription {
  Location location;
  int flags = 3;  // CU_MEM_ACCESS_FLAGS_PROT_READWRITE
};
static_assert(sizeof(AllocationProperties) == 32 && sizeof(AccessDescription) == 12);

struct Kernel {
  Handle function = nullptr;
  std::vector<uint32_t> argument_sizes;
};

struct Variable {
  RemoteVariable seen;  // as the program sees it
  Address address = 0;
  std::vector<char> initial;
};

bool exists(const char* file) { return access(file, F_OK) == 0; }

class GpuDevice : public Device {
 public:
  GpuDevice() {
    driver_.call("cuInit", 0u);
    driver_.call("cuDeviceGet", &device_, 0);
    Handle context = nullptr;
    driver_.call("cuDevicePrimaryCtxRetain", &context, device_);
    driver_.call("cuCtxSetCurrent", context);
    const AllocationProperties properties;
    driver_.call("cuMemGetAllocationGranularity", &granularity_, &properties, 0);
    for (Handle* event : {&before_, &after_}) driver_.call("cuEventCreate", event, 0u);
  }

  void begin(const MemoryBases& bases) override {
    fresh_ = exists(CUSET_ZEROED_FILE) ? 0 : kPoison;
    for (const uint64_t base : {bases.device, bases.shared}) {
      Address reserved = 0;
      driver_.call("cuMemAddressReserve", &reserved, size_t{kReserved}, size_t{0}, Address{base}, 0ull);
      if (reserved != base) throw ChannelBroken("the arenas cannot lie where the program has them");
      arenas_.push_back(base);
    }
  }

  // Takes all back that the program was given. False where the context is of no more use: a kernel failed, or left
  // something that another program's could find.
  bool clear() {
    bool is_clean = driver_.ask("cuCtxSynchronize") == 0 && !uses_heap();
    is_clean = textures_.clear() && is_clean;
    for (const Handle module : modules_) is_clean = driver_.ask("cuModuleUnload", module) == 0 && is_clean;
    for (const auto& [begin, end] : mapped_)
      is_clean = driver_.ask("cuMemUnmap", Address{begin}, size_t{end - begin}) == 0 && is_clean;
    for (const uint64_t base : arenas_)
      is_clean = driver_.ask("cuMemAddressFree", Address{base}, size_t{kReserved}) == 0 && is_clean;
    is_clean = driver_.ask("cuCtxResetPersistingL2Cache") == 0 && is_clean;
    modules_.clear(), mapped_.clear(), arenas_.clear();
    images_.clear(), kernels_.clear(), variables_.clear(), allocations_.clear();
    next_variable_ = kVariableBase;
    return is_clean;
  }

  DeviceTraits traits() override {
    DeviceTraits traits;
    traits.compute_major = attribute(75);  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    traits.compute_minor = attribute(76);
    traits.multiprocessors = attribute(16);
    traits.clock_kilohertz = attribute(13);
    traits.memory_clock_kilohertz = attribute(36);
    traits.memory_bus_bits = attribute(37);
    traits.cache_bytes = attribute(38);
    traits.shared_per_block_on_request = static_cast<uint64_t>(attribute(97));
    traits.shared_per_multiprocessor = static_cast<uint64_t>(attribute(81));
    return traits;
  }

  std::vector<RemoteVariable> variables() override { return {}; }

  RemoteSymbols load(const RemoteImage& image) override {
    images_.emplace_back(image.bytes.begin(), image.bytes.end());
    Handle module = nullptr;
    driver_.call("cuModuleLoadData", &module, static_cast<const void*>(images_.back().data()));
    modules_.push_back(module);
    RemoteSymbols symbols;
    for (const std::string& name : image.kernels) symbols.kernels.push_back(find_kernel(module, name));
    for (const std::string& name : image.variables)
      if (const auto found = find_variable(module, name)) symbols.variables.push_back(*found);
    return symbols;
  }

  void allocate(const Allocation& wanted) override {
    const bool fits = std::any_of(arenas_.begin(), arenas_.end(), [&](uint64_t base) {
      return wanted.address - base < kReserved && wanted.bytes <= kReserved - (wanted.address - base);
    });
    if (!fits || wanted.bytes == 0 || overlaps(wanted))
      throw ChannelBroken("an allocation that cannot be made here");
    map_memory(wanted.address, wanted.address + wanted.bytes);
    driver_.call("cuMemsetD8_v2", Address{wanted.address}, fresh_, size_t{wanted.bytes});
    allocations_[wanted.address] = wanted.bytes;
  }

  // The addresses stay mapped: the program uses them again.
  void release(uint64_t address) override {
    if (allocations_.erase(address) == 0) throw ChannelBroken("memory that nobody allocated is freed");
  }

  void write(const Surface& to, std::span<const char> packed_bytes, const Box& box) override {
    std::vector<char> changed;
    const std::span<const char> content = textures_.handles().translated(packed_bytes, changed);
    const char* next = content.data();
    each_run(box, {&to}, [&](uint64_t y, uint64_t z, uint64_t bytes) {
      driver_.call("cuMemcpyHtoD_v2", place(row_address(to, y, z), bytes), static_cast<const void*>(next),
                   size_t{bytes});
      next += bytes;
    });
  }

  void read(std::span<char> packed_bytes, const Surface& from, const Box& box) override {
    char* next = packed_bytes.data();
    each_run(box, {&from}, [&](uint64_t y, uint64_t z, uint64_t bytes) {
      driver_.call("cuMemcpyDtoH_v2", static_cast<void*>(next), place(row_address(from, y, z), bytes),
                   size_t{bytes});
      next += bytes;
    });
  }

  void copy(const Surface& to, const Surface& from, const Box& box) override {
    each_run(box, {&to, &from}, [&](uint64_t y, uint64_t z, uint64_t bytes) {
      driver_.call("cuMemcpyDtoD_v2", place(row_address(to, y, z), bytes),
                   place(row_address(from, y, z), bytes), size_t{bytes});
    });
    driver_.call("cuCtxSynchronize");
  }

  void fill(const Surface& to, const Box& box, int value) override {
    each_run(box, {&to}, [&](uint64_t y, uint64_t z, uint64_t bytes) {
      driver_.call("cuMemsetD8_v2", place(row_address(to, y, z), bytes), static_cast<unsigned char>(value),
                   size_t{bytes});
    });
    driver_.call("cuCtxSynchronize");
  }

  int create_texture(const CusetTexture& texture, uint64_t& handle) override {
    return textures_.create(texture, handle);
  }

  void destroy_texture(uint64_t handle) override { textures_.destroy(handle); }

  void look_at(uint64_t address, std::span<char> bytes) override {
    driver_.call("cuMemcpyDtoH_v2", static_cast<void*>(bytes.data()), place(address, bytes.size()),
                 bytes.size());
  }

  LaunchEnd launch(const std::string& name, const LaunchShape& shape,
                   const std::vector<std::span<char>>& arguments) override {
    const auto found = kernels_.find(name);
    if (found == kernels_.end()) throw ChannelBroken("an unknown kernel");
    const Kernel& kernel = found->second;
    LaunchEnd end;
    end.footprint_bytes = footprint_of(arguments, [this](uint64_t word) { return memory_at(word); });
    std::vector<void*> values = values_of(kernel, arguments);
    if (shape.dynamic_shared_bytes > kSharedWithoutAsking)
      driver_.ask("cuFuncSetAttribute", kernel.function, kDynamicShared,
                  static_cast<int>(shape.dynamic_shared_bytes));
    driver_.ask("cuEventRecord", before_, Handle{nullptr});
    end.error = start_kernel(kernel, shape, values.data());
    driver_.ask("cuEventRecord", after_, Handle{nullptr});
    if (end.error == 0) end.error = driver_.ask("cuCtxSynchronize");
    float milliseconds = 0;
    if (end.error == 0 && driver_.ask("cuEventElapsedTime", &milliseconds, before_, after_) == 0)
      end.nanoseconds = static_cast<uint64_t>(milliseconds * 1e6f);
    return end;
  }

  void reset_variables() override {
    for (const auto& [seen, variable] : variables_)
      if (!variable.initial.empty())
        driver_.call("cuMemcpyHtoD_v2", variable.address, static_cast<const void*>(variable.initial.data()),
                     variable.initial.size());
  }

 private:
  // Whether kernels allocate memory themselves, which outlives the program.
  bool uses_heap() const {
    constexpr std::string_view kAllocate = "malloc";
    return std::any_of(images_.begin(), images_.end(), [&](const std::vector<char>& image) {
      return std::string_view(image.data(), image.size()).find(kAllocate) != std::string_view::npos;
    });
  }

  int attribute(int which) {
    int value = 0;
    driver_.call("cuDeviceGetAttribute", &value, which, device_);
    return value;
  }

  RemoteKernel find_kernel(Handle module, const std::string& name) {
    Kernel kernel;
    driver_.call("cuModuleGetFunction", &kernel.function, module, name.c_str());
    size_t offset = 0, bytes = 0;
    for (size_t i = 0; driver_.ask("cuFuncGetParamInfo", kernel.function, i, &offset, &bytes) == 0; ++i)
      kernel.argument_sizes.push_back(static_cast<uint32_t>(bytes));
    int shared = 0, threads = 0;
    driver_.call("cuFuncGetAttribute", &shared, kSharedBytes, kernel.function);
    driver_.call("cuFuncGetAttribute", &threads, kMaxThreads, kernel.function);
    kernels_[name] = kernel;
    return {name, kernel.argument_sizes, static_cast<uint32_t>(shared), static_cast<uint32_t>(threads)};
  }

  // Where the driver puts a variable is no address that the program is sure not to use for something else.
  std::optional<RemoteVariable> find_variable(Handle module, const std::string& name) {
    Variable variable;
    size_t bytes = 0;
    if (driver_.ask("cuModuleGetGlobal_v2", &variable.address, &bytes, module, name.c_str()) != 0)
      return std::nullopt;
    variable.seen = {name, next_variable_, bytes};
    next_variable_ += (bytes + 511) / 256 * 256;
    if (bytes <= kLargestKept) {
      variable.initial.resize(bytes);
      driver_.call("cuMemcpyDtoH_v2", static_cast<void*>(variable.initial.data()), variable.address, bytes);
    }
    variables_[variable.seen.address] = variable;
    return variable.seen;
  }

  static std::map<uint64_t, uint64_t>::const_iterator at_or_before(const std::map<uint64_t, uint64_t>& map,
                                                                   uint64_t address) {
    const auto after = map.upper_bound(address);
    return after == map.begin() ? map.end() : std::prev(after);
  }

  bool overlaps(const Allocation& wanted) const {
    const auto before = at_or_before(allocations_, wanted.address + wanted.bytes - 1);
    return before != allocations_.end() && before->first + before->second > wanted.address;
  }

  // Memory behind all addresses from `begin` to `end`, where there is none yet.
  void map_memory(uint64_t begin, uint64_t end) {
    begin = begin / granularity_ * granularity_;
    while (begin < end) {
      const auto before = at_or_before(mapped_, begin);
      if (before != mapped_.end() && before->second > begin) {
        begin = before->second;
        continue;
      }
      const auto after = mapped_.upper_bound(begin);
      uint64_t stop = (end + granularity_ - 1) / granularity_ * granularity_;
      if (after != mapped_.end()) stop = std::min(stop, after->first);
      map_whole(begin, stop);
      mapped_[begin] = stop;
      begin = stop;
    }
  }

  void map_whole(uint64_t begin, uint64_t end) {
    const AllocationProperties properties;
    const AccessDescription access;
    Address memory = 0;
    driver_.call("cuMemCreate", &memory, size_t{end - begin}, &properties, 0ull);
    driver_.call("cuMemMap", Address{begin}, size_t{end - begin}, size_t{0}, memory, 0ull);
    driver_.call("cuMemSetAccess", Address{begin}, size_t{end - begin}, &access, size_t{1});
    driver_.call("cuMemRelease", memory);  // goes when it is unmapped
    // Nothing of an earlier program is left beside the allocations either.
    driver_.call("cuMemsetD8_v2", Address{begin}, fresh_, size_t{end - begin});
  }

  // What an argument of a kernel reaches, as the program sees it.
  std::optional<ReachedMemory> memory_at(uint64_t word) const {
    if (const uint64_t bytes = textures_.bytes_of(word); bytes > 0) return ReachedMemory{word, word + bytes};
    const auto after = variables_.upper_bound(word);
    if (after != variables_.begin()) {
      const RemoteVariable& variable = std::prev(after)->second.seen;
      if (word - variable.address < variable.bytes)
        return ReachedMemory{variable.address, variable.address + variable.bytes};
    }
    const auto found = at_or_before(allocations_, word);
    if (found == allocations_.end() || word - found->first >= found->second) return std::nullopt;
    return ReachedMemory{found->first, found->first + found->second};
  }

  // Where the bytes that the program has at `seen` are. They belong to one allocation or variable.
  Address place(uint64_t seen, uint64_t bytes) const {
    if (const auto moved = place_of_variable(seen, bytes)) return *moved;
    const auto found = at_or_before(allocations_, seen);
    if (found == allocations_.end() || seen - found->first > found->second ||
        bytes > found->second - (seen - found->first))
      throw ChannelBroken("bytes outside of device memory");
    return seen;
  }

  std::optional<Address> place_of_variable(uint64_t seen, uint64_t bytes) const {
    const auto after = variables_.upper_bound(seen);
    if (after == variables_.begin()) return std::nullopt;
    const Variable& variable = std::prev(after)->second;
    const uint64_t offset = seen - variable.seen.address;
    if (offset > variable.seen.bytes || bytes > variable.seen.bytes - offset) return std::nullopt;
    return variable.address + offset;
  }

  // Rows of a box; as one where they lie one after the other everywhere.
  template <class Body>
  static void each_run(const Box& box, std::initializer_list<const Surface*> surfaces, Body body) {
    const bool is_packed = std::all_of(surfaces.begin(), surfaces.end(), [&](const Surface* surface) {
      return (box.height == 1 || surface->pitch == box.width) &&
             (box.depth == 1 || surface->slice == box.width * box.height);
    });
    if (is_packed) return body(0, 0, box.bytes());
    each_row(box, [&](uint64_t y, uint64_t z) { body(y, z, box.width); });
  }

  // Pointers to variables and handles of textures, also inside of structs, become what they are here.
  std::vector<void*> values_of(const Kernel& kernel, const std::vector<std::span<char>>& arguments) const {
    if (arguments.size() != kernel.argument_sizes.size())
      throw ChannelBroken("a launch with other arguments");
    std::vector<void*> values;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].size() != kernel.argument_sizes[i])
        throw ChannelBroken("a launch with other arguments");
      for (size_t at = 0; at + 8 <= arguments[i].size(); at += 8) {
        uint64_t word;
        std::memcpy(&word, arguments[i].data() + at, 8);
        if (const auto moved = place_of_variable(word, 0)) std::memcpy(arguments[i].data() + at, &*moved, 8);
      }
      textures_.handles().translate(arguments[i]);
      values.push_back(arguments[i].data());
    }
    return values;
  }

  Result start_kernel(const Kernel& kernel, const LaunchShape& shape, void** values) {
    const uint32_t *grid = shape.grid, *block = shape.block;
    if (shape.cooperative)
      return driver_.ask("cuLaunchCooperativeKernel", kernel.function, grid[0], grid[1], grid[2], block[0],
                         block[1], block[2], shape.dynamic_shared_bytes, Handle{nullptr}, values);
    return driver_.ask("cuLaunchKernel", kernel.function, grid[0], grid[1], grid[2], block[0], block[1],
                       block[2], shape.dynamic_shared_bytes, Handle{nullptr}, values,
                       static_cast<void**>(nullptr));
  }

  CudaDriver driver_;
  int device_ = 0;
  size_t granularity_ = 0;
  unsigned char fresh_ = kPoison;              // what memory holds that nobody has written
  Handle before_ = nullptr, after_ = nullptr;  // events around a launch
  std::vector<uint64_t> arenas_;
  std::vector<std::vector<char>> images_;
  std::vector<Handle> modules_;
  std::map<std::string, Kernel> kernels_;
  std::map<uint64_t, Variable> variables_;    // by the address that the program sees
  std::map<uint64_t, uint64_t> allocations_;  // address -> bytes
  std::map<uint64_t, uint64_t> mapped_;       // begin -> end
  uint64_t next_variable_ = kVariableBase;
  GpuTextures textures_{driver_, [this](uint64_t seen, uint64_t bytes) { return place(seen, bytes); }};
};

// Where we are timed, others leave the device while we work.
void wait_at_gate() {
  if (!exists(CUSET_GATE_FILE)) return;
  std::ofstream(CUSET_READY_FILE);
  while (!exists(CUSET_GO_FILE)) usleep(500);
}

// Waits for a folder to appear.
void wait_for(const std::string& folder) {
  constexpr unsigned kShortest = 200, kLongest = 5000;  // us
  for (unsigned pause = kShortest; !exists(folder.c_str()); pause = std::min(kLongest, pause + pause / 16))
    usleep(pause);
}

// What the judge laid into `job`, as if it lay here.
void link_files(const std::filesystem::path& job) {
  for (const auto& entry : std::filesystem::directory_iterator(job))
    std::filesystem::create_symlink(entry.path(), entry.path().filename());
}

// One program after the other, as long as the context can be used again.
void serve_programs(GpuDevice& device, const std::filesystem::path& jobs) {
  bool is_clean = true;
  for (uint64_t number = 0; is_clean; ++number) {
    const std::string job = CUSET_JOB_PREFIX + std::to_string(number);
    wait_for((jobs / job).string());
    if (number > 0) std::filesystem::remove_all(CUSET_JOB_PREFIX + std::to_string(number - 1));
    std::filesystem::create_directory(job);
    std::filesystem::current_path(job);
    link_files(jobs / job);
    std::string pipes;
    std::getline(std::ifstream(CUSET_PIPES_FILE), pipes);
    serve_program(device, pipes.c_str());
    std::filesystem::current_path("..");
    is_clean = device.clear();
    std::ofstream("done.new") << (is_clean ? "0" : "last");
    std::filesystem::rename("done.new", CUSET_DONE_PREFIX + std::to_string(number));
  }
}

}  // namespace
}  // namespace cuset_emulator

int main(int count, char** words) {
  const bool serves_many = count == 3 && std::strcmp(words[1], "--serve") == 0;
  if (count != 2 && !serves_many) return 2;
  try {
    cuset_emulator::GpuDevice device;
    if (serves_many) return cuset_emulator::serve_programs(device, words[2]), 0;
    cuset_emulator::wait_at_gate();
    return cuset_emulator::serve_program(device, words[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
