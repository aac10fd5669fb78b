// A random tree of safe functions over three inputs.
#include "gym/families/maps/expression_tree.h"
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_ternary_tree(base::RandomStream& stream) {
  Elementwise what;
  what.titles = {"an elementwise formula of three vectors", "a function of $a, $b and $x, element by element",
                 "a pointwise combination of $a, $b and $x",
                 "one expression of three inputs for each position"};
  what.inputs = {{"a", uniform(-2, 2)}, {"b", uniform(-2, 2)}, {"x", uniform(-2, 2)}};
  what.formula = random_tree({"$a", "$b", "$x"}, stream);
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_ternary_tree;
const GymFamily kFamily_ternary_tree = {"ternary_tree", "maps", draw_ternary_tree};

}  // namespace cuset::gym
