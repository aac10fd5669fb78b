// Where C++ leaves behavior open or an x86 instruction traps, GPUs have a fixed answer that programs meet in
// practice: float-to-integer conversions saturate (NaN gives 0), integer division by zero gives all ones,
// INT_MIN / -1 wraps.
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

void saturate(Instruction& conversion) {
  IRBuilder<> builder(&conversion);
  const auto intrinsic =
      conversion.getOpcode() == Instruction::FPToSI ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  Value* source = conversion.getOperand(0);
  Value* result = builder.CreateIntrinsic(intrinsic, {conversion.getType(), source->getType()}, {source});
  conversion.replaceAllUsesWith(result);
  conversion.eraseFromParent();
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
  std::vector<Instruction*> conversions, divisions;
  for (Function& function : module) {
    for (Instruction& instruction : instructions(function)) {
      switch (instruction.getOpcode()) {
        case Instruction::FPToSI:
        case Instruction::FPToUI:
          conversions.push_back(&instruction);
          break;
        case Instruction::SDiv:
        case Instruction::UDiv:
        case Instruction::SRem:
        case Instruction::URem:
          if (instruction.getType()->isIntegerTy()) divisions.push_back(&instruction);
          break;
        default:
          break;
      }
    }
  }
  for (Instruction* conversion : conversions) saturate(*conversion);
  for (Instruction* division : divisions) never_trap(*division);
}

}  // namespace cuset_pass
