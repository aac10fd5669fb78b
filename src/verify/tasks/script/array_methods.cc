// Methods of arrays that are no library functions: conversions, copies, and the writing of files.
#include <algorithm>

#include "verify/tasks/script/arithmetic.h"
#include "verify/tasks/script/call.h"
#include "verify/tasks/script/failure.h"
#include "verify/tasks/script/indexing.h"

namespace cuset::script {
namespace {

Numbers self(const Call& call) { return call.array(0, "self"); }

Value unchanged(Call& call) { return call.need(0, "self"); }
Value copy(Call& call) { return of(copied(self(call))); }
Value contiguous(Call& call) {
  if (self(call).contiguous()) return call.positional[0];
  return of(copied(self(call)));
}

Value as_type(const Call& call, NumberType type, bool always_new) {
  const Numbers a = self(call);
  if (a.type == type && !always_new) return call.positional[0];
  return of(converted(a, type));
}

template <NumberType type>
Value as(Call& call) {
  return as_type(call, type, false);
}

Value astype(Call& call) {
  const auto type = type_named_by(call.need(1, "dtype"));
  if (!type) throw Failure("{} as a type", printed(call.need(1, "dtype")));
  return as_type(call, *type, call.flag(SIZE_MAX, "copy", true));
}

// x.to(device), x.to(dtype), x.to(device, dtype), x.to(other).
Value to(Call& call) {
  if (const auto type = call.dtype()) return as_type(call, *type, false);
  for (size_t i = 1; i < call.positional.size(); ++i) {
    if (const Numbers* other = call.positional[i].array()) return as_type(call, other->type, false);
    if (const auto type = type_named_by(call.positional[i])) return as_type(call, *type, false);
  }
  return call.positional[0];
}

Value numpy(Call& call) {
  Numbers a = self(call);
  a.torch = false;
  return of(a);
}

Value item(Call& call) {
  const Numbers a = self(call);
  if (a.count() != 1) throw Failure("item() of an array of shape {}", text_of(a.shape));
  const double number = *a.data();
  if (a.type == NumberType::kBool) return of(number != 0);
  return is_floating(a.type) ? of(number) : of(static_cast<int64_t>(number));
}

Value to_list(Call& call) {
  const Numbers a = self(call);
  if (a.rank() == 0) return item(call);
  if (a.count() > (1 << 22)) throw Failure("a list of {} numbers", a.count());
  Values items;
  for (const Value& row : elements_of(of(a))) {
    Call inner{call.machine, call.name, call.torch, {of(array_of(row, like(a), std::nullopt))}, {}};
    items.push_back(to_list(inner));
  }
  return list_of(std::move(items));
}

Value to_file(Call& call) {
  const Value& target = call.need(1, "fid");
  if (const auto* file = target.as<std::shared_ptr<File>>())
    call.machine.surroundings.write((*file)->path, self(call), std::exchange((*file)->begun, true));
  else
    call.machine.surroundings.write(string_of(target), self(call), false);
  return none();
}

Value fill(Call& call) {
  assign(self(call), array_of(call.need(1, "value"), call.likeness(NumberType::kFloat64), std::nullopt));
  return call.positional[0];
}
Value zero(Call& call) {
  assign(self(call), filled({}, like(self(call)), 0));
  return call.positional[0];
}

Value sort_in_place(Call& call) {
  Value sorted = find_function("numpy.sort")(call);
  if (call.torch) return sorted;
  assign(self(call), *sorted.array());
  return none();
}

// x.f_(...): f of x stored in x.
Value in_place_function(Call& call) {
  const std::string name(call.name.substr(0, call.name.size() - 1));
  const Value result = find_function("torch." + name)(call);
  assign(self(call), array_of(result, like(self(call)), std::nullopt));
  return call.positional[0];
}

Value size(Call& call) {
  const Numbers a = self(call);
  if (const Value* axis = call.find(1, "dim"))
    return of(a.shape[static_cast<size_t>(axis_of(integer_of(*axis), a.rank()))]);
  Values sides;
  for (const int64_t side : a.shape) sides.push_back(of(side));
  return tuple_of(std::move(sides));
}

Value rank(Call& call) { return of(self(call).rank()); }
Value element_size(Call& call) { return of(static_cast<int64_t>(bytes_of(self(call).type))); }

Value masked_fill(Call& call) {
  const Numbers a = self(call);
  const bool in_place = call.name.back() == '_';
  const Numbers result = in_place ? a : copied(a);
  set_item(result, of(broadcast_to(call.array(1, "mask"), a.shape)), call.need(2, "value"));
  return in_place ? call.positional[0] : of(result);
}

Value type_as(Call& call) { return as_type(call, call.array(1, "other").type, false); }

}  // namespace

void add_array_methods(FunctionTable& table) {
  table.insert({{"copy", copy},
                {"clone", copy},
                {"copy_", fill},
                {"contiguous", contiguous},
                {"detach", unchanged},
                {"cpu", unchanged},
                {"cuda", unchanged},
                {"requires_grad_", unchanged},
                {"pin_memory", unchanged},
                {"tobytes", unchanged},
                {"conj", unchanged},
                {"astype", astype},
                {"type", astype},
                {"to", to},
                {"type_as", type_as},
                {"numpy", numpy},
                {"item", item},
                {"tolist", to_list},
                {"tofile", to_file},
                {"fill", fill},
                {"fill_", fill},
                {"zero_", zero},
                {"sort", sort_in_place},
                {"_", in_place_function},
                {"size", size},
                {"dim", rank},
                {"ndimension", rank},
                {"nelement", find_function("torch.numel")},
                {"element_size", element_size},
                {"masked_fill", masked_fill},
                {"masked_fill_", masked_fill},
                {"float", as<NumberType::kFloat32>},
                {"double", as<NumberType::kFloat64>},
                {"half", as<NumberType::kFloat16>},
                {"bfloat16", as<NumberType::kBfloat16>},
                {"int", as<NumberType::kInt32>},
                {"long", as<NumberType::kInt64>},
                {"short", as<NumberType::kInt16>},
                {"bool", as<NumberType::kBool>},
                {"byte", as<NumberType::kUint8>}});
}

}  // namespace cuset::script
