// PTX instructions on values: integers, bits, floats, comparisons, conversions. Meaning by NVIDIA's PTX manual: shifts
// beyond the width give 0 or the sign, positions of bit fields are bytes (0 to 255).
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Intrinsics.h"
#include "pass/ptx_translator.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

bool is_signed_type(StringRef name) { return name.starts_with("s"); }

// Words between the instruction and its types must be among `allowed`, separated by spaces: a rounding or saturation that
// is not known changes results.
bool has_only(const PtxStatement& statement, size_t types, StringRef allowed) {
  SmallVector<StringRef, 8> words;
  allowed.split(words, ' ');
  for (size_t i = 1; i + types < statement.words.size(); ++i)
    if (!is_contained(words, StringRef(statement.words[i]))) return false;
  return statement.words.size() > types;
}

}  // namespace

bool PtxArithmetic::translate(const PtxStatement& statement) {
  const StringRef name = statement.words[0];
  if (statement.words.size() < 2 || statement.operands.empty()) return false;
  if (name == "mov") return move(statement);
  if (name == "cvt" || name == "cvta") return convert(statement);
  if (name == "setp") return compare(statement);
  if (name == "selp") return select(statement);
  if (statement.operands[0].is_address || statement.operands[0].is_vector) return false;
  Value* result = nullptr;
  if (name == "lop3") {
    result = logic_of_3(statement);
  } else if (name.starts_with("v")) {
    result = video_result(statement);
  } else if (Type* type = of_.type_of(statement)) {
    result = computed(statement, type);
  }
  if (result == nullptr) return false;
  of_.write(statement.operands[0].names[0], result);
  return true;
}

// Inputs are of the instruction's type, but for distances and positions, which are 32 bits wide.
Value* PtxArithmetic::computed(const PtxStatement& statement, Type* type) {
  const StringRef name = statement.words[0];
  SmallVector<Value*, 4> in;
  for (size_t i = 1; i < statement.operands.size(); ++i) {
    const bool is_position = ((name == "shl" || name == "shr") && i == 2) || (name == "bfe" && i >= 2) ||
                             (name == "bfi" && i >= 3);
    const bool is_wide = (name == "mad" && statement.has("wide") && i == 3);
    Type* of_input = is_position ? builder_.getInt32Ty() : type;
    if (is_wide) of_input = builder_.getIntNTy(2 * type->getPrimitiveSizeInBits());
    in.push_back(of_.read(statement, i, of_input));
    if (in.back() == nullptr) return nullptr;
  }
  if (type->isFloatingPointTy()) return float_result(name, statement, in);
  if (Value* result = integer_result(name, statement, in)) return result;
  return bit_result(name, statement, in);
}

// Of words, their halves or bytes (pass/steps.h).
Value* PtxArithmetic::video_result(const PtxStatement& statement) {
  SmallVector<Value*, 3> in;
  for (size_t i = 1; i < statement.operands.size(); ++i) {
    in.push_back(of_.read(statement, i, builder_.getInt32Ty()));
    if (in.back() == nullptr) return nullptr;
  }
  return video_instruction(builder_, join(statement.words, "."), in);
}

Value* PtxArithmetic::integer_result(StringRef name, const PtxStatement& statement, ArrayRef<Value*> in) {
  const bool is_signed = is_signed_type(statement.words.back());
  if (name == "mul" || name == "mad") return product(statement, in);
  if (!has_only(statement, 1, "")) return nullptr;
  if (in.size() == 2) {
    if (name == "add") return builder_.CreateAdd(in[0], in[1]);
    if (name == "sub") return builder_.CreateSub(in[0], in[1]);
    if (name == "div")
      return is_signed ? builder_.CreateSDiv(in[0], in[1]) : builder_.CreateUDiv(in[0], in[1]);
    if (name == "rem")
      return is_signed ? builder_.CreateSRem(in[0], in[1]) : builder_.CreateURem(in[0], in[1]);
    if (name == "min")
      return builder_.CreateBinaryIntrinsic(is_signed ? Intrinsic::smin : Intrinsic::umin, in[0], in[1]);
    if (name == "max")
      return builder_.CreateBinaryIntrinsic(is_signed ? Intrinsic::smax : Intrinsic::umax, in[0], in[1]);
    if (name == "shl" || name == "shr") return shifted(name, is_signed, in[0], in[1]);
  }
  if (in.size() == 1 && name == "neg") return builder_.CreateNeg(in[0]);
  if (in.size() == 1 && name == "abs")
    return builder_.CreateBinaryIntrinsic(Intrinsic::abs, in[0], builder_.getFalse());
  return nullptr;
}

