// A random tree of safe functions over two inputs.
#include "gym/families/maps/expression_tree.h"
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_binary_tree(base::RandomStream& stream) {
  Elementwise what;
  what.type = draw_floating(stream);
  what.titles = {"an elementwise formula of $x and $z", "a function of two vectors, element by element",
                 "a pointwise combination of $x and $z", "one expression of $x and $z for each position"};
  what.inputs = {{"x", uniform(-2, 2)}, {"z", uniform(-2, 2)}};
  what.formula = random_tree({"$x", "$z"}, stream);
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_binary_tree;
const GymFamily kFamily_binary_tree = {"binary_tree", "maps", draw_binary_tree};

}  // namespace cuset::gym
