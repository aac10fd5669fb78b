#include "pass/ptx_statements.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cuset_pass {

using namespace llvm;

namespace {

// "$(" is "{", "$|" is "|", "$)" is "}", "$$" is "$". Comments go.
std::string plain_text(StringRef assembly) {
  std::string text;
  for (size_t i = 0; i < assembly.size(); ++i) {
    const char next = i + 1 < assembly.size() ? assembly[i + 1] : '\0';
    if (assembly[i] == '/' && next == '/') {
      i = std::min(assembly.find('\n', i), assembly.size());
      text += ' ';
    } else if (assembly[i] == '/' && next == '*') {
      i = std::min(assembly.find("*/", i), assembly.size() - 2) + 1;
      text += ' ';
    } else if (assembly[i] == '$' && StringRef("(|)$").contains(next)) {
      text += StringRef("{|}$")[StringRef("(|)$").find(next)];
      ++i;
    } else {
      text += assembly[i];
    }
  }
  return text;
}

// Braces of blocks go, those of vectors stay: a block's stand where a statement begins or ended.
std::vector<std::string> split_statements(StringRef text) {
  std::vector<std::string> statements;
  std::string current;
  unsigned depth = 0;  // of a vector's braces
  for (const char letter : text) {
    const bool starts = StringRef(current).trim().empty();
    if (letter == ';') {
      statements.push_back(StringRef(current).trim().str());
      current.clear();
    } else if (depth == 0 && (letter == '}' || (letter == '{' && starts))) {
      continue;
    } else {
      if (letter == '{') ++depth;
      if (letter == '}') --depth;
      current += letter;
    }
  }
  statements.push_back(StringRef(current).trim().str());
  llvm::erase_if(statements, [](const std::string& statement) { return statement.empty(); });
  return statements;
}

bool is_name(StringRef name) {
  return !name.empty() && all_of(name, [](char c) { return isAlnum(c) || StringRef("_$%.-!").contains(c); });
}

std::vector<std::string> split_operands(StringRef text) {
  std::vector<std::string> operands;
  std::string current;
  int depth = 0;
  for (const char letter : text) {
    if (StringRef("{[").contains(letter)) ++depth;
    if (StringRef("}]").contains(letter)) --depth;
    if (letter == ',' && depth == 0) {
      operands.push_back(StringRef(current).trim().str());
      current.clear();
    } else {
      current += letter;
    }
  }
  operands.push_back(StringRef(current).trim().str());
  return operands;
}

std::optional<PtxOperand> parse_address(StringRef text) {
  PtxOperand operand;
  operand.is_address = true;
  auto [name, offset] = text.split('+');
  if (offset.trim().getAsInteger(0, operand.offset) && !offset.empty()) return std::nullopt;
  operand.names.push_back(name.trim().str());
  if (!is_name(operand.names[0])) return std::nullopt;
  return operand;
}

std::optional<PtxOperand> parse_vector(StringRef text) {
  PtxOperand operand;
  operand.is_vector = true;
  SmallVector<StringRef, 4> names;
  text.split(names, ',');
  for (const StringRef name : names) {
    operand.names.push_back(name.trim().str());
    if (!is_name(operand.names.back())) return std::nullopt;
  }
  return operand;
}

std::optional<PtxOperand> parse_operand(StringRef text) {
  if (text.consume_front("["))
    return text.consume_back("]") ? parse_address(text) : std::optional<PtxOperand>();
  if (text.consume_front("{"))
    return text.consume_back("}") ? parse_vector(text) : std::optional<PtxOperand>();
  PtxOperand operand;
  auto [name, second] = text.split('|');
  operand.names.push_back(name.trim().str());
  operand.second = second.trim().str();
  if (!is_name(operand.names[0]) || (!operand.second.empty() && !is_name(operand.second)))
    return std::nullopt;
  return operand;
}

bool take_guard(StringRef& text, PtxStatement& statement) {
  if (!text.consume_front("@")) return true;
  statement.guard_is_negated = text.consume_front("!");
  const size_t end = text.find_first_of(" \t\n");
  if (end == StringRef::npos) return false;
  statement.guard = text.take_front(end).str();
  text = text.drop_front(end).trim();
  return is_name(statement.guard);
}

std::optional<PtxStatement> parse_statement(StringRef text) {
  PtxStatement statement;
  if (!take_guard(text, statement)) return std::nullopt;
  const StringRef operation = text.take_until([](char c) { return isSpace(c); });
  SmallVector<StringRef, 8> words;
  operation.split(words, '.');
  for (const StringRef word : words) statement.words.push_back(word.str());
  const StringRef operands = text.drop_front(operation.size()).trim();
  if (operands.empty()) return statement;
  for (const std::string& operand : split_operands(operands)) {
    const std::optional<PtxOperand> parsed = parse_operand(operand);
    if (!parsed) return std::nullopt;
    statement.operands.push_back(*parsed);
  }
  return statement;
}

}  // namespace

bool PtxStatement::has(StringRef word) const {
  return std::find(words.begin() + 1, words.end(), word) != words.end();
}

std::optional<std::vector<PtxStatement>> parse_ptx(StringRef assembly) {
  std::vector<PtxStatement> statements;
  for (const std::string& text : split_statements(plain_text(assembly))) {
    if (StringRef(text).starts_with(".reg")) continue;  // values know their types
    const std::optional<PtxStatement> statement = parse_statement(text);
    if (!statement) return std::nullopt;
    statements.push_back(*statement);
  }
  return statements;
}

}  // namespace cuset_pass