// mul and mad with .lo, .hi or .wide.
Value* PtxArithmetic::product(const PtxStatement& statement, ArrayRef<Value*> in) {
  const bool adds = statement.words[0] == "mad";
  if (in.size() != (adds ? 3u : 2u) || !has_only(statement, 1, "lo hi wide")) return nullptr;
  const bool is_signed = is_signed_type(statement.words.back());
  const unsigned bits = in[0]->getType()->getPrimitiveSizeInBits();
  Type* const wide = builder_.getIntNTy(2 * bits);
  Value* value = builder_.CreateMul(builder_.CreateIntCast(in[0], wide, is_signed),
                                    builder_.CreateIntCast(in[1], wide, is_signed));
  if (statement.has("hi")) value = builder_.CreateLShr(value, bits);
  if (!statement.has("wide")) value = builder_.CreateTrunc(value, in[0]->getType());
  return adds ? builder_.CreateAdd(value, in[2]) : value;
}

Value* PtxArithmetic::shifted(StringRef name, bool is_signed, Value* value, Value* distance) {
  const unsigned bits = value->getType()->getPrimitiveSizeInBits();
  Value* const last = builder_.CreateBinaryIntrinsic(Intrinsic::umin, distance, builder_.getInt32(bits - 1));
  Value* const inside = builder_.CreateZExtOrTrunc(last, value->getType());
  if (name == "shr" && is_signed) return builder_.CreateAShr(value, inside);
  Value* const moved = name == "shl" ? builder_.CreateShl(value, inside) : builder_.CreateLShr(value, inside);
  Value* const is_inside = builder_.CreateICmpULT(distance, builder_.getInt32(bits));
  return builder_.CreateSelect(is_inside, moved, Constant::getNullValue(value->getType()));
}

Value* PtxArithmetic::bit_result(StringRef name, const PtxStatement& statement, ArrayRef<Value*> in) {
  const bool is_signed = is_signed_type(statement.words.back());
  Type* const word = builder_.getInt32Ty();
  if (!has_only(statement, 1, name == "bmsk" ? "clamp" : name == "bfind" ? "shiftamt" : "")) return nullptr;
  if (in.size() == 2) {
    if (name == "and") return builder_.CreateAnd(in[0], in[1]);
    if (name == "or") return builder_.CreateOr(in[0], in[1]);
    if (name == "xor") return builder_.CreateXor(in[0], in[1]);
    if (name == "bmsk" && statement.has("clamp")) return bit_mask(in[0], in[1]);
  }
  if (in.size() == 1) {
    if (name == "not") return builder_.CreateNot(in[0]);
    if (name == "brev") return builder_.CreateUnaryIntrinsic(Intrinsic::bitreverse, in[0]);
    if (name == "popc") return of_.as_type(builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, in[0]), word);
    Value* zeros =
        name == "clz" || name == "bfind"
            ? of_.as_type(builder_.CreateBinaryIntrinsic(Intrinsic::ctlz, in[0], builder_.getFalse()), word)
            : nullptr;
    if (name == "clz") return zeros;
    // Without the sign's meaning: of negative numbers the highest 0 would be wanted.
    if (name == "bfind" && !is_signed && !statement.has("shiftamt")) {
      const unsigned bits = in[0]->getType()->getPrimitiveSizeInBits();
      return builder_.CreateSub(builder_.getInt32(bits - 1), zeros);
    }
  }
  if (in.size() == 3 && name == "bfe") return extracted_field(is_signed, in[0], in[1], in[2]);
  if (in.size() == 3 && name == "prmt") return permuted_bytes(in);
  if (in.size() == 4 && name == "bfi") return inserted_field(in);
  return nullptr;
}

