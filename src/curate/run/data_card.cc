#include "curate/run/data_card.h"

#include <algorithm>

#include "base/json/html_page.h"
#include "base/stats/statistics.h"
#include "base/table_text.h"

namespace cuset::curate {
namespace {

constexpr size_t kShownFamilies = 30;
constexpr size_t kShownText = 1500;

// A table, as Markdown or HTML.
struct CardTable {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> lines;
};

std::string reasons_text(const StageCount& stage) {
  std::vector<std::string> parts;
  for (const auto& [reason, count] : stage.reasons) parts.push_back(fmt::format("{} {}", reason, count));
  return fmt::format("{}", fmt::join(parts, ", "));
}

CardTable stages_of(const DataCard& card) {
  CardTable table{"Stages", {"stage", "in", "out", "refused", "reasons"}, {}};
  for (const StageCount& stage : card.stages)
    table.lines.push_back({stage.name, std::to_string(stage.in), std::to_string(stage.out),
                           std::to_string(stage.in - stage.out), reasons_text(stage)});
  return table;
}

CardTable sources_of(const DataCard& card) {
  CardTable table{"Sources", {"source", "rows", "kept", "share"}, {}};
  for (const auto& [name, count] : card.sources)
    table.lines.push_back({name, std::to_string(count.rows), std::to_string(count.kept),
                           base::percent(count.kept, count.rows)});
  return table;
}

CardTable counts_of(const std::string& title, const std::string& what,
                    const std::map<std::string, size_t>& counts) {
  CardTable table{title, {what, "rows"}, {}};
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  size_t others = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i >= kShownFamilies) {
      others += sorted[i].second;
      continue;
    }
    table.lines.push_back(
        {sorted[i].first.empty() ? "unknown" : sorted[i].first, std::to_string(sorted[i].second)});
  }
  if (others > 0)
    table.lines.push_back({fmt::format("{} more", sorted.size() - kShownFamilies), std::to_string(others)});
  return table;
}

CardTable lengths_of(const DataCard& card) {
  CardTable table{"Lengths of kept rows, in bytes", {"", "10 %", "median", "90 %", "longest"}, {}};
  const auto add = [&](const char* what, const std::vector<double>& values) {
    if (values.empty()) return;
    const std::vector<double> at = {0.1, 0.5, 0.9, 1};
    std::vector<std::string> line = {what};
    for (const double quantile : base::quantiles(values, at)) line.push_back(fmt::format("{:.0f}", quantile));
    table.lines.push_back(line);
  };
  add("prompt", card.prompt_bytes);
  add("response", card.response_bytes);
  return table;
}

CardTable selection_of(const DataCard& card) {
  CardTable table{"Selection", {"", ""}, {}};
  if (!card.selection.is_object()) return table;
  for (const auto& [key, value] : card.selection.items())
    table.lines.push_back({key, value.is_string() ? value.get<std::string>() : base::to_json_line(value)});
  return table;
}

CardTable endpoints_of(const DataCard& card) {
  CardTable table{"Endpoints", {"source", "answers, tokens and cost"}, {}};
  for (const auto& [source, line] : card.endpoints) table.lines.push_back({source, line});
  return table;
}

std::vector<CardTable> tables_of(const DataCard& card) {
  std::vector<CardTable> tables = {sources_of(card),
                                   endpoints_of(card),
                                   stages_of(card),
                                   counts_of("Verdicts", "verdict", card.verdicts),
                                   counts_of("Families of kept rows", "family", card.families),
                                   counts_of("Difficulty of kept rows", "difficulty", card.difficulty),
                                   counts_of("Licenses of kept rows", "license", card.licenses),
                                   lengths_of(card),
                                   selection_of(card)};
  std::erase_if(tables, [](const CardTable& table) { return table.lines.empty(); });
  return tables;
}

std::string markdown_cell(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + markdown_cell(cell) + " |";
  return line + "\n";
}

