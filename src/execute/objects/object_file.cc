#include "execute/objects/object_file.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::execute {
namespace {

// clang's, our pass's for both sides, nvcc's.
constexpr std::array<std::string_view, 5> kRegistrations{"__cuda_module_ctor", "cuset.register_arguments",
                                                         "cuset.register", "_ZL24__sti____cudaRegisterAllv",
                                                         "_ZL31__nv_cudaEntityRegisterCallbackPPv"};

// Our pass registers the sizes of arguments of whatever is called like a stub.
constexpr std::string_view kRegistersByName = "cuset.register_arguments";

bool is_section(std::string_view name, std::string_view wanted) {
  return name == wanted || (name.starts_with(wanted) && name[wanted.size()] == '.');
}

class Unreadable {};

class ObjectReader {
 public:
  explicit ObjectReader(std::string_view bytes) : bytes_(bytes) {}

  ObjectFile read() {
    const auto header = at<Elf64_Ehdr>(0);
    const unsigned char wanted[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB};
    if (std::memcmp(header.e_ident, wanted, sizeof wanted) != 0 || header.e_machine != EM_X86_64)
      throw Unreadable();
    if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 ||
        header.e_shstrndx >= header.e_shnum)
      throw Unreadable();
    is_object_ = header.e_type == ET_REL;
    for (uint64_t i = 0; i < header.e_shnum; ++i)
      sections_.push_back(at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr)));
    const std::string_view names = content(header.e_shstrndx);
    for (const Elf64_Shdr& section : sections_) file_.sections.push_back(text(names, section.sh_name));
    read_symbols();
    if (is_object_) read_relocations();
    return std::move(file_);
  }

 private:
  template <typename T>
  T at(uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) throw Unreadable();
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  static std::string text(std::string_view table, uint64_t offset) {
    if (offset >= table.size()) throw Unreadable();
    const size_t end = table.find('\0', offset);
    if (end == table.npos) throw Unreadable();
    return std::string(table.substr(offset, end - offset));
  }

  std::string_view content(uint64_t index) const {
    if (index >= sections_.size()) throw Unreadable();
    const Elf64_Shdr& section = sections_[index];
    if (section.sh_type == SHT_NOBITS) return {};
    if (section.sh_offset > bytes_.size() || bytes_.size() - section.sh_offset < section.sh_size)
      throw Unreadable();
    return bytes_.substr(section.sh_offset, section.sh_size);
  }

  void read_symbols() {
    const uint32_t wanted = is_object_ ? SHT_SYMTAB : SHT_DYNSYM;
    for (size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].sh_type == SHT_SYMTAB_SHNDX) throw Unreadable();
      if (sections_[i].sh_type == wanted) read_symbol_table(i);
    }
  }

  void read_symbol_table(size_t index) {
    if (!file_.symbols.empty()) throw Unreadable();  // an object has one
    const std::string_view table = content(index), names = content(sections_[index].sh_link);
    for (uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= table.size(); offset += sizeof(Elf64_Sym)) {
      Elf64_Sym entry;
      std::memcpy(&entry, table.data() + offset, sizeof entry);
      const unsigned binding = ELF64_ST_BIND(entry.st_info);
      ObjectSymbol symbol;
      symbol.name = text(names, entry.st_name);
      symbol.defined = entry.st_shndx != SHN_UNDEF;
      symbol.local = binding == STB_LOCAL;
      symbol.weak = binding == STB_WEAK || binding == STB_GNU_UNIQUE;
      symbol.indirect = ELF64_ST_TYPE(entry.st_info) == STT_GNU_IFUNC;
      symbol.section = entry.st_shndx;
      symbol.value = entry.st_value;
      symbol.size = entry.st_size;
      file_.symbols.push_back(std::move(symbol));
    }
    symbol_table_ = index;
  }

  void read_relocations() {
    for (const ObjectSymbol& symbol : file_.symbols) {
      if (!symbol.defined || symbol.name.empty()) continue;
      const auto [known, is_first] = functions_.try_emplace({symbol.section, symbol.value}, symbol.name);
      if (!is_first) known->second.clear();  // another name for the same place says nothing
    }
    for (size_t i = 0; i < sections_.size(); ++i) note_arrays(i);
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == SHT_REL) throw Unreadable();
      if (section.sh_type == SHT_RELA) read_relocations_of(section);
    }
    for (auto& [place, names] : entries_) {
      auto& list = array_of(place) == Array::kStartup ? file_.startup : file_.shutdown;
      list.insert(list.end(), names.begin(), names.end());
    }
  }

  enum class Array { kNone, kStartup, kShutdown };

  Array array_of(size_t index) const {
    const std::string& name = file_.sections[index];
    const uint32_t type = sections_[index].sh_type;
    if (type == SHT_RELA) return Array::kNone;
    if (type == SHT_INIT_ARRAY || is_section(name, ".init_array") || is_section(name, ".ctors"))
      return Array::kStartup;
    if (type == SHT_FINI_ARRAY || is_section(name, ".fini_array") || is_section(name, ".dtors"))
      return Array::kShutdown;
    return Array::kNone;
  }

  // Every entry counts, named by a relocation or not.
  void note_arrays(size_t index) {
    const std::string& name = file_.sections[index];
    if (sections_[index].sh_type == SHT_PREINIT_ARRAY || is_section(name, ".preinit_array") ||
        is_section(name, ".init") || is_section(name, ".fini"))
      file_.has_own_start_section = true;
    if (array_of(index) == Array::kNone) return;
    entries_[index].resize(std::min<uint64_t>(sections_[index].sh_size / 8, 1 << 16));
    if (sections_[index].sh_size % 8 != 0 || sections_[index].sh_size / 8 > (1 << 16)) throw Unreadable();
  }

  void read_relocations_of(const Elf64_Shdr& section) {
    const uint64_t place = section.sh_info;
    const std::string_view table = content(static_cast<uint64_t>(&section - sections_.data()));
    if (section.sh_link != symbol_table_ || place >= sections_.size()) throw Unreadable();
    const auto ranges = registration_ranges(place);
    const std::optional<uint64_t> entry_place = place_of_entry(place);
    for (uint64_t offset = 0; offset + sizeof(Elf64_Rela) <= table.size(); offset += sizeof(Elf64_Rela)) {
      Elf64_Rela entry;
      std::memcpy(&entry, table.data() + offset, sizeof entry);
      if (const auto array = entries_.find(place); array != entries_.end()) {
        if (entry.r_offset % 8 != 0 || entry.r_offset / 8 >= array->second.size()) throw Unreadable();
        array->second[entry.r_offset / 8] = name_of_target(entry);
      }
      if (entry.r_offset == entry_place && ELF64_R_TYPE(entry.r_info) == R_X86_64_64 && entry.r_addend == 0)
        file_.entry = symbol_of(entry).name;
      for (const auto& [begin, end] : ranges) {
        if (entry.r_offset >= begin && entry.r_offset < end)
          file_.registered.push_back(symbol_of(entry).name);
      }
    }
  }

  std::vector<std::pair<uint64_t, uint64_t>> registration_ranges(uint64_t place) const {
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    for (const ObjectSymbol& symbol : file_.symbols) {
      if (symbol.defined && symbol.section == place && symbol.name != kRegistersByName &&
          is_registration(symbol.name))
        ranges.emplace_back(symbol.value, symbol.value + symbol.size);
    }
    return ranges;
  }

  std::optional<uint64_t> place_of_entry(uint64_t section) const {
    for (const ObjectSymbol& symbol : file_.symbols) {
      if (symbol.defined && symbol.section == section && symbol.name == kEntryName) return symbol.value;
    }
    return std::nullopt;
  }

  const ObjectSymbol& symbol_of(const Elf64_Rela& entry) const {
    const uint64_t index = ELF64_R_SYM(entry.r_info);
    if (index >= file_.symbols.size()) throw Unreadable();
    return file_.symbols[index];
  }

  // Of an entry that holds an address: compilers name a local function by its section and offset.
  std::string name_of_target(const Elf64_Rela& entry) const {
    const ObjectSymbol& symbol = symbol_of(entry);
    if (ELF64_R_TYPE(entry.r_info) != R_X86_64_64) return "";
    if (!symbol.defined) return symbol.name;
    const auto function =
        functions_.find({symbol.section, symbol.value + static_cast<uint64_t>(entry.r_addend)});
    return function == functions_.end() ? "" : function->second;
  }

  std::string_view bytes_;
  bool is_object_ = false;
  std::vector<Elf64_Shdr> sections_;
  uint64_t symbol_table_ = 0;
  std::map<std::pair<uint16_t, uint64_t>, std::string> functions_;  // names by section and offset
  std::map<uint64_t, std::vector<std::string>> entries_;            // names by section, of arrays
  ObjectFile file_;
};

}  // namespace

bool is_registration(std::string_view function) {
  return std::find(kRegistrations.begin(), kRegistrations.end(), function) != kRegistrations.end();
}

std::optional<ObjectFile> parse_object(std::string_view bytes) {
  try {
    return ObjectReader(bytes).read();
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

std::optional<ObjectFile> read_object(const std::filesystem::path& file) {
  try {
    return parse_object(base::read_file(file));
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

}  // namespace cuset::execute
