// Runs the same inputs through the loops of every set of vector instructions, as the program, another
// compiler and other options made them (CMakeLists.txt, cuset_loop_library), and compares the results bit by
// bit.
#include "ops/cpu/loop_sets.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace cuset::ops {
namespace {

using Values = std::vector<float>;

struct NamedSet {
  std::string maker;  // "program", or the library's name
  const LoopSet* set;
};

std::vector<NamedSet> sets_of_program() {
  const LoopSetList list = all_loop_sets();
  std::vector<NamedSet> sets;
  for (int i = 0; i < list.count; ++i) sets.push_back({"program", list.sets[i]});
  return sets;
}

// Libraries stay loaded: the sets lie in them.
std::vector<NamedSet> sets_of_libraries() {
  std::vector<NamedSet> sets;
  std::istringstream paths(CUSET_LOOP_LIBRARIES);
  for (std::string path; std::getline(paths, path, '|');) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      ADD_FAILURE() << dlerror();
      continue;
    }
    const auto get = reinterpret_cast<const LoopSet* (*)(int)>(dlsym(library, "cuset_loop_set"));
    for (int i = 0; get(i) != nullptr; ++i)
      sets.push_back({std::filesystem::path(path).stem().string(), get(i)});
  }
  return sets;
}

// Between -2 and 2, with full mantissas.
class Numbers {
 public:
  explicit Numbers(uint32_t seed) : state_(seed) {}
  float next() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(static_cast<int32_t>(state_)) * 0x1p-30f;
  }
  Values some(int64_t count) {
    Values values(static_cast<size_t>(count));
    for (float& value : values) value = next();
    return values;
  }

 private:
  uint32_t state_;
};

void append(Values& all, const Values& more) { all.insert(all.end(), more.begin(), more.end()); }

// Values as bfloat16: the upper halves.
std::vector<uint16_t> upper_halves(const Values& values) {
  std::vector<uint16_t> halves(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, &values[i], 4);
    halves[i] = static_cast<uint16_t>(bits >> 16);
  }
  return halves;
}

struct ProductCase {
  int64_t rows, inner, panels;
  bool is_bfloat16, bias, add;
};

Values product_of(const LoopSet& set, const ProductCase& shape, bool weighted) {
  Numbers numbers(static_cast<uint32_t>(shape.rows * 1000 + shape.inner));
  const int64_t columns = shape.panels * kPanel;
  const Values weights = numbers.some(columns * shape.inner), x = numbers.some(shape.rows * shape.inner);
  const Values bias = numbers.some(columns);
  Values y = numbers.some(shape.rows * columns);
  const std::vector<uint16_t> halves = upper_halves(weights);
  const PanelProduct product{
      .panels = shape.is_bfloat16 ? static_cast<const void*>(halves.data()) : weights.data(),
      .is_bfloat16 = shape.is_bfloat16,
      .inner = shape.inner,
      .panel_stride = shape.inner * kPanel,
      .count = shape.panels,
      .x = x.data(),
      .x_row = shape.inner,
      .rows = shape.rows,
      .y = y.data(),
      .y_row = columns,
      .bias = shape.bias ? bias.data() : nullptr,
      .add = shape.add};
  (weighted ? set.panel.weighted_sums : set.panel.product)(product);
  return y;
}

Values products(const LoopSet& set) {
  Values all;
  for (int64_t rows = 1; rows <= 33; ++rows) {
    for (const int64_t inner : {1, 2, 3, 5, 8, 17, 64, 131, 200}) {
      const bool odd = (rows + inner) % 2 == 1;
      const ProductCase shape{rows, inner, 1 + rows % 9, odd, inner % 3 == 0, rows % 3 == 0};
      append(all, product_of(set, shape, false));
    }
  }
  for (int64_t inner = 1; inner <= 200; ++inner) {
    for (const bool is_bfloat16 : {false, true}) {
      append(all, product_of(set, {1 + inner % 4, inner, 1 + inner % 6, is_bfloat16, true, true}, false));
      append(all, product_of(set, {1 + inner % 3, inner, 1 + inner % 7, is_bfloat16, false, false}, true));
    }
  }
  return all;
}

