#include "execute/objects/imported_functions.h"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string_view>

#include "base/files/file.h"

namespace cuset::execute {
namespace {

// A structure at `offset` of the file; nothing where the file ends before.
template <typename T>
std::optional<T> at(std::string_view file, uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

std::string_view part_of(std::string_view file, uint64_t offset, uint64_t size) {
  return offset <= file.size() && file.size() - offset >= size ? file.substr(offset, size)
                                                               : std::string_view();
}

std::string text_at(std::string_view strings, uint64_t offset) {
  if (offset >= strings.size()) return "";
  return std::string(strings.substr(offset, strings.find('\0', offset) - offset));
}

std::vector<std::string> undefined_in(std::string_view file, const Elf64_Shdr& table,
                                      const Elf64_Shdr& names) {
  const std::string_view symbols = part_of(file, table.sh_offset, table.sh_size);
  const std::string_view strings = part_of(file, names.sh_offset, names.sh_size);
  std::vector<std::string> undefined;
  for (uint64_t i = 0; i < symbols.size() / sizeof(Elf64_Sym); ++i) {
    const auto symbol = at<Elf64_Sym>(symbols, i * sizeof(Elf64_Sym));
    if (!symbol || symbol->st_shndx != SHN_UNDEF) continue;
    if (std::string name = text_at(strings, symbol->st_name); !name.empty())
      undefined.push_back(std::move(name));
  }
  return undefined;
}

}  // namespace

std::vector<std::string> imported_functions(const std::filesystem::path& program) {
  const std::string content = base::read_file(program);
  const std::string_view file = content;
  const auto header = at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto section = [&](uint64_t i) {
    return at<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto table = section(i);
    if (!table || table->sh_type != SHT_DYNSYM) continue;
    const auto names = section(table->sh_link);
    return names ? undefined_in(file, *table, *names) : std::vector<std::string>();
  }
  return {};
}

}  // namespace cuset::execute
