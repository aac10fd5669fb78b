// A random tree of safe functions over one input.
#include "gym/families/maps/expression_tree.h"
#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_unary_tree(base::RandomStream& stream) {
  Elementwise what;
  what.type = draw_floating(stream);
  what.titles = {"an elementwise formula of $x", "a function applied to every element of $x",
                 "a pointwise transformation of $x", "one expression evaluated for each element of $x"};
  what.inputs = {{"x", uniform(-2, 2)}};
  what.formula = random_tree({"$x"}, stream);
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_unary_tree;
const GymFamily kFamily_unary_tree = {"unary_tree", "maps", draw_unary_tree};

}  // namespace cuset::gym