Values scores_and_norms(const LoopSet& set) {
  Values all;
  Numbers numbers(1);
  for (int64_t width = 1; width <= 200; ++width) {
    Values x = numbers.some(panel_padded(width)), weight = numbers.some(panel_padded(width)), y(x.size());
    for (size_t i = static_cast<size_t>(width); i < x.size(); ++i) x[i] = 0;
    set.panel.norm(x.data(), weight.data(), width, 1e-6f, y.data());
    append(all, y);
    for (float& score : x) score *= 30;
    all.push_back(set.panel.exponentials(x.data(), width, 0.7f));
    append(all, x);
  }
  return all;
}

Values rows(const LoopSet& set) {
  Values all;
  Numbers numbers(2);
  for (int64_t width = 1; width <= 200; ++width) {
    const Values x = numbers.some(width), weight = numbers.some(width), dy = numbers.some(width);
    Values y(x.size()), more = numbers.some(width);
    const float r = set.rms_norm_row(x.data(), weight.data(), width, 1e-5f, y.data());
    append(all, y);
    set.rms_norm_backward_row({dy.data(), x.data(), weight.data(), r}, width, y.data(), more.data());
    append(all, y);
    append(all, more);
    Values gate = numbers.some(width), up = numbers.some(width);
    for (float& g : gate) g *= 20;
    set.swiglu_row(gate.data(), up.data(), width, y.data());
    append(all, y);
    set.swiglu_backward_row(gate.data(), up.data(), dy.data(), width);
    append(all, gate);
    append(all, up);
    set.rotary_row({x.data(), weight.data(), width % 2 == 0 ? 1.0f : -1.0f}, 1, width / 2, dy.data(),
                   y.data());
    append(all, y);
    all.push_back(set.exponentials_row(x.data(), width, 0.9f, y.data()));
    append(all, y);
    for (const bool gradient : {false, true}) {
      y = x;
      all.push_back(set.softmax_row(y.data(), width, width / 2, gradient).log_probability);
      append(all, y);
    }
  }
  return all;
}

Values small_products(const LoopSet& set) {
  Values all;
  Numbers numbers(3);
  for (int64_t width = 1; width <= 200; ++width) {
    const ProductSize narrow{1 + width % 5, width, 1 + width % 9}, wide{1 + width % 5, 1 + width % 19, width};
    const Values a = numbers.some(100 * width), b = numbers.some(100 * width);
    Values c = numbers.some(100 * width);
    set.dot_products(narrow, {a.data(), width}, {b.data(), width}, 0.3f, c.data());
    append(all, c);
    set.add_product(wide, {a.data(), wide.inner}, {b.data(), width}, c.data(), width);
    append(all, c);
    set.add_product(wide, {a.data(), 1, wide.rows}, {b.data(), width}, c.data(), width);
    append(all, c);
    set.multiply(a.data(), b.data(), width, c.data());
    append(all, c);
    set.add_multiplied(b.data(), a.data(), width, c.data());
    append(all, c);
  }
  return all;
}

Values tile_products(const LoopSet& set) {
  Values all;
  Numbers numbers(5);
  for (const int64_t columns : {16, 32, 48, 64, 80, 96, 112, 128}) {
    for (const int64_t inner : {1, 2, 17, 48}) {
      const int64_t rows = kTileRowStep * (1 + inner % 3);
      const Values a = numbers.some(rows * inner), b = numbers.some(inner * columns);
      const Values factors = numbers.some(columns);
      Values c = numbers.some(rows * columns);
      TileProduct product{rows,     inner,   columns,  a.data(), inner, 1,
                          b.data(), columns, c.data(), columns,  true,  nullptr};
      set.tile.product(product);
      product.factors = factors.data();
      product.a_row = 1;
      product.a_column = rows;
      set.tile.product(product);
      append(all, c);
    }
  }
  return all;
}

Values tile_scores(const LoopSet& set) {
  Values all;
  Numbers numbers(6);
  for (int64_t rows = 1; rows <= 50; ++rows) {
    Values scores = numbers.some(rows * kTileQueries), gradients = numbers.some(rows * kTileQueries);
    for (float& score : scores) score *= 90;
    Values again = scores, largest = numbers.some(kTileQueries), sums = numbers.some(kTileQueries);
    Values factors(static_cast<size_t>(kTileQueries));
    set.tile.fold_scores({scores.data(), rows, largest.data(), sums.data(), factors.data()});
    set.tile.score_gradients({again.data(), gradients.data(), rows, largest.data(), sums.data()});
    for (const Values* values : {&scores, &gradients, &largest, &sums, &factors, &again})
      append(all, *values);
    set.tile.row_products(gradients.data(), scores.data(), kTileQueries, rows, sums.data());
    append(all, sums);
  }
  return all;
}

