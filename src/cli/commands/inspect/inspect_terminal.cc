#include "cli/commands/inspect/inspect_terminal.h"

#include <array>
#include <bitset>

#include "base/console.h"
#include "base/error.h"
#include "base/table_text.h"

namespace cuset::cli {
namespace {

using RoleSet = std::bitset<study::kRoles>;

struct RoleLook {
  std::string_view letter;
  std::string_view color;  // ANSI, from the 256 colors: mid tones, readable on light and dark ground
};

constexpr std::string_view kPlain = "\033[0m";
constexpr std::string_view kFaint = "\033[2m";

RoleLook look_of(study::Role role) {
  static constexpr std::array<RoleLook, study::kRoles> kLooks = {{{"p", "\033[2m"},
                                                                  {".", ""},
                                                                  {"d", "\033[38;5;68m"},
                                                                  {"S", "\033[1;38;5;37m"},
                                                                  {"K", "\033[38;5;71m"},
                                                                  {"D", "\033[38;5;172m"},
                                                                  {"L", "\033[1;38;5;208m"},
                                                                  {"g", "\033[38;5;68m"},
                                                                  {"s", "\033[38;5;133m"},
                                                                  {"t", "\033[38;5;178m"},
                                                                  {"y", "\033[1;38;5;167m"},
                                                                  {"*", "\033[7;38;5;103m"}}};
  return kLooks[static_cast<size_t>(role)];
}

// Part of one line: a piece, or what a newline leaves of it.
struct Fragment {
  std::string_view text;
  study::Role role;
  bool starts_token;
  bool ends_line;  // its newline belongs to it
};

std::vector<std::vector<Fragment>> lines_of_pieces(std::string_view text,
                                                   const std::vector<study::ShownPiece>& pieces,
                                                   size_t from) {
  std::vector<std::vector<Fragment>> lines(1);
  for (const study::ShownPiece& piece : pieces) {
    if (piece.bytes.begin < from) continue;
    std::string_view rest = piece.name.empty() ? piece.bytes.of(text) : std::string_view(piece.name);
    bool starts_token = piece.tokens > 0;
    for (;;) {
      const size_t newline = rest.find('\n');
      const bool ends_line = newline != std::string_view::npos;
      lines.back().push_back({rest.substr(0, newline), piece.role, starts_token, ends_line});
      if (!ends_line) break;
      lines.emplace_back();
      rest.remove_prefix(newline + 1);
      starts_token = false;
      if (rest.empty()) break;
    }
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

class LineWriter {
 public:
  explicit LineWriter(const TerminalOptions& options) : options_(options) {}

  void write(const std::vector<Fragment>& line, size_t number) {
    const RoleSet roles = roles_in(line);
    margin(roles, number);
    const auto ground = static_cast<study::Role>(lowest(roles));
    for (size_t i = 0; i < line.size();) {
      size_t end = i + 1;
      while (end < line.size() && line[end].role == line[i].role && line[i].role != study::Role::kSpecial)
        ++end;
      run(line, i, end, line[i].role != ground);
      i = end;
    }
    out_ += '\n';
  }

  std::string take() { return std::move(out_); }

 private:
  // A newline alone does not count, except on a line that has nothing else.
  static RoleSet roles_in(const std::vector<Fragment>& line) {
    RoleSet roles;
    for (const Fragment& fragment : line) {
      if (!fragment.text.empty()) roles.set(static_cast<size_t>(fragment.role));
    }
    if (roles.none() && !line.empty()) roles.set(static_cast<size_t>(line[0].role));
    return roles;
  }

  static size_t lowest(const RoleSet& roles) {
    size_t role = 0;
    while (role + 1 < study::kRoles && !roles.test(role)) ++role;
    return role;
  }

  void margin(const RoleSet& roles, size_t number) {
    if (options_.line_numbers) out_ += faint(fmt::format("{:>5} ", number));
    if (options_.color) return;
    constexpr size_t kColumns = 5;
    std::string letters;
    for (size_t role = 0; role < study::kRoles; ++role) {
      if (roles.test(role)) letters += look_of(static_cast<study::Role>(role)).letter;
    }
    out_ += fmt::format("{:<{}}| ", letters, kColumns);
  }

  // Fragments [begin, end) of one role.
  void run(const std::vector<Fragment>& line, size_t begin, size_t end, bool brackets) {
    const RoleLook look = look_of(line[begin].role);
    std::string inside;
    for (size_t i = begin; i < end; ++i) {
      const Fragment& fragment = line[i];
      if (options_.token_borders && fragment.starts_token) inside += border(look);
      inside += base::printable(fragment.text, /*keep_lines=*/true);
      if (options_.token_borders && fragment.ends_line) inside += "⏎";
    }
    if (inside.empty()) return;
    if (options_.color) {
      out_ += look.color.empty() ? inside : fmt::format("{}{}{}", look.color, inside, kPlain);
    } else {
      out_ += brackets ? fmt::format("⟦{} {}⟧", look.letter, inside) : inside;
    }
  }

  std::string border(const RoleLook& look) const {
    return options_.color ? fmt::format("{}{}│{}{}", kPlain, kFaint, kPlain, look.color) : "│";
  }

  std::string faint(const std::string& text) const {
    return options_.color ? fmt::format("{}{}{}", kFaint, text, kPlain) : text;
  }

  const TerminalOptions& options_;
  std::string out_;
};

}  // namespace

std::string header_of(const data::Example& example) {
  const size_t labels = example.labels();
  const double share =
      labels == 0 ? 0 : 100.0 * static_cast<double>(example.cuda_labels()) / static_cast<double>(labels);
  std::string out =
      fmt::format("{}  {} tokens, {} learned, {} CUDA ({:.1f} % of learned)", base::printable(example.place),
                  example.ids.size(), labels, example.cuda_labels(), share);
  if (example.weight != 1.0) out += fmt::format(", weight {}", example.weight);
  if (example.truncated) out += ", truncated";
  return out;
}

std::string render_pieces(std::string_view text, const std::vector<study::ShownPiece>& pieces,
                          const TerminalOptions& options) {
  const auto lines = lines_of_pieces(text, pieces, options.begin);
  const size_t shown = options.most_lines == 0 ? lines.size() : std::min(options.most_lines, lines.size());
  LineWriter writer(options);
  for (size_t i = 0; i < shown; ++i) writer.write(lines[i], i + 1);
  std::string out = writer.take();
  if (shown < lines.size()) out += fmt::format("... {}\n", base::counted(lines.size() - shown, "more line"));
  return out;
}

std::string render_legend(const std::vector<study::ShownPiece>& pieces, const TerminalOptions& options) {
  RoleSet roles;
  bool has_tokens = false;
  for (const study::ShownPiece& piece : pieces) {
    roles.set(static_cast<size_t>(piece.role));
    has_tokens = has_tokens || piece.tokens > 0;
  }
  std::string out;
  for (size_t i = 0; i < study::kRoles; ++i) {
    const study::Role role = static_cast<study::Role>(i);
    if (!roles.test(i)) continue;
    const RoleLook look = look_of(role);
    const std::string_view name =
        role == study::Role::kResponse && !has_tokens ? "other" : study::name_of(role);
    out += out.empty() ? "" : "  ";
    out += options.color ? fmt::format("{}{}{}", look.color, name, kPlain)
                         : fmt::format("{} {}", look.letter, name);
  }
  return out + '\n';
}

}  // namespace cuset::cli
