#include "gym/families/maps/expression_tree.h"

#include <fmt/format.h>

#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

// Of any value, again a small one.
std::string squashed(const std::string& value, base::RandomStream& stream) {
  const std::string form =
      one_of<std::string>(stream, {"tanh({0})", "sin({0})", "cos({0})", "sigmoid({0})",
                                   "sqrt(abs({0}) + {1})", "log1p(abs({0}))", "exp(-abs({0}))", "atan_like"});
  if (form == "atan_like") return fmt::format("({0}) / (1 + abs({0}))", value);
  return fmt::format(fmt::runtime(form), value, draw_constant(stream, 0.25, 2, 4));
}

// A leaf, or a simple function of it; comparisons are with the exact input only.
std::string term_of(const std::string& leaf, base::RandomStream& stream) {
  const double constant = draw_constant(stream, 0.25, 1.5, 4);
  switch (stream.below(7)) {
    case 0:
      return fmt::format("{} * {}", draw_constant(stream, 0.25, 3, 4), leaf);
    case 1:
      return fmt::format("{0} * {0}", leaf);
    case 2:
      return fmt::format("max({}, {})", leaf, -constant);
    case 3:
      return fmt::format("where({0} > {1}, {0}, {2} * {0})", leaf, constant,
                         draw_constant(stream, 1.25, 3, 4));
    case 4:
      return fmt::format("abs({} - {})", leaf, constant);
    case 5:
      return squashed(leaf, stream);
    default:
      return leaf;
  }
}

std::string joined(const std::string& left, const std::string& right, base::RandomStream& stream) {
  switch (stream.below(6)) {
    case 0:
      return fmt::format("{} - ({})", left, right);
    case 1:
      return fmt::format("({}) * {}", left, squashed(right, stream));
    case 2:
      return fmt::format("max({}, {})", left, right);
    case 3:
      return fmt::format("min({}, {})", left, right);
    case 4:
      return fmt::format("({}) / (1 + abs({}))", left, right);
    default:
      return fmt::format("{} + {}", left, right);
  }
}

}  // namespace

std::string random_tree(const std::vector<std::string>& leaves, base::RandomStream& stream) {
  std::vector<std::string> terms;
  for (const std::string& leaf : leaves) terms.push_back(term_of(leaf, stream));
  if (terms.size() == 1 || one_in(stream, 3))
    terms.push_back(term_of(leaves[stream.below(leaves.size())], stream));
  stream.shuffle(std::span(terms));
  std::string tree = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) tree = joined(tree, terms[i], stream);
  if (one_in(stream, 2))
    tree = squashed(tree, stream) + fmt::format(" + {} * {}", draw_constant(stream, 0.25, 1, 4), leaves[0]);
  return tree;
}

}  // namespace cuset::gym
