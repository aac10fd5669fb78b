#include "curate/stages/screening.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/lower_case.h"
#include "curate/text/license.h"

namespace cuset::curate {
namespace {

struct SecretForm {
  std::string_view prefix;
  size_t length;  // letters, digits and `signs` that follow, at least
  std::string_view signs;
  std::string_view name;
};

constexpr std::array<SecretForm, 16> kForms = {{{"AKIA", 16, "", "AWS access key"},
                                                {"ASIA", 16, "", "AWS access key"},
                                                {"ghp_", 36, "", "GitHub token"},
                                                {"gho_", 36, "", "GitHub token"},
                                                {"ghs_", 36, "", "GitHub token"},
                                                {"github_pat_", 50, "_", "GitHub token"},
                                                {"glpat-", 20, "-_", "GitLab token"},
                                                {"hf_", 30, "", "Hugging Face token"},
                                                {"sk-ant-", 40, "-_", "Anthropic key"},
                                                {"sk-proj-", 40, "-_", "OpenAI key"},
                                                {"sk-", 40, "", "OpenAI key"},
                                                {"xoxb-", 20, "-", "Slack token"},
                                                {"xoxp-", 20, "-", "Slack token"},
                                                {"AIza", 35, "-_", "Google key"},
                                                {"sk_live_", 24, "", "Stripe key"},
                                                {"npm_", 36, "", "npm token"}}};

constexpr std::array<std::string_view, 8> kSecretNames = {"password", "passwd",     "secret", "api_key",
                                                          "apikey",   "access_key", "token",  "auth_key"};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Bits of information per character, by the counts of its characters.
double entropy_of(std::string_view text) {
  std::array<size_t, 256> counts{};
  for (const char c : text) ++counts[static_cast<unsigned char>(c)];
  double entropy = 0;
  for (const size_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / static_cast<double>(text.size());
    entropy -= share * std::log2(share);
  }
  return entropy;
}

// Letters and digits mixed as a machine does: names and placeholders repeat themselves or have no digits.
bool looks_random(std::string_view text) {
  const bool has_digit = std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const bool has_letter = std::any_of(
      text.begin(), text.end(), [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  return has_digit && has_letter && entropy_of(text) >= 3.0;
}

bool has_form(std::string_view text, const SecretForm& form) {
  for (size_t at = text.find(form.prefix); at != std::string_view::npos;
       at = text.find(form.prefix, at + 1)) {
    if (at > 0 && (is_letter(text[at - 1]) || text[at - 1] == '_')) continue;
    size_t end = at + form.prefix.size();
    while (end < text.size() &&
           (is_letter(text[end]) || form.signs.find(text[end]) != std::string_view::npos))
      ++end;
    const std::string_view body = text.substr(at + form.prefix.size(), end - at - form.prefix.size());
    if (body.size() >= form.length && looks_random(body)) return true;
  }
  return false;
}

bool has_private_key(std::string_view text) {
  const size_t begin = text.find("-----BEGIN ");
  if (begin == std::string_view::npos) return false;
  const size_t end = text.find("PRIVATE KEY-----", begin);
  if (end == std::string_view::npos || end > begin + 40) return false;
  // A line of base64 follows; a text about keys has none.
  const std::string_view body = text.substr(std::min(text.size(), end + 16), 200);
  return std::count_if(body.begin(), body.end(), is_letter) > 100;
}

// `api_key = "4f9a..."`: a text in quotes of 16 characters or more.
bool has_assigned_secret(std::string_view text) {
  for (const char quote : {'"', '\''}) {
    for (size_t open = text.find(quote); open != std::string_view::npos; open = text.find(quote, open + 1)) {
      const size_t close = text.find(quote, open + 1);
      if (close == std::string_view::npos) break;
      const std::string_view value = text.substr(open + 1, close - open - 1);
      const bool is_plain = std::all_of(value.begin(), value.end(), [](char c) {
        return is_letter(c) || c == '+' || c == '/' || c == '=' || c == '_' || c == '-' || c == '.';
      });
      if (value.size() < 16 || value.size() > 200 || !is_plain || !looks_random(value)) continue;
      const size_t from = text.rfind('\n', open) == std::string_view::npos ? 0 : text.rfind('\n', open);
      const std::string before = base::in_lower_case(text.substr(from, open - from));
      const size_t sign = before.find_last_of("=:");
      if (sign == std::string::npos || before.find_first_not_of(" \t\"'", sign + 1) != std::string::npos)
        continue;
      if (std::any_of(kSecretNames.begin(), kSecretNames.end(),
                      [&](std::string_view name) { return before.find(name) != std::string::npos; }))
        return true;
    }
  }
  return false;
}

std::optional<Rejection> check_license(const Row& row, const ScreeningOptions& options) {
  if (options.licenses.empty()) return std::nullopt;
  const std::string license = row.license.empty() ? license_in(row.program()) : row.license;
  if (license.empty()) {
    if (options.unknown_license) return std::nullopt;
    return Rejection{"screen", "license", "unknown"};
  }
  if (std::find(options.licenses.begin(), options.licenses.end(), license) != options.licenses.end())
    return std::nullopt;
  return Rejection{"screen", "license", license};
}

}  // namespace

std::optional<std::string> secret_in(std::string_view text) {
  if (has_private_key(text)) return "private key";
  for (const SecretForm& form : kForms)
    if (has_form(text, form)) return std::string(form.name);
  if (has_assigned_secret(text)) return "password or key in quotes";
  return std::nullopt;
}

std::optional<Rejection> screen(const Row& row, const ScreeningOptions& options) {
  if (options.secrets) {
    for (const base::Json& message : row.messages)
      if (const auto secret = secret_in(message["content"].get_ref<const std::string&>()))
        return Rejection{"screen", "secret", *secret};
  }
  return check_license(row, options);
}

}  // namespace cuset::curate