// `width` ones from bit `start` up, both at most 32.
Value* PtxArithmetic::bit_mask(Value* start, Value* width) {
  Value* const ones = shifted("shl", false, builder_.getInt32(-1), width);
  return shifted("shl", false, builder_.CreateNot(ones), start);
}

Value* PtxArithmetic::extracted_field(bool is_signed, Value* value, Value* start, Value* width) {
  if (is_signed) return nullptr;
  Type* const type = value->getType();
  Value* const from = builder_.CreateAnd(start, 255);
  Value* const mask = builder_.CreateNot(
      shifted("shl", false, Constant::getAllOnesValue(type), builder_.CreateAnd(width, 255)));
  return builder_.CreateAnd(shifted("shr", false, value, from), mask);
}

// in: the field, what it is put into, start, width.
Value* PtxArithmetic::inserted_field(ArrayRef<Value*> in) {
  Type* const type = in[0]->getType();
  Value* const start = builder_.CreateAnd(in[2], 255);
  Value* const ones = builder_.CreateNot(
      shifted("shl", false, Constant::getAllOnesValue(type), builder_.CreateAnd(in[3], 255)));
  Value* const mask = shifted("shl", false, ones, start);
  Value* const field = builder_.CreateAnd(shifted("shl", false, in[0], start), mask);
  return builder_.CreateOr(field, builder_.CreateAnd(in[1], builder_.CreateNot(mask)));
}

// Each nibble of the selector picks a byte of in[1]:in[0]; its high bit means copies of that byte's sign.
Value* PtxArithmetic::permuted_bytes(ArrayRef<Value*> in) {
  Type* const wide = builder_.getInt64Ty();
  Value* const bytes = builder_.CreateOr(builder_.CreateZExt(in[0], wide),
                                         builder_.CreateShl(builder_.CreateZExt(in[1], wide), 32));
  Value* result = builder_.getInt32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value* const nibble = builder_.CreateLShr(in[2], 4 * i);
    Value* const place = builder_.CreateShl(builder_.CreateAnd(nibble, 7), 3);
    Value* const byte = builder_.CreateTrunc(builder_.CreateLShr(bytes, builder_.CreateZExt(place, wide)),
                                             builder_.getInt8Ty());
    Value* const sign = builder_.CreateAShr(byte, 7);
    Value* const copies_sign = builder_.CreateIsNotNull(builder_.CreateAnd(nibble, 8));
    Value* const chosen =
        builder_.CreateZExt(builder_.CreateSelect(copies_sign, sign, byte), in[0]->getType());
    result = builder_.CreateOr(result, builder_.CreateShl(chosen, 8 * i));
  }
  return result;
}

// lop3.b32 d, a, b, c, table: bit 4a + 2b + c of the table.
Value* PtxArithmetic::logic_of_3(const PtxStatement& statement) {
  Type* const word = builder_.getInt32Ty();
  if (statement.operands.size() != 5 || !has_only(statement, 1, "")) return nullptr;
  Value* in[3];
  for (size_t i = 0; i < 3; ++i)
    if (in[i] = of_.read(statement, i + 1, word); in[i] == nullptr) return nullptr;
  const auto* table = dyn_cast_or_null<ConstantInt>(of_.read(statement, 4, word));
  if (table == nullptr) return nullptr;
  Value* result = builder_.getInt32(0);
  for (unsigned i = 0; i < 8; ++i) {
    if ((table->getZExtValue() >> i & 1) == 0) continue;
    Value* term = builder_.getInt32(-1);
    for (unsigned k = 0; k < 3; ++k)
      term = builder_.CreateAnd(term, (i >> (2 - k) & 1) != 0 ? in[k] : builder_.CreateNot(in[k]));
    result = builder_.CreateOr(result, term);
  }
  return result;
}

