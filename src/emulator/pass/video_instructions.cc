// PTX's video instructions: vadd, vsub, vabsdiff, vmin, vmax and vavrg on whole words (vadd), two halves (vadd2) or four
// bytes (vadd4), each with types of the result and both operands, saturation, and a second operation with the third
// operand: "vabsdiff4.u32.u32.u32.add d, a, b, c" is c plus the four differences. Selectors of bytes and masks are left out.
#include <optional>

#include "llvm/IR/Intrinsics.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

struct VideoInstruction {
  StringRef operation;  // "absdiff"
  unsigned lanes = 1;
  bool is_signed[3] = {false, false, false};  // result, first and second operand
  bool saturates = false;
  StringRef second;  // "add", "min", "max"; empty: none
};

std::optional<VideoInstruction> parse(StringRef text) {
  SmallVector<StringRef, 8> parts;
  text.split(parts, '.');
  VideoInstruction result;
  StringRef name = parts[0];
  if (!name.consume_front("v") || parts.size() < 4) return std::nullopt;
  if (name.consume_back("4")) result.lanes = 4;
  if (result.lanes == 1 && name.consume_back("2")) result.lanes = 2;
  result.operation = name;
  constexpr const char* kOperations[] = {"add", "sub", "absdiff", "min", "max", "avrg"};
  if (!is_contained(kOperations, name) || (name == "avrg" && result.lanes == 1)) return std::nullopt;
  for (unsigned i = 0; i < 3; ++i) {
    if (parts[i + 1] != "s32" && parts[i + 1] != "u32") return std::nullopt;
    result.is_signed[i] = parts[i + 1] == "s32";
  }
  for (StringRef part : ArrayRef(parts).drop_front(4)) {
    if (part == "sat" && !result.saturates && result.second.empty()) {
      result.saturates = true;
    } else if (result.second.empty() &&
               (part == "add" || (result.lanes == 1 && (part == "min" || part == "max")))) {
      result.second = part;
    } else {
      return std::nullopt;
    }
  }
  return result;
}

// Computes in 64 bits, which hold every result before it is cut or saturated.
class VideoBuilder {
 public:
  VideoBuilder(IRBuilder<>& builder, const VideoInstruction& instruction)
      : builder_(builder), instruction_(instruction), bits_(32 / instruction.lanes) {}

  Value* build(ArrayRef<Value*> inputs) {
    const bool sums = instruction_.lanes > 1 && !instruction_.second.empty();
    Value* packed = builder_.getInt32(0);
    Value* sum = sums ? inputs[2] : nullptr;
    for (unsigned lane = 0; lane < instruction_.lanes; ++lane) {
      Value* value = finish(combine(extract(inputs[0], lane, 1), extract(inputs[1], lane, 2)));
      if (sums) {
        sum = builder_.CreateAdd(sum, builder_.CreateTrunc(value, builder_.getInt32Ty()));
        continue;
      }
      Value* word = builder_.CreateTrunc(value, builder_.getInt32Ty());
      if (bits_ < 32) word = builder_.CreateAnd(word, (1u << bits_) - 1);
      packed = builder_.CreateOr(packed, builder_.CreateShl(word, lane * bits_));
    }
    if (sums) return sum;
    return instruction_.second.empty() ? packed : second(packed, inputs[2]);
  }

 private:
  Value* extract(Value* word, unsigned lane, unsigned operand) {
    Value* part = builder_.CreateTrunc(builder_.CreateLShr(word, lane * bits_), builder_.getIntNTy(bits_));
    return instruction_.is_signed[operand] ? builder_.CreateSExt(part, builder_.getInt64Ty())
                                           : builder_.CreateZExt(part, builder_.getInt64Ty());
  }

  Value* combine(Value* a, Value* b) {
    const StringRef operation = instruction_.operation;
    if (operation == "add") return builder_.CreateAdd(a, b);
    if (operation == "sub") return builder_.CreateSub(a, b);
    if (operation == "min") return builder_.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
    if (operation == "max") return builder_.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
    if (operation == "absdiff") {
      Value* difference = builder_.CreateSub(a, b);
      return builder_.CreateBinaryIntrinsic(Intrinsic::smax, difference, builder_.CreateNeg(difference));
    }
    // The average, a half rounded away from zero.
    Value* sum = builder_.CreateAdd(a, b);
    Value* negative = builder_.CreateICmpSLT(sum, builder_.getInt64(0));
    Value* toward = builder_.CreateSelect(negative, builder_.getInt64(0), builder_.getInt64(1));
    return builder_.CreateAShr(builder_.CreateAdd(sum, toward), 1);
  }

  Value* finish(Value* value) {
    if (!instruction_.saturates) return value;
    const bool is_signed = instruction_.is_signed[0];
    const int64_t highest = (int64_t{1} << (bits_ - (is_signed ? 1 : 0))) - 1;
    const int64_t lowest = is_signed ? -highest - 1 : 0;
    value = builder_.CreateBinaryIntrinsic(Intrinsic::smin, value, builder_.getInt64(highest));
    return builder_.CreateBinaryIntrinsic(Intrinsic::smax, value, builder_.getInt64(lowest));
  }

  Value* second(Value* value, Value* with) {
    if (instruction_.second == "add") return builder_.CreateAdd(value, with);
    const bool is_signed = instruction_.is_signed[0];
    const auto least = is_signed ? Intrinsic::smin : Intrinsic::umin;
    const auto most = is_signed ? Intrinsic::smax : Intrinsic::umax;
    return builder_.CreateBinaryIntrinsic(instruction_.second == "min" ? least : most, value, with);
  }

  IRBuilder<>& builder_;
  const VideoInstruction& instruction_;
  unsigned bits_;
};

}  // namespace

Value* video_instruction(IRBuilder<>& builder, StringRef operation, ArrayRef<Value*> inputs) {
  const std::optional<VideoInstruction> parsed = parse(operation);
  if (!parsed) return nullptr;
  // Instructions on parts of a word always name a third operand, which fills what a mask leaves out.
  const size_t expected = parsed->lanes > 1 || !parsed->second.empty() ? 3 : 2;
  const auto is_word = [](const Value* value) { return value->getType()->isIntegerTy(32); };
  if (inputs.size() != expected || !all_of(inputs, is_word)) return nullptr;
  return VideoBuilder(builder, *parsed).build(inputs);
}

}  // namespace cuset_pass
