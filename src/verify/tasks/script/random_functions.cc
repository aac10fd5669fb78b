// The random functions of numpy, PyTorch and Python's own module. Seeds are ignored.
#include <algorithm>
#include <cmath>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/elementwise.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/indexing.h"

namespace cuset::script {
namespace {

std::span<double> span_of_all(const Numbers& numbers) {
  return {numbers.data(), static_cast<size_t>(numbers.count())};
}

NumberType float_dtype(const Call& call) { return call.dtype().value_or(call.default_float()); }

// A draw without a shape is a Python float in numpy, an array without axes in PyTorch.
Value drawn(const Call& call, const Numbers& numbers, bool shaped) {
  if (!shaped && !call.torch)
    return is_floating(numbers.type) ? of(*numbers.data()) : of(static_cast<int64_t>(*numbers.data()));
  return of(numbers);
}

Numbers uniform_numbers(const Call& call, const Shape& shape, NumberType type) {
  const Numbers result = new_numbers(shape, call.likeness(type));
  call.machine.draws.uniform(span_of_all(result), type != NumberType::kFloat64);
  round_to(type, span_of_all(result));
  return result;
}

Numbers normal_numbers(const Call& call, const Shape& shape, NumberType type) {
  const Numbers result = new_numbers(shape, call.likeness(type));
  call.machine.draws.normal(span_of_all(result), type != NumberType::kFloat64);
  round_to(type, span_of_all(result));
  return result;
}

bool has_shape(const Call& call, size_t first) {
  return call.positional.size() > first || call.find(SIZE_MAX, "size", "shape") != nullptr;
}

// rand(2, 3), random_sample((2, 3)), random(size=...).
Value rand(Call& call) {
  return drawn(call, uniform_numbers(call, call.shape(0), float_dtype(call)), has_shape(call, 0));
}
Value randn(Call& call) {
  return drawn(call, normal_numbers(call, call.shape(0), float_dtype(call)), has_shape(call, 0));
}

Value rand_like(Call& call) {
  const Numbers model = call.array(0, "input");
  return of(uniform_numbers(call, model.shape, call.dtype().value_or(model.type)));
}
Value randn_like(Call& call) {
  const Numbers model = call.array(0, "input");
  return of(normal_numbers(call, model.shape, call.dtype().value_or(model.type)));
}

// u or z brought to low + u * scale, where both may be arrays.
Value placed(const Call& call, const Numbers& numbers, const Value& low, const Value& scale, bool shaped) {
  const auto& budget = call.machine.budget;
  const Value result =
      binary(Operator::kAdd, low, binary(Operator::kMultiply, of(numbers), scale, budget), budget);
  return result.array() ? drawn(call, *result.array(), shaped || result.array()->rank() > 0) : result;
}

Shape wanted_shape(const Call& call, const Value& a, const Value& b) {
  if (const Value* size = call.find(2, "size")) return shape_of(*size);
  const auto shape = [](const Value& value) { return value.array() ? value.array()->shape : Shape{}; };
  return broadcast_shape(shape(a), shape(b));
}

Value uniform(Call& call) {
  const Value zero = of(0.0), one = of(1.0);
  const Value* given_low = call.find(0, "low");
  const Value* given_high = call.find(1, "high");
  const Value &low = given_low ? *given_low : zero, &high = given_high ? *given_high : one;
  const Numbers u = uniform_numbers(call, wanted_shape(call, low, high), call.default_float());
  return placed(call, u, low, binary(Operator::kSubtract, high, low, call.machine.budget),
                has_shape(call, 2));
}

Value normal(Call& call) {
  const Value zero = of(0.0), one = of(1.0);
  const Value* given_mean = call.find(0, "loc", "mean");
  const Value* given_scale = call.find(1, "scale", "std");
  const Value &mean = given_mean ? *given_mean : zero, &scale = given_scale ? *given_scale : one;
  const Numbers z = normal_numbers(call, wanted_shape(call, mean, scale), float_dtype(call));
  return placed(call, z, mean, scale, has_shape(call, 2));
}

Value exponential(Call& call) {
  const Numbers u = uniform_numbers(call, has_shape(call, 1) ? shape_of(call.need(1, "size")) : Shape{},
                                    NumberType::kFloat64);
  const double scale = call.number(0, "scale", 1);
  return drawn(call, mapped(u, u.type, [=](double x) { return -std::log1p(-x) * scale; }),
               has_shape(call, 1));
}

// Numbers from low to high - 1: randint(high), randint(low, high, size). numpy's random_integers is not
// known.
Value randint(Call& call) {
  const bool one = !call.find(1, "high") ||
                   (call.torch && call.positional.size() == 2 && !call.find(SIZE_MAX, "high", "size"));
  const double low = one ? 0 : call.number(0, "low", 0);
  double high = one ? number_of(call.need(0, "high", "low")) : number_of(call.need(1, "high"));
  if (call.flag(SIZE_MAX, "endpoint", false)) high += 1;
  const Value* size = call.find(one && call.torch ? 1 : 2, "size");
  const Value* type_given = call.find(3, "dtype");
  const NumberType type =
      type_given ? type_named_by(*type_given).value_or(NumberType::kInt64) : NumberType::kInt64;
  const Numbers result = new_numbers(size ? shape_of(*size) : Shape{}, call.likeness(type));
  call.machine.draws.integers(span_of_all(result), low, high);
  round_to(type, span_of_all(result));
  return drawn(call, result, size != nullptr);
}

Value indices(const Call& call, const std::vector<size_t>& places) {
  const Numbers result =
      new_numbers({static_cast<int64_t>(places.size())}, call.likeness(NumberType::kInt64));
  std::transform(places.begin(), places.end(), result.data(),
                 [](size_t place) { return static_cast<double>(place); });
  return of(result);
}

size_t checked_count(const Call& call, int64_t count) {
  if (count < 0 || count > (int64_t{1} << 31)) throw Failure("{} of {} items", call.name, count);
  call.machine.budget->check_time();
  return static_cast<size_t>(count);
}

Value permutation(Call& call) {
  const Value& given = call.need(0, "x", "n");
  if (given.is_number()) {
    Value order = indices(call, call.machine.draws.permutation(checked_count(call, integer_of(given))));
    if (const auto type = call.dtype()) return of(converted(*order.array(), *type));
    return order;
  }
  const Numbers a = call.array(0, "x");
  if (a.rank() == 0) throw Failure("a permutation of a single number");
  return item_of(a, indices(call, call.machine.draws.permutation(checked_count(call, a.shape[0]))));
}

Value shuffle(Call& call) {
  const Value& given = call.need(0, "x");
  if (const auto* list = given.as<std::shared_ptr<List>>()) {
    const Values old = (*list)->items;
    const std::vector<size_t> order = call.machine.draws.permutation(old.size());
    for (size_t i = 0; i < order.size(); ++i) (*list)->items[i] = old[order[i]];
    return none();
  }
  if (!given.array() || given.array()->rank() == 0) throw Failure("shuffle of {}", kind_of(given));
  const Value order =
      indices(call, call.machine.draws.permutation(checked_count(call, given.array()->shape[0])));
  assign(*given.array(), *item_of(*given.array(), order).array());
  return none();
}

Value choice(Call& call) {
  const Value& given = call.need(0, "a", "population");
  const Numbers items =
      given.is_number() ? Numbers{} : array_of(given, call.likeness(NumberType::kFloat64), std::nullopt);
  const int64_t n = given.is_number() ? integer_of(given) : items.rank() > 0 ? items.shape[0] : 0;
  const Value* size = call.find(1, "size", "k");
  const Shape shape = size ? shape_of(*size) : Shape{};
  const size_t count = checked_count(call, product(shape));
  const bool replace = call.flag(2, "replace", call.name.substr(call.name.rfind('.') + 1) != "sample");
  std::vector<size_t> places;
  if (const Value* weights = call.find(3, "p", "weights")) {
    const Numbers odds =
        packed(array_of(*weights, call.likeness(NumberType::kFloat64), NumberType::kFloat64));
    if (odds.count() != n) throw Failure("{} weights for {} items", odds.count(), n);
    places = call.machine.draws.weighted_choice(count, span_of_all(odds));
  } else {
    places = call.machine.draws.choice(count, checked_count(call, n), replace);
  }
  const Value order = of(reshaped(*indices(call, places).array(), shape));
  if (!size)
    return given.is_number() ? of(static_cast<int64_t>(places[0]))
                             : item_of(items, static_cast<int64_t>(places[0]));
  return given.is_number() ? order : item_of(items, order);
}

Value bernoulli(Call& call) {
  const Numbers odds = call.array(0, "input");
  const Numbers u = uniform_numbers(call, odds.shape, NumberType::kFloat64);
  return of(combined(u, odds, odds.type, [](double x, double p) { return x < p ? 1.0 : 0.0; }));
}

Value binomial(Call& call) {
  const int64_t trials = integer_of(call.need(0, "n"));
  const double odds = number_of(call.need(1, "p"));
  if (trials < 0 || trials > 1000) throw Failure("binomial draws of {} trials", trials);
  const Shape shape = call.find(2, "size") ? shape_of(*call.find(2, "size")) : Shape{};
  const Numbers result = filled(shape, call.likeness(NumberType::kInt64), 0);
  for (int64_t i = 0; i < trials; ++i) {
    const Numbers u = uniform_numbers(call, shape, NumberType::kFloat64);
    for (int64_t at = 0; at < result.count(); ++at) result.data()[at] += u.data()[at] < odds ? 1 : 0;
  }
  return drawn(call, result, has_shape(call, 2));
}

// Even over the simplex: all of alpha must be 1.
Value dirichlet(Call& call) {
  const Numbers alpha = packed(call.array(0, "alpha"));
  if (std::any_of(alpha.data(), alpha.data() + alpha.count(), [](double x) { return x != 1; }))
    throw Failure("dirichlet with alpha other than 1");
  Shape shape = call.find(1, "size") ? shape_of(*call.find(1, "size")) : Shape{};
  shape.push_back(alpha.count());
  const Numbers u = uniform_numbers(call, shape, NumberType::kFloat64);
  const int64_t length = std::max<int64_t>(alpha.count(), 1);
  for (int64_t begin = 0; begin < u.count(); begin += length) {
    double sum = 0;
    for (int64_t i = 0; i < length; ++i) sum += u.data()[begin + i] = -std::log1p(-u.data()[begin + i]);
    for (int64_t i = 0; i < length; ++i) u.data()[begin + i] /= sum;
  }
  return of(u);
}

// x.uniform_(low, high) and x.normal_(mean, std): into x itself.
Value fill_uniform(Call& call) {
  const Numbers x = call.array(0, "self");
  const double low = call.number(1, call.name == "uniform_" ? "from" : "a", 0);
  const double high = call.number(2, call.name == "uniform_" ? "to" : "b", 1);
  const Numbers u = uniform_numbers(call, x.shape, x.type);
  assign(x, mapped(u, x.type, [=](double each) { return low + (high - low) * each; }));
  return call.positional[0];
}
Value fill_normal(Call& call) {
  const Numbers x = call.array(0, "self");
  const double mean = call.number(1, "mean", 0), deviation = call.number(2, "std", 1);
  const Numbers z = normal_numbers(call, x.shape, x.type);
  assign(x, mapped(z, x.type, [=](double each) { return mean + deviation * each; }));
  return call.positional[0];
}
Value fill_integers(Call& call) {
  const Numbers x = call.array(0, "self");
  const bool one = call.positional.size() < 3;
  const Numbers whole = new_numbers(x.shape, like(x));
  call.machine.draws.integers(span_of_all(whole), one ? 0 : number_of(call.positional[1]),
                              number_of(call.need(one ? 1 : 2, "to")));
  assign(x, whole);
  return call.positional[0];
}

Value no_seed(Call&) { return none(); }
Value generator(Call&) { return named("numpy.random"); }

Value python_uniform(Call& call) { return uniform(call); }
Value python_randint(Call& call) {
  const Numbers result = new_numbers({1}, call.likeness(NumberType::kInt64));
  call.machine.draws.integers(span_of_all(result), number_of(call.need(0, "a")),
                              number_of(call.need(1, "b")) + 1);
  return of(static_cast<int64_t>(*result.data()));
}
Value python_sample(Call& call) {
  const Values items = elements_of(call.need(0, "population"));
  const bool replace = call.name == "random.choices";
  const Value* count = call.find(1, "k");
  const auto places =
      call.machine.draws.choice(count ? checked_count(call, integer_of(*count)) : 1, items.size(), replace);
  Values taken;
  for (const size_t place : places) taken.push_back(items[place]);
  return list_of(std::move(taken));
}
Value python_choice(Call& call) {
  const Values items = elements_of(call.need(0, "seq"));
  return items[call.machine.draws.choice(1, items.size(), true)[0]];
}

void add_numpy(FunctionTable& table) {
  table.insert({{"numpy.random.rand", rand},
                {"numpy.random.random", rand},
                {"numpy.random.random_sample", rand},
                {"numpy.random.ranf", rand},
                {"numpy.random.sample", rand},
                {"numpy.random.randn", randn},
                {"numpy.random.standard_normal", randn},
                {"numpy.random.uniform", uniform},
                {"numpy.random.normal", normal},
                {"numpy.random.exponential", exponential},
                {"numpy.random.randint", randint},
                {"numpy.random.integers", randint},
                {"numpy.random.permutation", permutation},
                {"numpy.random.shuffle", shuffle},
                {"numpy.random.choice", choice},
                {"numpy.random.binomial", binomial},
                {"numpy.random.dirichlet", dirichlet},
                {"numpy.random.seed", no_seed},
                {"numpy.random.default_rng", generator},
                {"numpy.random.RandomState", generator},
                {"numpy.random.Generator", generator}});
}

}  // namespace

void add_random_functions(FunctionTable& table) {
  add_numpy(table);
  table.insert({{"rand", rand},
                {"randn", randn},
                {"rand_like", rand_like},
                {"randn_like", randn_like},
                {"normal", normal},
                {"randint", randint},
                {"randperm", permutation},
                {"bernoulli", bernoulli},
                {"uniform_", fill_uniform},
                {"normal_", fill_normal},
                {"random_", fill_integers},
                {"manual_seed", no_seed},
                {"manual_seed_all", no_seed},
                {"seed", no_seed},
                {"Generator", no_seed},
                {"random.random", rand},
                {"random.uniform", python_uniform},
                {"random.gauss", normal},
                {"random.normalvariate", normal},
                {"random.randint", python_randint},
                {"random.randrange", randint},
                {"random.choice", python_choice},
                {"random.choices", python_sample},
                {"random.sample", python_sample},
                {"random.shuffle", shuffle},
                {"random.seed", no_seed}});
}

}  // namespace cuset::script
