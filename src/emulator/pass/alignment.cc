// A GPU accesses at most 16 bytes at once, so a promise of more alignment than that is never held against a program there:
// CUB keeps structs that want 32 in storage aligned to 16. A CPU's vector registers would take the promise seriously.
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

const Align kMost(16);

AttributeList limited(LLVMContext& context, AttributeList attributes, unsigned parameters) {
  const auto limit = [&](unsigned index) {
    const Attribute alignment = attributes.getAttributeAtIndex(index, Attribute::Alignment);
    if (!alignment.isValid() || alignment.getAlignment().valueOrOne() <= kMost) return;
    attributes = attributes.removeAttributeAtIndex(context, index, Attribute::Alignment)
                     .addAttributeAtIndex(context, index, Attribute::getWithAlignment(context, kMost));
  };
  limit(AttributeList::ReturnIndex);
  for (unsigned i = 0; i < parameters; ++i) limit(AttributeList::FirstArgIndex + i);
  return attributes;
}

void limit_instruction(Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    load->setAlignment(std::min(load->getAlign(), kMost));
  } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    store->setAlignment(std::min(store->getAlign(), kMost));
  } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
    call->setAttributes(limited(call->getContext(), call->getAttributes(), call->arg_size()));
  }
}

}  // namespace

void limit_alignment(Module& module) {
  for (Function& function : module) {
    function.setAttributes(limited(module.getContext(), function.getAttributes(), function.arg_size()));
    for (Instruction& instruction : instructions(function)) limit_instruction(instruction);
  }
}

}  // namespace cuset_pass
