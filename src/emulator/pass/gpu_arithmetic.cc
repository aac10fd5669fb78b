// Where C++ leaves behavior open or an x86 instruction traps, GPUs have a fixed answer that programs meet in
// practice: float-to-integer conversions saturate, those to 8 and 16 bits at the range of 32 bits, of which the low ones
// stay; shifts by the width and more push every bit out; fmin and fmax know
// that -0 is less than 0; integer division by zero gives all ones; INT_MIN / -1 wraps.
// testdata/cuda/arithmetic has what a GPU computes.
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

constexpr unsigned kLeastBits = 32;  // that a conversion gives

// NaN becomes 0 where float goes to at most 32 bits, else the value with only the highest bit set.
Value* saturated(IRBuilder<>& builder, Value* source, Type* type, bool is_signed) {
  const unsigned bits = std::max(type->getScalarSizeInBits(), kLeastBits);
  Type* wide = type->getWithNewBitWidth(bits);
  Value* number = builder.CreateIntrinsic(is_signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                          {wide, source->getType()}, {source});
  if (bits > kLeastBits || source->getType()->getScalarSizeInBits() > 32) {
    Value* highest_bit = ConstantInt::get(wide, APInt::getSignMask(bits));
    number = builder.CreateSelect(builder.CreateFCmpUNO(source, source), highest_bit, number);
  }
  return builder.CreateTrunc(number, type);
}

enum class Sign { kNone, kSigned, kUnsigned };

// Of the integer that a conversion gives; none if it is another instruction. Casts that C++ leaves open are calls.
Sign sign_of_conversion(const Instruction& instruction) {
  const auto* call = dyn_cast<CallInst>(&instruction);
  const Intrinsic::ID called = call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
  if (instruction.getOpcode() == Instruction::FPToSI || called == Intrinsic::fptosi_sat) return Sign::kSigned;
  if (instruction.getOpcode() == Instruction::FPToUI || called == Intrinsic::fptoui_sat)
    return Sign::kUnsigned;
  return Sign::kNone;
}

void saturate(Instruction& conversion) {
  IRBuilder<> builder(&conversion);
  conversion.replaceAllUsesWith(saturated(builder, conversion.getOperand(0), conversion.getType(),
                                          sign_of_conversion(conversion) == Sign::kSigned));
  conversion.eraseFromParent();
}

// lrint, lround and their kin: none if the call is another one.
Intrinsic::ID rounding_of(const CallInst& call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::lrint:
    case Intrinsic::llrint:
      return Intrinsic::rint;
    case Intrinsic::lround:
    case Intrinsic::llround:
      return Intrinsic::round;
    default:
      return Intrinsic::not_intrinsic;
  }
}

void round_and_saturate(CallInst& call) {
  IRBuilder<> builder(&call);
  Value* whole = builder.CreateUnaryIntrinsic(rounding_of(call), call.getArgOperand(0));
  call.replaceAllUsesWith(saturated(builder, whole, call.getType(), true));
  call.eraseFromParent();
}

bool is_min_or_max(const CallInst& call) {
  return call.getIntrinsicID() == Intrinsic::minnum || call.getIntrinsicID() == Intrinsic::maxnum;
}

// -0 is less than 0. Of equal numbers, which otherwise have the same bits, the smaller one has the sign of either.
void order_zeros(CallInst& call) {
  Value* first = call.getArgOperand(0);
  Value* second = call.getArgOperand(1);
  Type* type = call.getType();
  Type* bits = type->getWithNewType(Type::getIntNTy(call.getContext(), type->getScalarSizeInBits()));
  IRBuilder<> builder(call.getNextNode());
  Value* first_bits = builder.CreateBitCast(first, bits);
  Value* second_bits = builder.CreateBitCast(second, bits);
  Value* joined = call.getIntrinsicID() == Intrinsic::minnum ? builder.CreateOr(first_bits, second_bits)
                                                             : builder.CreateAnd(first_bits, second_bits);
  Value* is_equal = builder.CreateFCmpOEQ(first, second);
  auto* result =
      cast<Instruction>(builder.CreateSelect(is_equal, builder.CreateBitCast(joined, type), &call));
  call.replaceUsesWithIf(result, [&](const Use& use) { return use.getUser() != result; });
}

