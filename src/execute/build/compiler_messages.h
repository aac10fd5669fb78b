// What a compiler said, made fit for the person who wrote the source: file names as they gave them, no names
// of temporary files, no control characters, not endless.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cuset::execute {

// The name under which a source is compiled: its own where that is a plain name of a source, else
// "program.cu". It appears in messages and in the program's __FILE__.
std::string name_in_sandbox(const std::filesystem::path& source);

// An absolute path of `folder` that a sandboxed compiler can follow: where it is shown, the folders that a `..` leaves are not.
std::filesystem::path path_in_sandbox(const std::filesystem::path& folder);

// `messages` of a compilation in `folder`: without that folder, without the names of nvcc's temporary files
// ("tmpxft_..."), cut to `limit` bytes. Linear in the text's size.
std::string clean_messages(std::string_view messages, const std::filesystem::path& folder,
                           size_t limit = 64 << 10);

// Cleaned messages with name_in_sandbox(source) replaced by `source` as the user named it.
std::string show_source(std::string_view messages, const std::filesystem::path& source);

// `text` without the name of `folder` before the files in it.
std::string without_folder(std::string text, const std::filesystem::path& folder);

}  // namespace cuset::execute