// A fence that no line of the text closes.
std::string fenced(const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += "`";
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string shown(const std::string& text) {
  return text.size() <= kShownText ? text : text.substr(0, kShownText) + "\n...";
}

std::string heading_of(const CardExample& example) {
  if (example.reason.empty()) return example.id;
  return fmt::format("{}: {} ({}{}{})", example.id, example.reason, example.stage,
                     example.detail.empty() ? "" : ": ", example.detail);
}

constexpr std::string_view kPageHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Data card</title><style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 0 0 1.5em; }
td, th { border-bottom: 1px solid #ddd; padding: .2em .8em; text-align: left; }
pre { background: #f6f6f6; padding: .8em; overflow: auto; max-height: 24em; font-size: 12px; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5em; } .sides > div { min-width: 0; }
</style></head><body>
)";

std::string html_examples(const std::string& title, const std::vector<CardExample>& examples) {
  std::string text = fmt::format("<div><h2>{}</h2>\n", title);
  for (const CardExample& example : examples)
    text += fmt::format("<h4>{}</h4><pre>{}</pre>\n", base::html_escaped(heading_of(example)),
                        base::html_escaped(shown(example.text)));
  return text + "</div>\n";
}

std::string html_table(const CardTable& table) {
  std::string text = fmt::format("<h2>{}</h2><table><tr>", base::html_escaped(table.title));
  for (const std::string& cell : table.header) text += "<th>" + base::html_escaped(cell) + "</th>";
  text += "</tr>\n";
  for (const std::vector<std::string>& line : table.lines) {
    text += "<tr>";
    for (const std::string& cell : line) text += "<td>" + base::html_escaped(cell) + "</td>";
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

std::string opening_of(const DataCard& card) {
  return fmt::format("{} rows to train on, {} to validate; made by cuset curate {}.", card.train,
                     card.validation, card.version);
}

}  // namespace

std::string card_markdown(const DataCard& card) {
  std::string text = fmt::format("# Data card: {}\n\n{}\n", card.name, opening_of(card));
  for (const CardTable& table : tables_of(card)) {
    text += fmt::format("\n## {}\n\n{}", table.title, markdown_line(table.header));
    text += markdown_line(std::vector<std::string>(table.header.size(), "---"));
    for (const std::vector<std::string>& line : table.lines) text += markdown_line(line);
  }
  text += "\n## Kept, for example\n";
  for (const CardExample& example : card.kept)
    text += fmt::format("\n{}\n\n{}", heading_of(example), fenced(shown(example.text)));
  text += "\n## Refused, one for each reason\n";
  for (const CardExample& example : card.rejected)
    text += fmt::format("\n{}\n\n{}", markdown_cell(heading_of(example)), fenced(shown(example.text)));
  return text + "\n## Plan\n\n" + fenced(card.plan);
}

std::string card_html(const DataCard& card) {
  std::string text(kPageHead);
  text += fmt::format("<h1>Data card: {}</h1><p>{}</p>\n", base::html_escaped(card.name),
                      base::html_escaped(opening_of(card)));
  for (const CardTable& table : tables_of(card)) text += html_table(table);
  text += "<div class=\"sides\">\n" + html_examples("Kept, for example", card.kept) +
          html_examples("Refused, one for each reason", card.rejected) + "</div>\n";
  return text + fmt::format("<h2>Plan</h2><pre>{}</pre></body></html>\n", base::html_escaped(card.plan));
}

base::Json json_of(const DataCard& card) {
  base::Json stages = base::Json::array();
  for (const StageCount& stage : card.stages)
    stages.push_back(
        {{"stage", stage.name}, {"in", stage.in}, {"out", stage.out}, {"reasons", stage.reasons}});
  base::Json sources = base::Json::object();
  for (const auto& [name, count] : card.sources) sources[name] = {{"rows", count.rows}, {"kept", count.kept}};
  return {{"name", card.name},         {"train", card.train},       {"validation", card.validation},
          {"stages", stages},          {"sources", sources},        {"endpoints", card.endpoints},
          {"verdicts", card.verdicts}, {"families", card.families}, {"selection", card.selection},
          {"version", card.version}};
}

}  // namespace cuset::curate
