// An image mirrored, turned by a half or a quarter.
#include "gym/solutions/draws.h"
#include "gym/solutions/plane.h"

namespace cuset::gym {
namespace {

struct Turn {
  std::string words = {};  // "mirrored left to right"
  std::string row = {};    // of $x, from those of $y
  std::string column = {};
  bool exchanged = false;  // rows and columns change places
};

GymDraft draw_flip_rotate(base::RandomStream& stream) {
  const Turn turn =
      one_of<Turn>(stream, {{"mirrored left to right", "I", "COLUMNS - 1 - J"},
                            {"mirrored top to bottom", "ROWS - 1 - I", "J"},
                            {"turned by 180 degrees", "ROWS - 1 - I", "COLUMNS - 1 - J"},
                            {"turned by 90 degrees counterclockwise", "J", "COLUMNS - 1 - I", true},
                            {"turned by 90 degrees clockwise", "ROWS - 1 - J", "I", true}});
  const MatrixSize size = {whole_between(stream, 24, 130), whole_between(stream, 24, 130)};
  const tasks::NumberType type =
      one_of(stream, {tasks::NumberType::kFloat32, tasks::NumberType::kInt32, tasks::NumberType::kUint8});
  const auto spelled = [](std::string text, const std::vector<std::pair<std::string, std::string>>& words) {
    for (const auto& [word, meaning] : words)
      for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + meaning.size()))
        text.replace(at, word.size(), meaning);
    return text;
  };
  GymDraft draft = draft_on_matrix(
      size, type, type == tasks::NumberType::kFloat32 ? uniform(0, 1) : whole_numbers(0, 256));
  draft.titles = {"the image $x " + turn.words, "$x " + turn.words, "an image " + turn.words,
                  "the pixels of $x, " + turn.words};
  const auto prose = [&](const std::string& text) {
    return spelled(text, {{"COLUMNS", "$columns"}, {"ROWS", "$rows"}, {"I", "i"}, {"J", "j"}});
  };
  draft.formula = "$y[i][j] = $x[" + prose(turn.row) + "][" + prose(turn.column) + "]";
  const std::string rows = turn.exchanged ? "columns" : "rows";
  const std::string columns = turn.exchanged ? "rows" : "columns";
  draft.outputs = {{"y", type, {size.rows, size.columns}, {rows, columns}, {}, {1e-7, 1e-6}}};
  if (turn.exchanged) draft.outputs[0].shape = {size.columns, size.rows};
  const auto formula = [&](const std::string& text) {
    return spelled(text, {{"COLUMNS", "{columns}"}, {"ROWS", "{rows}"}, {"I", "i0"}, {"J", "i1"}});
  };
  draft.oracle = {
      "loops", {{"expression", "$x[" + formula(turn.row) + ", " + formula(turn.column) + "]"}}, ""};
  const auto code = [&](const std::string& text) {
    return spelled(text, {{"COLUMNS", "$columns"}, {"ROWS", "$rows"}, {"I", "$row"}, {"J", "$column"}});
  };
  draft.solutions =
      plane_solutions({.arrays = {"x", "y"},
                       .rows = "$" + rows,
                       .columns = "$" + columns,
                       .lines = "int $r = " + code(turn.row) + ", $c = " + code(turn.column) +
                                ";\n$y[$row * $" + columns + " + $column] = $x[$r * $columns + $c];\n",
                       .noun = "pixel"},
                      stream);
  return draft;
}

}  // namespace

extern const GymFamily kFamily_flip_rotate;
const GymFamily kFamily_flip_rotate = {"flip_rotate", "images", draw_flip_rotate};

}  // namespace cuset::gym
