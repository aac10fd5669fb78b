// CRC-32C (Castagnoli; polynomial 0x1EDC6F41 reflected, as in iSCSI, RFC 3720 B.4): checksums of checkpoint
// files and of TensorBoard's records. By the processor's own instruction where it has one (SSE 4.2), else
// eight bytes per round through eight tables (Kounavis and Berry, "Novel table lookup-based algorithms for
// high-performance CRC generation", 2008).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cuset::base {

// The checksum of `bytes`, or of what `before` is the checksum of followed by `bytes`.
uint32_t crc32c(std::span<const std::byte> bytes, uint32_t before = 0);
uint32_t crc32c(std::string_view text, uint32_t before = 0);

// The same through the tables on every processor: what the instruction is tested against.
uint32_t crc32c_by_tables(std::span<const std::byte> bytes, uint32_t before = 0);

}  // namespace cuset::base
