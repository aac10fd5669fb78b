#include "study/plan/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/json/html_page.h"
#include "study/csv_field.h"

namespace cuset::study {
namespace {

using Form = TableCell::Form;

bool is_estimate(const TableCell& cell) { return cell.form == Form::kRate || cell.form == Form::kDifference; }

std::string shown(const TableCell& cell) {
  const base::Estimate& estimate = cell.estimate;
  const double value = 100 * estimate.value;
  const double low = 100 * estimate.interval.low;
  const double high = 100 * estimate.interval.high;
  switch (cell.form) {
    case Form::kRate:
      return fmt::format("{:.1f} [{:.1f}, {:.1f}]", value, low, high);
    case Form::kDifference:
      return fmt::format("{:+.1f} [{:.1f}, {:.1f}]", value, low, high);
    case Form::kSwitch:
      return cell.is_on ? "✓" : "";
    case Form::kText:
      break;
  }
  return cell.text;
}

// Characters, not bytes: each is one place wide here.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

std::string without_trailing_spaces(std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string latex_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '~':
        escaped += "\\textasciitilde{}";
        break;
      case '^':
        escaped += "\\textasciicircum{}";
        break;
      case '<':
      case '>':  // other signs in TeX's oldest fonts
        escaped += fmt::format("${}$", c);
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        escaped += '\\';
        [[fallthrough]];
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string markdown_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '<' || c == '*' || c == '_' || c == '`') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string latex_cell(const TableCell& cell) {
  if (cell.form == Form::kSwitch) return cell.is_on ? "$\\checkmark$" : "";
  std::string text = latex_escaped(shown(cell));
  if (cell.form == Form::kDifference)
    text = fmt::format("${:+.1f}$ {}", 100 * cell.estimate.value, text.substr(text.find('[')));
  if (cell.rank == 1) return "\\textbf{" + text + "}";
  return cell.rank == 2 ? "\\underline{" + text + "}" : text;
}

std::string markdown_cell(const TableCell& cell) {
  const std::string text = is_estimate(cell) ? shown(cell) : markdown_escaped(shown(cell));
  if (cell.rank == 1) return "**" + text + "**";
  return cell.rank == 2 ? "*" + text + "*" : text;
}

std::string html_cell(const TableCell& cell) {
  const std::string text = base::html_escaped(shown(cell));
  if (cell.rank == 1) return "<b>" + text + "</b>";
  return cell.rank == 2 ? "<u>" + text + "</u>" : text;
}

bool has_rule(const StudyTable& table, size_t row) {
  return row > 0 && std::find(table.rules.begin(), table.rules.end(), row) != table.rules.end();
}

bool holds_estimates(const StudyTable& table, size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return is_estimate(row[column]); });
}

}  // namespace

TableCell TableCell::of_text(std::string text) {
  TableCell cell;
  cell.text = std::move(text);
  return cell;
}

TableCell TableCell::of_rate(const base::Estimate& estimate) {
  TableCell cell;
  cell.form = Form::kRate;
  cell.estimate = estimate;
  return cell;
}

TableCell TableCell::of_difference(const base::Estimate& estimate) {
  TableCell cell = of_rate(estimate);
  cell.form = Form::kDifference;
  return cell;
}

TableCell TableCell::of_switch(bool is_on) {
  TableCell cell;
  cell.form = Form::kSwitch;
  cell.is_on = is_on;
  return cell;
}

void rank_column(StudyTable& table, size_t column, const std::vector<size_t>& rows) {
  if (rows.size() < 2) return;
  std::vector<double> values;
  for (const size_t row : rows) values.push_back(table.rows[row][column].estimate.value);
  std::sort(values.begin(), values.end(), std::greater<>());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (const size_t row : rows) {
    TableCell& cell = table.rows[row][column];
    if (cell.estimate.value == values[0]) cell.rank = 1;
    if (values.size() > 1 && cell.estimate.value == values[1]) cell.rank = 2;
  }
}

