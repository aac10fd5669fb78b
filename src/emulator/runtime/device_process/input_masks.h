// The inputs that the host was shown, and those that the device gets in their place.
//
// The host of a program under proof (docs/proof-of-work.md) reads inputs that are as good as any, but not those
// its outputs will be compared for. Whatever it hands on to the device as it read it becomes the real input
// here: whole files, parts of them, rearranged elements, and elements converted to another number type.
// Whatever the host computed from them stays what it is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace cuset_emulator {

struct InputMask {
  std::vector<char> shown;
  std::vector<char> real;  // as many bytes
  std::string type;        // "float32"; empty: not known
};

class InputMasks {
 public:
  // What is recognized of an input. Where a task is nothing but rearranging its inputs, a host that does so has
  // done the work.
  enum class Recognized { kElements, kUnbroken };

  explicit InputMasks(std::vector<InputMask> masks, Recognized recognized = Recognized::kElements);

  // Pairs N.shown and N.real, from 0 on, of a folder; N.type names the number type. A file `unbroken` means
  // Recognized::kUnbroken.
  static InputMasks read(const std::string& folder);

  // Replaces what was shown by what is real. Returns the number of bytes replaced.
  uint64_t replace(std::span<char> bytes);

 private:
  struct Origin {
    uint32_t mask = 0;
    uint64_t offset = 0;
  };
  struct Stretch {
    uint64_t begin = 0;
    uint64_t end = 0;
  };

  static uint64_t replace_whole(const InputMask& mask, std::span<char> bytes, std::vector<Stretch>& open);
  uint64_t replace_one_part(std::span<char> bytes);
  uint64_t replace_parts(std::span<char> bytes, std::vector<Stretch>& open);
  uint64_t replace_elements(std::span<char> bytes, const std::vector<Stretch>& open);
  uint64_t replace_converted(std::span<char> bytes, std::vector<Stretch>& open);
  void convert_inputs();
  std::optional<Origin> origin_of_window(const char* window) const;
  void index_windows();
  void index_words();

  Recognized recognized_;
  std::vector<InputMask> masks_;
  std::vector<InputMask> converted_;  // the same in other number types
  bool has_converted_ = false;
  std::unordered_map<uint64_t, Origin> windows_;  // of kWindow bytes at multiples of it, by hash
  std::unordered_map<uint32_t, Origin> words_;    // that occur once in all inputs
  bool has_windows_ = false;
  bool has_words_ = false;
};

}  // namespace cuset_emulator
