#include "execute/build/cccl.h"

#include <unistd.h>

#include <cstdlib>
#include <regex>

#include "base/error.h"
#include "base/files/copy_folder.h"
#include "base/files/file.h"
#include "base/files/remove_folder.h"
#include "base/files/scratch_file.h"
#include "base/files/sha256.h"
#include "execute/build/nvcc_search.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVersionHeader = "thrust/version.h";
constexpr const char* kFolders[] = {"cub", "cuda", "nv", "thrust"};
constexpr const char* kAdaptation = "3";  // another number where what adapt() does changes

// Kernels have a calling convention of their own in device code. CUB writes out the type of a pointer to one.
std::string adapt_kernel_pointers(std::string text) {
  static const std::regex kPointer(R"((using EmptyKernelPtr\s*=\s*void \()\*\))");
  return std::regex_replace(text, kPointer, "$1CUSET_KERNEL_ABI *)");
}

// An answer of nothing but a kernel may run no code before main, which <iostream> does. CUB needs <ostream>.
std::string adapt_includes(std::string text) {
  static const std::regex kInclude(R"((^|\n)(\s*#\s*include )<iostream>)");
  return std::regex_replace(text, kInclude, "$1$2<ostream>");
}

// CUB asks with a vote for each bit of a digit which lanes have the same digit. Here one operation is as fast as a vote.
std::string adapt_digit_matching(std::string text) {
  static const std::regex kMatch(
      R"((unsigned int match_any\(unsigned int label\)\s*\{\s*)(unsigned int retval;))");
  return std::regex_replace(
      text, kMatch,
      "$1return __match_any_sync(~0u, LABEL_BITS < 32 ? label & ((1u << LABEL_BITS % 32) - 1) : label);\n    $2");
}

// Programs find nvcc's macro defined. CCCL has to know the compiler that it really has.
std::string adapt_compiler(std::string text) {
  static const std::regex kNvcc(R"(\b__NVCC__\b)");
  return std::regex_replace(text, kNvcc, "CUSET_COMPILER_IS_NVCC");
}

std::string adapt(const std::string& text) {
  std::string adapted = adapt_assembly(text);
  if (adapted.find("__NVCC__") != adapted.npos) adapted = adapt_compiler(std::move(adapted));
  if (adapted.find("<iostream>") != adapted.npos) adapted = adapt_includes(std::move(adapted));
  if (adapted.find("match_any(unsigned int label)") != adapted.npos)
    adapted = adapt_digit_matching(std::move(adapted));
  return adapted.find("EmptyKernelPtr") == adapted.npos ? adapted : adapt_kernel_pointers(std::move(adapted));
}

void copy_adapted(const fs::path& from, const fs::path& to) {
  for (const char* folder : kFolders) {
    for (const std::string& name : base::regular_files_below(from / folder)) {
      const fs::path file = to / folder / name;
      fs::create_directories(file.parent_path());
      base::write_scratch_file(file, adapt(base::read_file(from / folder / name)));
    }
  }
}

std::string digest_of(const fs::path& cccl) {
  base::Sha256 hash;
  for (const std::string& part :
       {std::string(kAdaptation), fs::canonical(cccl).string(), base::read_file(cccl / kVersionHeader)})
    hash.update(part + "\n");
  return hash.digest();
}

// "=h" in quotes, with another letter in its place, if it is followed by an operand.
bool is_refused_constraint(std::string_view source, size_t quote, size_t& letter) {
  letter = quote + 1;
  if (letter < source.size() && (source[letter] == '=' || source[letter] == '+')) ++letter;
  if (letter + 2 > source.size() || (source[letter] != 'h' && source[letter] != 'f')) return false;
  if (source[letter + 1] != '"') return false;
  const size_t next = source.find_first_not_of(" \t\r\n", letter + 2);
  return next != source.npos && source[next] == '(';
}

}  // namespace

std::vector<fs::path> cccl_search_paths() {
  std::vector<fs::path> candidates;
  if (const char* chosen = std::getenv("CUSET_CCCL")) candidates.emplace_back(chosen);
  for (const fs::path& nvcc : nvcc_search_paths()) {
    std::error_code failed;
    const fs::path real = fs::canonical(nvcc, failed);
    if (failed) continue;
    const fs::path toolkit = real.parent_path().parent_path();
    candidates.push_back(toolkit / "include/cccl");
    candidates.push_back(toolkit / "include");
  }
  return candidates;
}

std::optional<fs::path> find_cccl(const std::vector<fs::path>& candidates) {
  for (const fs::path& candidate : candidates) {
    std::error_code ignored;
    if (fs::exists(candidate / kVersionHeader, ignored) && fs::exists(candidate / "cub/cub.cuh", ignored) &&
        fs::exists(candidate / "cuda/std/version", ignored))
      return candidate;
  }
  return std::nullopt;
}

fs::path adapted_cccl(const fs::path& cccl, const fs::path& kept) {
  const fs::path folder = kept / digest_of(cccl);
  if (fs::exists(folder)) return folder;
  const fs::path staged = fs::path(folder).concat(".new-" + std::to_string(::getpid()));
  std::error_code failed;
  fs::create_directories(staged, failed);
  if (failed) throw base::file_error("make", staged, failed.value());
  copy_adapted(cccl, staged);
  fs::rename(staged, folder, failed);  // fails where another process was faster
  if (failed) base::remove_folder(staged);
  if (!fs::exists(folder)) throw base::file_error("make", folder, failed.value());
  return folder;
}

std::string adapt_assembly(std::string_view source) {
  std::string adapted(source);
  size_t letter = 0;
  for (size_t quote = source.find('"'); quote != source.npos; quote = source.find('"', quote + 1))
    if (is_refused_constraint(source, quote, letter)) adapted[letter] = 'r';
  return adapted;
}

}  // namespace cuset::execute
