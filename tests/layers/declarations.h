// The rules of the source layout: what names a module defines.
//
// A module is one namespace: a file below src/text opens cuset::text or a namespace inside it, and a header says
// `using namespace` nowhere. No type of a module's namespace has the name of another module's type. A namespace inside a
// module has words of its own (text::jinja::Token): that is what it is for.
//
// Declarations are found by a small scanner, not by a compiler: it knows comments, literals, preprocessor branches and
// braces, and takes from each statement at namespace scope what the rules need. Types that a macro defines escape it.
//
// Exempt are the folders that are built as programs and libraries of their own, which the cuset program is never linked
// with (kOwnPrograms in declarations.cc): there the listed namespace stands for the module's, and types may repeat names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "layers/layers.h"

namespace cuset::tests {

struct Declaration {
  enum class Kind { kNamespace, kType, kUsingNamespace };
  Kind kind = Kind::kType;
  int line = 0;
  std::string name;   // of a namespace, with those around it: "cuset::text"
  std::string scope;  // the namespace around it: "cuset::text"; empty for the global one
};

// Namespaces opened, types (class, struct, union, enum, alias) defined at namespace scope, and using-directives anywhere.
// What is inside an unnamed namespace belongs to its file and is not listed, apart from using-directives.
std::vector<Declaration> scan_declarations(std::string_view source);

// Types that the namespaces of two modules define, once for each definition after the first.
std::vector<Violation> find_doubled_types(const std::filesystem::path& source_folder);

// Namespaces that are not of the file's module, and using-directives in headers.
std::vector<Violation> find_foreign_namespaces(const std::filesystem::path& source_folder);

}  // namespace cuset::tests
