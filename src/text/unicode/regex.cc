#include "text/unicode/regex.h"

#include <pcre2.h>

#include "base/error.h"
#include "text/unicode/regex_syntax.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

constexpr uint32_t kMatchLimit = 20'000'000;
constexpr size_t kStackStart = 32 * 1024;
constexpr size_t kStackLimit = 8 * 1024 * 1024;

// What one thread needs to run searches, whatever the pattern.
struct MatchBuffers {
  MatchBuffers()
      : context(pcre2_match_context_create(nullptr)),
        stack(pcre2_jit_stack_create(kStackStart, kStackLimit, nullptr)),
        data(pcre2_match_data_create(1, nullptr)) {
    if (context == nullptr || data == nullptr) throw std::bad_alloc();
    pcre2_set_match_limit(context, kMatchLimit);
    if (stack != nullptr) pcre2_jit_stack_assign(context, nullptr, stack);
  }
  ~MatchBuffers() {
    pcre2_match_data_free(data);
    if (stack != nullptr) pcre2_jit_stack_free(stack);
    pcre2_match_context_free(context);
  }
  MatchBuffers(const MatchBuffers&) = delete;
  MatchBuffers& operator=(const MatchBuffers&) = delete;

  pcre2_match_context* context;
  pcre2_jit_stack* stack;
  pcre2_match_data* data;
};

std::string message_of(int code) {
  PCRE2_UCHAR buffer[256];
  const int length = pcre2_get_error_message(code, buffer, sizeof buffer);
  return length < 0 ? fmt::format("PCRE2 error {}", code)
                    : std::string(reinterpret_cast<const char*>(buffer), static_cast<size_t>(length));
}

PCRE2_SPTR as_pcre2(std::string_view text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }

}  // namespace

struct Regex::Code {
  explicit Code(pcre2_code* c) : code(c), compiled(pcre2_jit_compile(c, PCRE2_JIT_COMPLETE) == 0) {}
  ~Code() { pcre2_code_free(code); }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  pcre2_code* code;
  bool compiled;  // the just-in-time compiler is available here
};

Regex::Regex(std::string_view pattern, std::string where)
    : code_(compile(to_pcre2_pattern(pattern, where), PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE, where)),
      where_(std::move(where)) {}

Regex::Regex(std::shared_ptr<const Code> code, std::string where)
    : code_(std::move(code)), where_(std::move(where)) {}

Regex Regex::literal(std::string_view text, std::string where) {
  auto code = compile(std::string(text), PCRE2_UTF | PCRE2_LITERAL, where);
  return Regex(std::move(code), std::move(where));
}

std::shared_ptr<const Regex::Code> Regex::compile(const std::string& pattern, uint32_t options,
                                                  const std::string& where) {
  pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
  if (context == nullptr) throw std::bad_alloc();
  pcre2_set_newline(context, PCRE2_NEWLINE_LF);
  int error = 0;
  size_t position = 0;
  pcre2_code* code = pcre2_compile(as_pcre2(pattern), pattern.size(), options, &error, &position, context);
  pcre2_compile_context_free(context);
  if (code == nullptr) {
    throw base::Error("{}: not a valid regular expression: {} ({})", where, base::in_quotes(pattern),
                      message_of(error));
  }
  return std::make_shared<const Code>(code);
}

std::optional<Regex::Match> Regex::find(std::string_view text, size_t start) const {
  static thread_local MatchBuffers buffers;
  const auto run = code_->compiled ? pcre2_jit_match : pcre2_match;
  const int result =
      run(code_->code, as_pcre2(text), text.size(), start, PCRE2_NO_UTF_CHECK, buffers.data, buffers.context);
  if (result == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (result < 0) {
    throw base::Error("{}: the pattern cannot be searched in the text from its byte {}: {}", where_, start,
                      message_of(result))
        .with_remedy("the pattern backtracks too much; simplify it");
  }
  const size_t* ends = pcre2_get_ovector_pointer(buffers.data);
  return Match{ends[0], ends[1]};
}

size_t Regex::next_char(std::string_view text, size_t position) {
  return position < text.size() ? position + decode_utf8(text, position).size : position + 1;
}

}  // namespace cuset::text
