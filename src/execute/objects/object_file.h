// What an ELF file says about itself: the names it defines and asks for, and the functions that run before
// and after `main`. Reads what the compiler made of an untrusted source, and shared libraries.
//
// Only 64-bit little-endian x86 files are read; whatever is out of bounds, or needs the extensions for more
// than 65,279 sections, makes the file unreadable: the caller refuses it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::execute {

struct ObjectSymbol {
  std::string name;
  bool defined = false;
  bool local = false;
  bool weak = false;      // also the symbols of which the dynamic linker keeps one (STB_GNU_UNIQUE)
  bool indirect = false;  // chosen by a function of the file when the program is loaded (ifunc)
  uint16_t section = 0;
  uint64_t value = 0;  // in an object: the offset in its section
  uint64_t size = 0;
};

struct ObjectFile {
  std::vector<std::string> sections;   // names, by number
  std::vector<ObjectSymbol> symbols;   // of an object; of a linked file those for the dynamic linker
  std::vector<std::string> startup;    // functions called before `main`; "" for one without a symbol
  std::vector<std::string> shutdown;   // functions called after `main`, except by atexit
  bool has_own_start_section = false;  // .preinit_array, .init or .fini: code around all other code
  // What the functions named by is_registration() take the address of: host stubs of kernels, variables.
  std::vector<std::string> registered;
  std::string entry;  // the function whose address kEntryName holds; empty: none
};

// A constant of our text in front of an answer: the address of the function that is asked for.
inline constexpr std::string_view kEntryName = "cuset_entry";

// Whether a compiler gives this name to the function that registers an object's kernels with the runtime.
bool is_registration(std::string_view function);

// Nothing where `bytes` are not such a file. Time is linear but for a logarithm.
std::optional<ObjectFile> parse_object(std::string_view bytes);
std::optional<ObjectFile> read_object(const std::filesystem::path& file);

}  // namespace cuset::execute