std::string as_text_without_notes(const StudyTable& table) {
  std::vector<size_t> widths;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    widths.push_back(width_of(table.columns[column]));
    for (const auto& row : table.rows) widths.back() = std::max(widths.back(), width_of(shown(row[column])));
  }
  const auto line_of = [&](const auto& text_of) {
    std::string line;
    for (size_t column = 0; column < widths.size(); ++column)
      line += padded(text_of(column), widths[column]) + "  ";
    return without_trailing_spaces(line) + "\n";
  };
  std::string text = table.title + "\n\n" + line_of([&](size_t column) { return table.columns[column]; });
  for (size_t row = 0; row < table.rows.size(); ++row) {
    if (has_rule(table, row)) text += "\n";
    text += line_of([&](size_t column) { return shown(table.rows[row][column]); });
  }
  return text;
}

std::string as_text(const StudyTable& table) {
  std::string text = as_text_without_notes(table) + "\n";
  for (const std::string& note : table.notes) text += note + "\n";
  return text;
}

std::string as_markdown(const StudyTable& table) {
  std::string text = "### " + markdown_escaped(table.title) + "\n\n|";
  for (const std::string& column : table.columns) text += " " + markdown_escaped(column) + " |";
  text += "\n|";
  for (size_t column = 0; column < table.columns.size(); ++column) text += "---|";
  text += "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const TableCell& cell : row) text += " " + markdown_cell(cell) + " |";
    text += "\n";
  }
  for (const std::string& note : table.notes) text += "\n" + markdown_escaped(note) + "\n";
  return text;
}

std::string as_csv(const StudyTable& table) {
  std::string text;
  const auto finish_line = [&] {
    text.back() = '\n';  // instead of the last comma
  };
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const std::string& name = table.columns[column];
    text += csv_field(name) + ",";
    if (holds_estimates(table, column))
      text += csv_field(name + " low") + "," + csv_field(name + " high") + ",";
  }
  finish_line();
  for (const auto& row : table.rows) {
    for (size_t column = 0; column < row.size(); ++column) {
      const TableCell& cell = row[column];
      if (is_estimate(cell)) {
        text += fmt::format("{:.4f},{:.4f},{:.4f},", 100 * cell.estimate.value,
                            100 * cell.estimate.interval.low, 100 * cell.estimate.interval.high);
      } else {
        text += (cell.form == Form::kSwitch ? (cell.is_on ? "1" : "0") : csv_field(cell.text)) + ",";
        if (holds_estimates(table, column)) text += ",,";
      }
    }
    finish_line();
  }
  return text;
}

std::string as_latex(const StudyTable& table) {
  std::string text = "\\begin{table}\n\\centering\n";
  text += fmt::format("\\caption{{{}. {}}}\n", latex_escaped(table.title),
                      latex_escaped(fmt::format("{}", fmt::join(table.notes, " "))));
  text += fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n", std::string(table.columns.size(), 'l'));
  for (size_t column = 0; column < table.columns.size(); ++column)
    text += (column > 0 ? " & " : "") + latex_escaped(table.columns[column]);
  text += " \\\\\n\\midrule\n";
  for (size_t row = 0; row < table.rows.size(); ++row) {
    if (has_rule(table, row)) text += "\\midrule\n";
    for (size_t column = 0; column < table.columns.size(); ++column)
      text += (column > 0 ? " & " : "") + latex_cell(table.rows[row][column]);
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

std::string as_html(const StudyTable& table) {
  std::string text = fmt::format("<table>\n<caption>{}</caption>\n<tr>", base::html_escaped(table.title));
  for (const std::string& column : table.columns) text += "<th>" + base::html_escaped(column) + "</th>";
  text += "</tr>\n";
  for (size_t row = 0; row < table.rows.size(); ++row) {
    text += has_rule(table, row) ? "<tr class=\"rule\">" : "<tr>";
    for (const TableCell& cell : table.rows[row]) text += "<td>" + html_cell(cell) + "</td>";
    text += "</tr>\n";
  }
  text += "</table>\n";
  for (const std::string& note : table.notes)
    text += "<p class=\"note\">" + base::html_escaped(note) + "</p>\n";
  return text;
}

}  // namespace cuset::study
