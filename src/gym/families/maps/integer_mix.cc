// Remainders and bits of whole numbers.
#include <fmt/format.h>

#include "gym/solutions/elementwise.h"

namespace cuset::gym {
namespace {

GymDraft draw_integer_mix(base::RandomStream& stream) {
  Elementwise what;
  what.type = tasks::NumberType::kInt32;
  const bool two = one_in(stream, 2);
  what.titles = {"a formula of whole numbers with remainders and bits",
                 "integer arithmetic on every element of $x", "a mix of modulo and bitwise operations on $x",
                 "an elementwise integer hash"};
  what.inputs = {{"x", whole_numbers(0, 60000)}};
  if (two) what.inputs.push_back({"z", whole_numbers(0, 60000)});
  const int64_t factor = whole_between(stream, 3, 97);
  const int64_t modulus = whole_between(stream, 100, 9999);
  const int64_t mask = whole_between(stream, 17, 65535);
  const char* const bits = one_of(stream, {"bit_and", "bit_or", "bit_xor"});
  const std::string other = two ? "$z" : fmt::format("{}", mask);
  what.formula =
      one_in(stream, 2)
          ? fmt::format("mod({} * $x + {}, {})", factor, two ? "$z" : std::to_string(mask), modulus)
          : fmt::format("mod($x, {}) + {} * {}($x, {})", modulus, factor, bits, other);
  return elementwise_draft(what, stream);
}

}  // namespace

extern const GymFamily kFamily_integer_mix;
const GymFamily kFamily_integer_mix = {"integer_mix", "maps", draw_integer_mix};

}  // namespace cuset::gym