// Approximations are as accurate as the functions; only they may say .ftz, which flushes subnormal numbers.
Value* PtxArithmetic::float_result(StringRef name, const PtxStatement& statement, ArrayRef<Value*> in) {
  if (!has_only(statement, 1, statement.has("approx") ? "approx ftz" : "rn")) return nullptr;
  Type* const type = in.empty() ? nullptr : in[0]->getType();
  if (in.size() == 3 && (name == "fma" || name == "mad") && statement.has("rn"))
    return builder_.CreateIntrinsic(Intrinsic::fma, {type}, in);
  if (in.size() == 2) {
    if (name == "add") return builder_.CreateFAdd(in[0], in[1]);
    if (name == "sub") return builder_.CreateFSub(in[0], in[1]);
    if (name == "mul") return builder_.CreateFMul(in[0], in[1]);
    if (name == "div") return builder_.CreateFDiv(in[0], in[1]);
    if (name == "min") return builder_.CreateMinNum(in[0], in[1]);
    if (name == "max") return builder_.CreateMaxNum(in[0], in[1]);
  }
  if (in.size() != 1) return nullptr;
  Value* const one = ConstantFP::get(type, 1.0);
  if (name == "neg") return builder_.CreateFNeg(in[0]);
  if (name == "rcp") return builder_.CreateFDiv(one, in[0]);
  if (name == "rsqrt") return builder_.CreateFDiv(one, builder_.CreateUnaryIntrinsic(Intrinsic::sqrt, in[0]));
  const std::pair<StringRef, Intrinsic::ID> functions[] = {
      {"abs", Intrinsic::fabs}, {"sqrt", Intrinsic::sqrt}, {"ex2", Intrinsic::exp2},
      {"lg2", Intrinsic::log2}, {"sin", Intrinsic::sin},   {"cos", Intrinsic::cos}};
  for (const auto& [function, intrinsic] : functions)
    if (name == function) return builder_.CreateUnaryIntrinsic(intrinsic, in[0]);
  return nullptr;
}

// mov, also between a wide register and its parts: mov.b64 {lo, hi}, x.
bool PtxArithmetic::move(const PtxStatement& statement) {
  Type* const type = of_.type_of(statement);
  if (type == nullptr || statement.operands.size() != 2 || statement.words.size() != 2) return false;
  const PtxOperand &to = statement.operands[0], &from = statement.operands[1];
  const unsigned bits = type->getPrimitiveSizeInBits();
  Type* const whole = builder_.getIntNTy(bits);
  Value* value = nullptr;
  if (from.is_vector) {
    Type* const part = builder_.getIntNTy(bits / from.names.size());
    value = Constant::getNullValue(whole);
    for (size_t i = 0; i < from.names.size(); ++i) {
      Value* element = of_.read(from.names[i], part);
      if (element == nullptr) return false;
      value = builder_.CreateOr(
          value, builder_.CreateShl(builder_.CreateZExt(element, whole), i * bits / from.names.size()));
    }
  } else {
    value = of_.read(statement, 1, to.is_vector ? whole : type);
  }
  if (value == nullptr || to.is_address) return false;
  if (!to.is_vector) {
    of_.write(to.names[0], value);
    return true;
  }
  for (size_t i = 0; i < to.names.size(); ++i)
    of_.write(to.names[i], builder_.CreateTrunc(builder_.CreateLShr(value, i * bits / to.names.size()),
                                                builder_.getIntNTy(bits / to.names.size())));
  return true;
}

