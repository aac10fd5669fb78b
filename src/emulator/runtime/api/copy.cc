#include "runtime/api/copy.h"

#include <cstring>
#include <optional>

#include "runtime/launch/timeline.h"
#include "runtime/memory/device_gate.h"
#include "runtime/memory/memory.h"
#include "runtime/remote/remote_device.h"

namespace cuset_emulator {
namespace {

// What the host or a copy engine may do with an address.
struct Place {
  bool host = false;
  bool device = false;
  uint64_t bytes = 0;  // from the address on
};

bool is_on_device(const Allocation& allocation) {
  return allocation.kind == MemoryKind::kDevice || allocation.kind == MemoryKind::kVariable;
}

bool is_on_device(uint64_t address) {
  const std::optional<Allocation> found = find_allocation(address);
  return found && is_on_device(*found);
}

Place place_of(uint64_t address) {
  std::optional<Allocation> found = find_allocation(address);
  if (!found) return is_reserved(address) ? Place{} : Place{true, false, UINT64_MAX};
  if (found->freed) return Place{};
  uint64_t rest = found->address + found->bytes - address;
  return {!is_on_device(*found), true, rest};
}

// Bytes from the first to the last of the box; none if that overflows.
std::optional<uint64_t> span(const Surface& surface, const Box& box) {
  __uint128_t bytes = static_cast<__uint128_t>(box.depth - 1) * surface.slice +
                      static_cast<__uint128_t>(box.height - 1) * surface.pitch + box.width;
  if (bytes > UINT64_MAX / 2) return std::nullopt;
  return static_cast<uint64_t>(bytes);
}

bool is_empty(const Box& box) { return box.width == 0 || box.height == 0 || box.depth == 0; }

bool fits(const Place& place, const Surface& surface, const Box& box) {
  std::optional<uint64_t> bytes = span(surface, box);
  return bytes && *bytes <= place.bytes;
}

bool has_bad_pitch(const Surface& surface, const Box& box) {
  return box.height > 1 && surface.pitch < box.width;
}

// Whether both places are what the direction says.
bool match(const Place& to, const Place& from, cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return to.host && from.host;
    case cudaMemcpyHostToDevice:
      return to.device && from.host;
    case cudaMemcpyDeviceToHost:
      return to.host && from.device;
    case cudaMemcpyDeviceToDevice:
      return to.device && from.device;
    case cudaMemcpyDefault:
      return (to.host || to.device) && (from.host || from.device);
  }
  return false;
}

// Rows that lie one after the other become one.
Box joined(const Surface& a, const Surface& b, Box box) {
  if (a.pitch == box.width && b.pitch == box.width) {
    box.width *= box.height;
    box.height = 1;
    if (a.slice == box.width && b.slice == box.width) {
      box.width *= box.depth;
      box.depth = 1;
    }
  }
  return box;
}

void copy_rows_here(const Surface& to, const Surface& from, const Box& box) {
  DeviceGate::Passage passage(device_gate(), {to.address, *span(to, box)}, {from.address, *span(from, box)});
  each_row(box, [&](uint64_t y, uint64_t z) {
    std::memmove(reinterpret_cast<void*>(row_address(to, y, z)),
                 reinterpret_cast<const void*>(row_address(from, y, z)), box.width);
  });
}

// Where the device is another process, its memory is there; what host and device share is kept here.
void copy_rows(const Surface& to, const Surface& from, const Box& box) {
  RemoteDevice* remote = remote_device();
  const bool to_remote = remote != nullptr && is_on_device(to.address);
  const bool from_remote = remote != nullptr && is_on_device(from.address);
  if (to_remote && from_remote) {
    remote->copy(to, from, box);
  } else if (to_remote) {
    remote->write(to, from, box);
  } else if (from_remote) {
    remote->read(to, from, box);
  } else {
    copy_rows_here(to, from, box);
  }
}

const char* copy_kind(bool to_host, bool from_host) {
  if (to_host) return from_host ? "other" : "DtoH";
  return from_host ? "HtoD" : "DtoD";
}

void fill_rows(const Surface& to, const Box& box, int value) {
  if (RemoteDevice* remote = remote_device(); remote != nullptr && is_on_device(to.address)) {
    remote->fill(to, box, value);
    return;
  }
  DeviceGate::Passage passage(device_gate(), {to.address, *span(to, box)}, {});
  each_row(box, [&](uint64_t y, uint64_t z) {
    std::memset(reinterpret_cast<void*>(row_address(to, y, z)), value, box.width);
  });
}

void track_copy(const Surface& to, const Surface& from, const Box& box, bool from_device) {
  if (!tracks_initialization()) return;
  each_row(box, [&](uint64_t y, uint64_t z) {
    if (from_device) {
      copy_initialization(row_address(to, y, z), row_address(from, y, z), box.width);
    } else {
      mark_initialized(row_address(to, y, z), box.width);
    }
  });
}

}  // namespace

cudaError_t check_copy(const Surface& to, const Surface& from, const Box& box, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (is_empty(box)) return cudaSuccess;
  if (to.address == 0 || from.address == 0) return cudaErrorInvalidValue;
  if (has_bad_pitch(to, box) || has_bad_pitch(from, box)) return cudaErrorInvalidPitchValue;
  Place target = place_of(to.address);
  Place source = place_of(from.address);
  if (!match(target, source, kind)) return cudaErrorInvalidValue;
  if (!fits(target, to, box) || !fits(source, from, box)) return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t copy_box(const Surface& to, const Surface& from, const Box& box, cudaMemcpyKind kind) {
  if (cudaError_t error = check_copy(to, from, box, kind); error != cudaSuccess) return error;
  if (is_empty(box)) return cudaSuccess;
  Box rows = joined(to, from, box);
  const bool to_host = place_of(to.address).host, from_host = place_of(from.address).host;
  const uint64_t start = timeline_start();
  copy_rows(to, from, rows);
  note_copy(start, copy_kind(to_host, from_host), rows.width * rows.height * rows.depth);
  track_copy(to, from, rows, !from_host);
  return cudaSuccess;
}

bool is_pageable(const void* memory) {
  const auto address = reinterpret_cast<uint64_t>(memory);
  return !find_allocation(address) && !is_reserved(address);
}

cudaError_t check_fill(const Surface& to, const Box& box) {
  if (is_empty(box)) return cudaSuccess;
  if (to.address == 0) return cudaErrorInvalidValue;
  if (has_bad_pitch(to, box)) return cudaErrorInvalidPitchValue;
  Place target = place_of(to.address);
  return target.device && fits(target, to, box) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t fill_box(const Surface& to, const Box& box, int value) {
  if (cudaError_t error = check_fill(to, box); error != cudaSuccess) return error;
  if (is_empty(box)) return cudaSuccess;
  Box rows = joined(to, to, box);
  const uint64_t start = timeline_start();
  fill_rows(to, rows, value);
  note_fill(start, rows.width * rows.height * rows.depth);
  if (tracks_initialization()) {
    each_row(rows, [&](uint64_t y, uint64_t z) { mark_initialized(row_address(to, y, z), rows.width); });
  }
  return cudaSuccess;
}

}  // namespace cuset_emulator