const std::vector<std::pair<const char*, std::function<Values(const LoopSet&)>>> kLoops = {
    {"products", products},
    {"scores and norms", scores_and_norms},
    {"rows", rows},
    {"small products", small_products},
    {"tile products", tile_products},
    {"tile scores", tile_scores}};

void expect_same_bits(const NamedSet& a, const NamedSet& b) {
  for (const auto& [name, run] : kLoops) {
    const Values x = run(*a.set), y = run(*b.set);
    ASSERT_EQ(x.size(), y.size());
    size_t different = 0;
    for (size_t i = 0; i < x.size(); ++i) different += std::memcmp(&x[i], &y[i], sizeof(float)) != 0;
    EXPECT_EQ(different, 0u) << name << ": of " << x.size() << " values, between " << a.set->name << " of "
                             << a.maker << " and " << b.set->name << " of " << b.maker;
  }
}

constexpr const char* kSecondCompiler = "loops_of_second_compiler";

// The program's sets with those of the libraries of which `chosen` is true. Returns how many pairs there
// were.
int compare_with_libraries(const std::function<bool(const std::string& maker)>& chosen) {
  int pairs = 0;
  const std::vector<NamedSet> made = sets_of_libraries();
  for (const NamedSet& ours : sets_of_program()) {
    for (const NamedSet& other : made) {
      if (!chosen(other.maker) || std::strcmp(ours.set->name, other.set->name) != 0) continue;
      expect_same_bits(ours, other);
      ++pairs;
    }
  }
  return pairs;
}

TEST(LoopSets, SecondCompilerGivesTheSameBits) {
  if (compare_with_libraries([](const std::string& maker) { return maker == kSecondCompiler; }) == 0)
    GTEST_SKIP() << "skipped: no second compiler";
}

TEST(LoopSets, OtherOptionsGiveTheSameBits) {
  EXPECT_GT(compare_with_libraries([](const std::string& maker) { return maker != kSecondCompiler; }), 0);
}

// The sets that have fused multiply-add: not the last.
TEST(LoopSets, WideSetsGiveTheSameBits) {
  const std::vector<NamedSet> sets = sets_of_program();
  if (sets.size() < 3) GTEST_SKIP() << "skipped: this machine has fewer than two wide sets";
  expect_same_bits(sets[0], sets[1]);
}

TEST(LoopSets, BitsOfARowDoNotDependOnItsNeighbors) {
  constexpr int64_t kRows = 7, kColumns = 11;
  for (const NamedSet& named : sets_of_program()) {
    const LoopSet& set = *named.set;
    Numbers numbers(4);
    for (const int64_t inner : {1, 7, 16, 67}) {
      const Values a = numbers.some(kRows * inner), b = numbers.some(kColumns * inner);
      // The products of `count` rows from `row` on: first dot products, then sums in place.
      const auto products_of = [&](int64_t row, int64_t count) {
        const SmallMatrix rows_of_a{a.data() + row * inner, inner};
        Values dots(static_cast<size_t>(count * kColumns)), sums(dots.size(), 1.0f);
        set.dot_products({count, inner, kColumns}, rows_of_a, {b.data(), inner}, 1, dots.data());
        set.add_product({count, inner, kColumns}, rows_of_a, {b.data(), kColumns}, sums.data(), kColumns);
        return std::pair(dots, sums);
      };
      const auto [dots, sums] = products_of(0, kRows);
      for (int64_t row = 0; row < kRows; ++row) {
        const auto [dot, sum] = products_of(row, 1);
        EXPECT_EQ(std::memcmp(dot.data(), dots.data() + row * kColumns, kColumns * 4), 0)
            << set.name << inner;
        EXPECT_EQ(std::memcmp(sum.data(), sums.data() + row * kColumns, kColumns * 4), 0)
            << set.name << inner;
      }
    }
  }
}

}  // namespace
}  // namespace cuset::ops
