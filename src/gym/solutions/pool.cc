#include "gym/solutions/pool.h"

#include <fmt/format.h>

#include "gym/solutions/draws.h"
#include "gym/solutions/place_work.h"

namespace cuset::gym {
namespace {

std::string pool_lines(const PoolDraft& pool) {
  const SlidingWindow& window = pool.window;
  const std::string element = fmt::format("@[{}]", window.at());
  const std::string line = pool.largest ? fmt::format("$best = fmaxf($best, {});\n", element)
                                        : fmt::format("$sum += {};\n", element);
  const std::string result = pool.largest ? "$best" : fmt::format("$sum / ({})", window.all_taps());
  return window.coordinates() + (pool.largest ? "float $best = -FLT_MAX;\n" : "float $sum = 0.0f;\n") +
         window.loops(line) + fmt::format("$y[$plane * {} + $p] = {};\n", window.out_plane(), result);
}

PlaceWork pool_work(const PoolDraft& pool, const GymDraft& draft) {
  PlaceWork work;
  work.arrays = {"x", "y"};
  for (const GymSize& size : draft.sizes) work.sizes.push_back(size.key);
  if (pool.largest) work.headers = {"cfloat"};
  work.planes = "$batch * $channels";
  work.places = pool.window.out_plane();
  work.lines = pool_lines(pool);
  work.slice = "x";
  work.slice_first = "$plane * " + pool.window.plane();
  work.slice_size = pool.window.inputs_of_all();
  return work;
}

}  // namespace

GymDraft pool_draft(const PoolDraft& pool, base::RandomStream& stream) {
  const SlidingWindow& window = pool.window;
  const size_t axes = window.axes.size();
  GymDraft draft;
  draft.formula = fmt::format("$y{} = {} of $x[n][c] over the window of $taps{} that belongs to this place",
                              place_in_formula(axes), pool.largest ? "max" : "mean",
                              axes == 1   ? ""
                              : axes == 2 ? " x $taps"
                                          : " x $taps x $taps");
  draft.notes = window.notes();
  draft.notes.insert(draft.notes.begin(), "the window has {taps} places along each axis");
  if (window.stride == 1) draft.notes.push_back("the stride is 1");
  if (window.padding != 0)
    draft.notes.push_back(pool.largest
                              ? "padding never is the maximum"
                              : "padding counts as zeros, so that every mean divides by the whole window");
  draft.sizes = {{"batch", pool.batch}, {"channels", pool.channels}};
  const std::vector<GymSize> sizes = window.sizes();
  draft.sizes.insert(draft.sizes.end(), sizes.begin(), sizes.end());
  GymArray x{
      "x", tasks::NumberType::kFloat32, {pool.batch, pool.channels}, {"batch", "channels"}, normal(0.25), {}};
  GymArray y = x;
  y.key = "y";
  y.tolerance = {2e-6, 1e-5};
  const tasks::Shape out = window.out_shape();
  const std::vector<std::string> out_axes = window.out_axes();
  x.shape.insert(x.shape.end(), window.lengths.begin(), window.lengths.end());
  x.sides.insert(x.sides.end(), window.axes.begin(), window.axes.end());
  y.shape.insert(y.shape.end(), out.begin(), out.end());
  y.sides.insert(y.sides.end(), out_axes.begin(), out_axes.end());
  draft.inputs = {x};
  draft.outputs = {y};
  draft.oracle.native = fmt::format("pool{}d", axes);
  draft.oracle.parameters = {{"op", pool.largest ? "max" : "avg"},
                             {"kernel", window.taps},
                             {"stride", window.stride},
                             {"padding", window.padding}};
  draft.solutions = place_solutions(pool_work(pool, draft), stream);
  return draft;
}

GymDraft draw_pool(const PoolFamily& family, base::RandomStream& stream) {
  PoolDraft pool;
  pool.largest = family.largest;
  pool.batch = whole_between(stream, 1, 6);
  pool.channels = whole_between(stream, 2, 8);
  pool.window.axes = family.axes;
  for (size_t i = 0; i < family.axes.size(); ++i)
    pool.window.lengths.push_back(whole_between(stream, family.least_side, family.most_side));
  pool.window.taps = whole_between(stream, 2, 5);
  pool.window.stride = whole_between(stream, 1, pool.window.taps);
  pool.window.padding = one_in(stream, 2) ? pool.window.taps / 2 : 0;
  GymDraft draft = pool_draft(pool, stream);
  const std::string_view kind = family.largest ? "max" : "average";
  draft.titles = {
      fmt::format("{} {} pool of $x in {}D", family.largest ? "a" : "an", kind, family.axes.size()),
      fmt::format("{}D {} pooling of a batch of {}", family.axes.size(), kind, family.of),
      fmt::format("the {} of $x under a sliding window", family.largest ? "largest element" : "mean"),
      fmt::format("{} pooling with windows of {{taps}}, channel by channel", kind)};
  return draft;
}

}  // namespace cuset::gym