// cvt between integers, and of floats with a rounding that is C++'s; cvta of addresses.
bool PtxArithmetic::convert(const PtxStatement& statement) {
  if (statement.words[0] == "cvta") {
    Value* address = of_.read(statement, 1, builder_.getInt64Ty());
    if (address == nullptr || !statement.has("global")) return false;
    of_.write(statement.operands[0].names[0], address);
    return true;
  }
  if (statement.words.size() < 3 || statement.operands.size() != 2) return false;
  const StringRef to = statement.words[statement.words.size() - 2], from = statement.words.back();
  Type *const type = of_.type_named(to), *const of_input = of_.type_named(from);
  if (type == nullptr || of_input == nullptr) return false;
  Value* const value = of_.read(statement, 1, of_input);
  if (value == nullptr) return false;
  const bool from_signed = is_signed_type(from), to_signed = is_signed_type(to);
  Value* result = nullptr;
  if (type->isIntegerTy() && of_input->isIntegerTy() && has_only(statement, 2, "")) {
    result = builder_.CreateIntCast(value, type, from_signed);
  } else if (type->isFloatingPointTy() && of_input->isIntegerTy() && has_only(statement, 2, "rn")) {
    result = from_signed ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
  } else if (type->isIntegerTy() && of_input->isFloatingPointTy() && has_only(statement, 2, "rzi")) {
    result = to_signed ? builder_.CreateFPToSI(value, type) : builder_.CreateFPToUI(value, type);
  } else if (type->isFloatingPointTy() && of_input->isFloatingPointTy() && has_only(statement, 2, "rn")) {
    result = builder_.CreateFPCast(value, type);
  }
  if (result == nullptr) return false;
  of_.write(statement.operands[0].names[0], result);
  return true;
}

bool PtxArithmetic::compare(const PtxStatement& statement) {
  Type* const type = of_.type_of(statement);
  if (type == nullptr || statement.words.size() != 3 || statement.operands.size() != 3) return false;
  Value *const a = of_.read(statement, 1, type), *const b = of_.read(statement, 2, type);
  if (a == nullptr || b == nullptr || !statement.operands[0].second.empty()) return false;
  const StringRef how = statement.words[1];
  const bool is_signed = is_signed_type(statement.words.back());
  struct Comparison {
    StringRef name;
    CmpInst::Predicate of_unsigned, of_signed, of_floats;
  };
  const Comparison comparisons[] = {{"eq", CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_OEQ},
                                    {"ne", CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::FCMP_ONE},
                                    {"lt", CmpInst::ICMP_ULT, CmpInst::ICMP_SLT, CmpInst::FCMP_OLT},
                                    {"le", CmpInst::ICMP_ULE, CmpInst::ICMP_SLE, CmpInst::FCMP_OLE},
                                    {"gt", CmpInst::ICMP_UGT, CmpInst::ICMP_SGT, CmpInst::FCMP_OGT},
                                    {"ge", CmpInst::ICMP_UGE, CmpInst::ICMP_SGE, CmpInst::FCMP_OGE}};
  for (const Comparison& comparison : comparisons) {
    if (comparison.name != how) continue;
    Value* const result =
        type->isFloatingPointTy()
            ? builder_.CreateFCmp(comparison.of_floats, a, b)
            : builder_.CreateICmp(is_signed ? comparison.of_signed : comparison.of_unsigned, a, b);
    of_.write(statement.operands[0].names[0], result);
    return true;
  }
  return false;
}

bool PtxArithmetic::select(const PtxStatement& statement) {
  Type* const type = of_.type_of(statement);
  if (type == nullptr || statement.words.size() != 2 || statement.operands.size() != 4) return false;
  Value *const a = of_.read(statement, 1, type), *const b = of_.read(statement, 2, type);
  Value* const chosen = of_.read(statement, 3, builder_.getInt1Ty());
  if (a == nullptr || b == nullptr || chosen == nullptr) return false;
  of_.write(statement.operands[0].names[0], builder_.CreateSelect(chosen, a, b));
  return true;
}

}  // namespace cuset_pass
