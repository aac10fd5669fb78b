#include "cuda_source/words.h"

#include <array>

namespace cuset {
namespace {

struct Entry {
  std::string_view text;
  Word word;
};

constexpr Entry kEntries[] = {
    {"__global__", Word::kGlobal},
    {"__device__", Word::kDevice},
    {"__host__", Word::kHost},
    {"__shared__", Word::kShared},
    {"__launch_bounds__", Word::kAttribute},
    {"__attribute__", Word::kAttribute},
    {"__declspec", Word::kAttribute},
    {"__cluster_dims__", Word::kAttribute},
    {"__block_size__", Word::kAttribute},
    {"__maxnreg__", Word::kAttribute},
    {"__annotate__", Word::kAttribute},
    {"__align__", Word::kAttribute},
    {"alignas", Word::kAttribute},
    {"decltype", Word::kAttribute},
    {"explicit", Word::kAttribute},
    {"throw", Word::kAttribute},
    {"auto", Word::kAuto},
    {"class", Word::kClass},
    {"struct", Word::kClass},
    {"union", Word::kClass},
    {"enum", Word::kClass},
    {"extern", Word::kExtern},
    {"namespace", Word::kNamespace},
    {"noexcept", Word::kNoexcept},
    {"operator", Word::kOperator},
    {"requires", Word::kRequires},
    {"const", Word::kSpecifier},
    {"constexpr", Word::kSpecifier},
    {"consteval", Word::kSpecifier},
    {"constinit", Word::kSpecifier},
    {"final", Word::kSpecifier},
    {"friend", Word::kSpecifier},
    {"inline", Word::kSpecifier},
    {"mutable", Word::kSpecifier},
    {"override", Word::kSpecifier},
    {"register", Word::kSpecifier},
    {"restrict", Word::kSpecifier},
    {"static", Word::kSpecifier},
    {"typename", Word::kSpecifier},
    {"virtual", Word::kSpecifier},
    {"volatile", Word::kSpecifier},
    {"__constant__", Word::kSpecifier},
    {"__forceinline__", Word::kSpecifier},
    {"__inline__", Word::kSpecifier},
    {"__managed__", Word::kSpecifier},
    {"__noinline__", Word::kSpecifier},
    {"__restrict__", Word::kSpecifier},
    {"__restrict", Word::kSpecifier},
    {"template", Word::kTemplate},
    {"bool", Word::kType},
    {"char", Word::kType},
    {"double", Word::kType},
    {"float", Word::kType},
    {"int", Word::kType},
    {"long", Word::kType},
    {"short", Word::kType},
    {"signed", Word::kType},
    {"unsigned", Word::kType},
    {"void", Word::kType},
    {"case", Word::kCase},
    {"default", Word::kCase},
    {"catch", Word::kControl},
    {"for", Word::kControl},
    {"if", Word::kControl},
    {"switch", Word::kControl},
    {"while", Word::kControl},
    {"do", Word::kDo},
    {"else", Word::kElse},
    {"break", Word::kStatement},
    {"continue", Word::kStatement},
    {"co_return", Word::kStatement},
    {"delete", Word::kStatement},
    {"goto", Word::kStatement},
    {"new", Word::kStatement},
    {"return", Word::kStatement},
    {"sizeof", Word::kStatement},
    {"typedef", Word::kStatement},
    {"using", Word::kStatement},
    {"try", Word::kTry},
    {"cudaLaunchKernel", Word::kLaunchRuntime},
    {"cudaLaunchCooperativeKernel", Word::kLaunchRuntime},
    {"cuLaunchKernel", Word::kLaunchDriver},
    {"cuLaunchCooperativeKernel", Word::kLaunchDriver},
    {"cudaLaunchKernelEx", Word::kLaunchConfig},
    {"cudaLaunchKernelExC", Word::kLaunchConfig},
    {"cuLaunchKernelEx", Word::kLaunchConfig},
    {"asm", Word::kAsm},
    {"__asm__", Word::kAsm},
    {"reinterpret_cast", Word::kCast},
    {"static_cast", Word::kCast},
    {"const_cast", Word::kCast},
    {"threadIdx", Word::kThreadIndex},
    {"blockIdx", Word::kThreadIndex},
    {"blockDim", Word::kThreadIndex},
    {"gridDim", Word::kThreadIndex},
    {"warpSize", Word::kThreadIndex},
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

Word find_word(std::string_view identifier) {
  if (identifier.empty()) return Word::kNone;
  for (size_t slot = slot_of(identifier); kTable[slot] != kEmpty; slot = (slot + 1) % kSlots) {
    const Entry& entry = kEntries[kTable[slot]];
    if (entry.text == identifier) return entry.word;
  }
  return Word::kNone;
}

}  // namespace cuset