// What is pushed out of a number does not come back at its other end, as it does on x86.
void shift_out(Instruction& shift) {
  Value* count = shift.getOperand(1);
  auto* type = shift.getType();
  const unsigned bits = type->getScalarSizeInBits();
  if (auto* constant = dyn_cast<ConstantInt>(count); constant && constant->getValue().ult(bits)) return;
  IRBuilder<> builder(&shift);
  if (shift.getOpcode() == Instruction::AShr) {
    shift.setOperand(1,
                     builder.CreateBinaryIntrinsic(Intrinsic::umin, count, ConstantInt::get(type, bits - 1)));
    return;
  }
  Value* inside = builder.CreateICmpULT(count, ConstantInt::get(type, bits));
  builder.SetInsertPoint(shift.getNextNode());
  auto* result = cast<Instruction>(builder.CreateSelect(inside, &shift, Constant::getNullValue(type)));
  shift.replaceUsesWithIf(result, [&](const Use& use) { return use.getUser() != result; });
}

// The divisor becomes 1 where the division would trap; the quotient by zero is all ones, the remainder the
// dividend.
void never_trap(Instruction& division) {
  Value* divisor = division.getOperand(1);
  if (auto* constant = dyn_cast<ConstantInt>(divisor);
      constant && !constant->isZero() && !constant->isMinusOne())
    return;
  IRBuilder<> builder(&division);
  Value* dividend = division.getOperand(0);
  auto* type = division.getType();
  Value* by_zero = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
  Value* traps = by_zero;
  const unsigned opcode = division.getOpcode();
  if (opcode == Instruction::SDiv || opcode == Instruction::SRem) {
    Value* smallest = ConstantInt::get(type, APInt::getSignedMinValue(type->getScalarSizeInBits()));
    Value* wraps = builder.CreateAnd(builder.CreateICmpEQ(dividend, smallest),
                                     builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)));
    traps = builder.CreateOr(by_zero, wraps);
  }
  division.setOperand(1, builder.CreateSelect(traps, ConstantInt::get(type, 1), divisor));
  builder.SetInsertPoint(division.getNextNode());
  const bool quotient = opcode == Instruction::SDiv || opcode == Instruction::UDiv;
  Value* answer = quotient ? Constant::getAllOnesValue(type) : dividend;
  auto* result = cast<Instruction>(builder.CreateSelect(by_zero, answer, &division));
  division.replaceUsesWithIf(result, [&](const Use& use) { return use.getUser() != result; });
}

}  // namespace

void adopt_gpu_arithmetic(Module& module) {
  std::vector<Instruction*> conversions, divisions, shifts;
  std::vector<CallInst*> roundings, extrema;
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      if (sign_of_conversion(instruction) != Sign::kNone) conversions.push_back(&instruction);
      switch (instruction.getOpcode()) {
        case Instruction::SDiv:
        case Instruction::UDiv:
        case Instruction::SRem:
        case Instruction::URem:
          if (instruction.getType()->isIntegerTy()) divisions.push_back(&instruction);
          break;
        case Instruction::Shl:
        case Instruction::LShr:
        case Instruction::AShr:
          shifts.push_back(&instruction);
          break;
        case Instruction::Call:
          if (auto& call = cast<CallInst>(instruction); rounding_of(call) != Intrinsic::not_intrinsic)
            roundings.push_back(&call);
          else if (is_min_or_max(call))
            extrema.push_back(&call);
          break;
        default:
          break;
      }
    }
  }
  for (Instruction* conversion : conversions) saturate(*conversion);
  for (Instruction* division : divisions) never_trap(*division);
  for (Instruction* shift : shifts) shift_out(*shift);
  for (CallInst* call : roundings) round_and_saturate(*call);
  for (CallInst* call : extrema) order_zeros(*call);
}

}  // namespace cuset_pass
