#include "cuda_source/words.h"

#include <array>

namespace cuset::cuda_source {
namespace {

struct Entry {
  std::string_view text;
  Keyword word;
};

constexpr Entry kEntries[] = {
    {"__global__", Keyword::kGlobal},
    {"__device__", Keyword::kDevice},
    {"__host__", Keyword::kHost},
    {"__shared__", Keyword::kShared},
    {"__launch_bounds__", Keyword::kAttribute},
    {"__attribute__", Keyword::kAttribute},
    {"__declspec", Keyword::kAttribute},
    {"__cluster_dims__", Keyword::kAttribute},
    {"__block_size__", Keyword::kAttribute},
    {"__maxnreg__", Keyword::kAttribute},
    {"__annotate__", Keyword::kAttribute},
    {"__align__", Keyword::kAttribute},
    {"alignas", Keyword::kAttribute},
    {"decltype", Keyword::kAttribute},
    {"explicit", Keyword::kAttribute},
    {"throw", Keyword::kAttribute},
    {"auto", Keyword::kAuto},
    {"class", Keyword::kClass},
    {"struct", Keyword::kClass},
    {"union", Keyword::kClass},
    {"enum", Keyword::kClass},
    {"extern", Keyword::kExtern},
    {"namespace", Keyword::kNamespace},
    {"noexcept", Keyword::kNoexcept},
    {"operator", Keyword::kOperator},
    {"requires", Keyword::kRequires},
    {"const", Keyword::kSpecifier},
    {"constexpr", Keyword::kSpecifier},
    {"consteval", Keyword::kSpecifier},
    {"constinit", Keyword::kSpecifier},
    {"final", Keyword::kSpecifier},
    {"friend", Keyword::kSpecifier},
    {"inline", Keyword::kSpecifier},
    {"mutable", Keyword::kSpecifier},
    {"override", Keyword::kSpecifier},
    {"register", Keyword::kSpecifier},
    {"restrict", Keyword::kSpecifier},
    {"static", Keyword::kSpecifier},
    {"typename", Keyword::kSpecifier},
    {"virtual", Keyword::kSpecifier},
    {"volatile", Keyword::kSpecifier},
    {"__constant__", Keyword::kSpecifier},
    {"__forceinline__", Keyword::kSpecifier},
    {"__inline__", Keyword::kSpecifier},
    {"__managed__", Keyword::kSpecifier},
    {"__noinline__", Keyword::kSpecifier},
    {"__restrict__", Keyword::kSpecifier},
    {"__restrict", Keyword::kSpecifier},
    {"template", Keyword::kTemplate},
    {"bool", Keyword::kType},
    {"char", Keyword::kType},
    {"double", Keyword::kType},
    {"float", Keyword::kType},
    {"int", Keyword::kType},
    {"long", Keyword::kType},
    {"short", Keyword::kType},
    {"signed", Keyword::kType},
    {"unsigned", Keyword::kType},
    {"void", Keyword::kType},
    {"case", Keyword::kCase},
    {"default", Keyword::kCase},
    {"catch", Keyword::kControl},
    {"for", Keyword::kControl},
    {"if", Keyword::kControl},
    {"switch", Keyword::kControl},
    {"while", Keyword::kControl},
    {"do", Keyword::kDo},
    {"else", Keyword::kElse},
    {"break", Keyword::kStatement},
    {"continue", Keyword::kStatement},
    {"co_return", Keyword::kStatement},
    {"delete", Keyword::kStatement},
    {"goto", Keyword::kStatement},
    {"new", Keyword::kStatement},
    {"return", Keyword::kStatement},
    {"sizeof", Keyword::kStatement},
    {"typedef", Keyword::kStatement},
    {"using", Keyword::kStatement},
    {"try", Keyword::kTry},
    {"cudaLaunchKernel", Keyword::kLaunchRuntime},
    {"cudaLaunchCooperativeKernel", Keyword::kLaunchRuntime},
    {"cuLaunchKernel", Keyword::kLaunchDriver},
    {"cuLaunchCooperativeKernel", Keyword::kLaunchDriver},
    {"cudaLaunchKernelEx", Keyword::kLaunchConfig},
    {"cudaLaunchKernelExC", Keyword::kLaunchConfig},
    {"cuLaunchKernelEx", Keyword::kLaunchConfig},
    {"asm", Keyword::kAsm},
    {"__asm__", Keyword::kAsm},
    {"reinterpret_cast", Keyword::kCast},
    {"static_cast", Keyword::kCast},
    {"const_cast", Keyword::kCast},
    {"threadIdx", Keyword::kThreadIndex},
    {"blockIdx", Keyword::kThreadIndex},
    {"blockDim", Keyword::kThreadIndex},
    {"gridDim", Keyword::kThreadIndex},
    {"warpSize", Keyword::kThreadIndex},
};

// Open addressing over length, first, middle and last byte: most identifiers of a program meet an empty slot.
constexpr size_t kSlots = 1024;
constexpr uint8_t kEmpty = 0xff;
static_assert(std::size(kEntries) < kEmpty);

constexpr size_t slot_of(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(text[i])); };
  return (text.size() * 37 + byte(0) * 101 + byte(text.size() / 2) * 29 + byte(text.size() - 1) * 7) % kSlots;
}

constexpr std::array<uint8_t, kSlots> make_table() {
  std::array<uint8_t, kSlots> table{};
  for (auto& slot : table) slot = kEmpty;
  for (size_t i = 0; i < std::size(kEntries); ++i) {
    size_t slot = slot_of(kEntries[i].text);
    while (table[slot] != kEmpty) slot = (slot + 1) % kSlots;
    table[slot] = static_cast<uint8_t>(i);
  }
  return table;
}

constexpr std::array<uint8_t, kSlots> kTable = make_table();

}  // namespace

Keyword find_word(std::string_view identifier) {
  if (identifier.empty()) return Keyword::kNone;
  for (size_t slot = slot_of(identifier); kTable[slot] != kEmpty; slot = (slot + 1) % kSlots) {
    const Entry& entry = kEntries[kTable[slot]];
    if (entry.text == identifier) return entry.word;
  }
  return Keyword::kNone;
}

}  // namespace cuset::cuda_source
