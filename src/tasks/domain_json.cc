#include "tasks/domain_json.h"

#include <array>
#include <vector>

#include "base/error.h"

namespace cuset::tasks {
namespace {

using Kind = Domain::Kind;

constexpr size_t kMostAxes = 32;

// Which numbers a kind has.
enum class Numbers : uint8_t { kNone, kMeanAndDeviation, kRange, kHigh, kValue, kParts };

struct KindFacts {
  Kind kind;
  std::string_view name;
  Numbers numbers;
  bool has_usual;  // 0 .. 1 or mean 0, deviation 1, where nothing is said
};

constexpr std::array kKinds = {
    KindFacts{Kind::kNormal, "normal", Numbers::kMeanAndDeviation, true},
    KindFacts{Kind::kUniform, "uniform", Numbers::kRange, true},
    KindFacts{Kind::kInteger, "integer", Numbers::kRange, false},
    KindFacts{Kind::kIndex, "index", Numbers::kRange, false},
    KindFacts{Kind::kPositive, "positive", Numbers::kRange, false},
    KindFacts{Kind::kProbability, "probability", Numbers::kNone, true},
    KindFacts{Kind::kProbabilities, "probabilities", Numbers::kNone, true},
    KindFacts{Kind::kSorted, "sorted", Numbers::kRange, true},
    KindFacts{Kind::kOffsets, "offsets", Numbers::kHigh, false},
    KindFacts{Kind::kPermutation, "permutation", Numbers::kNone, true},
    KindFacts{Kind::kConstant, "constant", Numbers::kValue, false},
    KindFacts{Kind::kSize, "size", Numbers::kValue, false},
    KindFacts{Kind::kPacked, "packed", Numbers::kParts, false},
};

const KindFacts& facts_of(Kind kind) { return kKinds[static_cast<size_t>(kind)]; }

const KindFacts& facts_named(const base::JsonCursor& field) {
  std::vector<std::string_view> names;
  for (const KindFacts& facts : kKinds) {
    if (facts.name == field.string()) return facts;
    names.push_back(facts.name);
  }
  field.refuse_name("a kind of domain", names);
}

std::vector<Domain::Part> parts_from_json(const base::JsonCursor& list) {
  std::vector<Domain::Part> parts;
  for (const base::JsonCursor& field : list.elements_or_none()) {
    field.expect_only({"name", "count", "domain"});
    Domain::Part part;
    part.name = field.get("name").nonempty_string();
    part.count = static_cast<uint64_t>(field.get("count").integer(0, int64_t{1} << 48));
    part.domain = domain_from_json(field.get("domain"));
    if (part.domain.kind == Kind::kPacked) field.get("domain").refuse("is packed inside a packed domain");
    parts.push_back(std::move(part));
  }
  if (parts.empty()) list.refuse("must list at least one part");
  return parts;
}

void read_range(const base::JsonCursor& field, const KindFacts& facts, Domain& domain) {
  // Whole numbers below n need no more than n to be said.
  const bool from_zero = facts.has_usual || facts.kind == Kind::kInteger || facts.kind == Kind::kIndex;
  domain.low = from_zero ? field.get("low").number_or(0) : field.get("low").number();
  domain.high = facts.has_usual ? field.get("high").number_or(1) : field.get("high").number();
}

void read_numbers(const base::JsonCursor& field, const KindFacts& facts, Domain& domain) {
  switch (facts.numbers) {
    case Numbers::kNone:
      field.expect_only({"kind"});
      break;
    case Numbers::kMeanAndDeviation:
      field.expect_only({"kind", "mean", "deviation"});
      domain.mean = field.get("mean").number_or(0);
      domain.deviation = field.get("deviation").number_or(1);
      break;
    case Numbers::kRange:
      field.expect_only({"kind", "low", "high"});
      read_range(field, facts, domain);
      break;
    case Numbers::kHigh:
      field.expect_only({"kind", "high"});
      domain.high = field.get("high").number();
      break;
    case Numbers::kValue:
      field.expect_only({"kind", "value"});
      domain.low = field.get("value").number();
      break;
    case Numbers::kParts:
      field.expect_only({"kind", "parts"});
      domain.parts = parts_from_json(field.get("parts"));
      break;
  }
}

}  // namespace

Shape shape_from_json(const base::JsonCursor& field) {
  if (field.is_absent()) field.refuse_type("a list of whole numbers");
  Shape shape;
  for (const base::JsonCursor& side : field.elements()) shape.push_back(side.integer(0, int64_t{1} << 48));
  if (shape.size() > kMostAxes) field.refuse(fmt::format("has more than {} axes", kMostAxes));
  try {
    count_of(shape);
  } catch (const base::Error&) {
    field.refuse("has more than 2^48 numbers");
  }
  return shape;
}

std::string_view name_of(Kind kind) { return facts_of(kind).name; }

Domain domain_from_json(const base::JsonCursor& field) {
  const bool only_kind = field.value().is_string();
  if (!only_kind) field.expect_only({"kind", "mean", "deviation", "low", "high", "value", "parts"});
  const KindFacts& facts = facts_named(only_kind ? field : field.get("kind"));
  Domain domain;
  domain.kind = facts.kind;
  if (only_kind && !facts.has_usual) {
    field.refuse(fmt::format("needs its numbers: {{\"kind\": \"{}\", ...}}", facts.name));
  }
  if (only_kind) return domain;
  read_numbers(field, facts, domain);
  return domain;
}

base::Json json_of(const Domain& domain) {
  base::Json json = {{"kind", name_of(domain.kind)}};
  switch (facts_of(domain.kind).numbers) {
    case Numbers::kNone:
      break;
    case Numbers::kMeanAndDeviation:
      json["mean"] = domain.mean;
      json["deviation"] = domain.deviation;
      break;
    case Numbers::kRange:
      json["low"] = domain.low;
      json["high"] = domain.high;
      break;
    case Numbers::kHigh:
      json["high"] = domain.high;
      break;
    case Numbers::kValue:
      json["value"] = domain.low;
      break;
    case Numbers::kParts:
      json["parts"] = base::Json::array();
      for (const Domain::Part& part : domain.parts) {
        json["parts"].push_back(
            {{"name", part.name}, {"count", part.count}, {"domain", json_of(part.domain)}});
      }
      break;
  }
  return json;
}

}  // namespace cuset::tasks
