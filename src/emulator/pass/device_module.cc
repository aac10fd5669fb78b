#include "pass/device_module.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"

namespace cuset_pass {

using namespace llvm;

namespace {

std::string annotation_text(const ConstantStruct& entry) {
  const auto* text = dyn_cast<GlobalVariable>(entry.getOperand(1)->stripPointerCasts());
  if (text == nullptr || !text->hasInitializer()) return {};
  const auto* data = dyn_cast<ConstantDataSequential>(text->getInitializer());
  return data != nullptr && data->isCString() ? data->getAsCString().str() : std::string();
}

// The numbers given with an annotation.
std::vector<uint32_t> annotation_numbers(const ConstantStruct& entry) {
  std::vector<uint32_t> numbers;
  const auto* arguments = dyn_cast<GlobalVariable>(entry.getOperand(4)->stripPointerCasts());
  if (arguments == nullptr || !arguments->hasInitializer()) return numbers;
  for (const Use& value : cast<User>(arguments->getInitializer())->operands()) {
    const auto* number = dyn_cast<ConstantInt>(value.get());
    numbers.push_back(number != nullptr ? static_cast<uint32_t>(number->getZExtValue()) : 0);
  }
  return numbers;
}

// False if the annotation is somebody else's.
bool take(const ConstantStruct& entry, Annotations& found) {
  const std::string text = annotation_text(entry);
  Value* subject = entry.getOperand(0)->stripPointerCasts();
  if (text == "cuset_kernel") {
    found.kernels.push_back(cast<Function>(subject));
  } else if (text == "cuset_launch_bounds") {
    const std::vector<uint32_t> numbers = annotation_numbers(entry);
    found.launch_bounds[cast<Function>(subject)] = numbers.empty() ? 0 : numbers.front();
  } else if (text == "cuset_cluster_dims") {
    std::vector<uint32_t> sizes = annotation_numbers(entry);
    sizes.resize(3, 1);
    found.clusters[cast<Function>(subject)] = sizes;
  } else if (text == "cuset_shared") {
    found.shared.push_back(cast<GlobalVariable>(subject));
  } else if (text == "cuset_managed") {
    found.managed.push_back(cast<GlobalVariable>(subject));
  } else {
    return false;
  }
  return true;
}

}  // namespace

Annotations take_annotations(Module& module) {
  Annotations found;
  GlobalVariable* list = module.getNamedGlobal("llvm.global.annotations");
  if (list == nullptr) return found;
  std::vector<Constant*> others;
  for (const Use& use : cast<ConstantArray>(list->getInitializer())->operands()) {
    auto* entry = cast<ConstantStruct>(use.get());
    if (!take(*entry, found)) others.push_back(entry);
  }
  if (others.empty()) {
    list->eraseFromParent();
    return found;
  }
  auto* type = ArrayType::get(others.front()->getType(), others.size());
  auto* shorter =
      new GlobalVariable(module, type, false, list->getLinkage(), ConstantArray::get(type, others));
  shorter->setSection(list->getSection());
  shorter->takeName(list);
  list->eraseFromParent();
  return found;
}

bool is_checked(const Module& module) { return module.getNamedGlobal("cuset_checked_program") != nullptr; }

bool is_dynamic_shared_array(const GlobalVariable& variable) {
  const auto* array = dyn_cast<ArrayType>(variable.getValueType());
  return variable.isDeclaration() && array != nullptr && array->getNumElements() == 0;
}

bool is_suspension(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && callee->getName() == kSuspendName;
}

Value* context_field(IRBuilder<>& builder, Module& module, unsigned offset) {
  GlobalVariable* context = module.getNamedGlobal(kContextName);
  if (context == nullptr) {
    auto* bytes = ArrayType::get(builder.getInt8Ty(), context::kBytes);
    context = new GlobalVariable(module, bytes, false, GlobalValue::ExternalLinkage, nullptr, kContextName,
                                 nullptr, GlobalValue::InitialExecTLSModel);
  }
  Value* address = builder.CreateThreadLocalAddress(context);
  return builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), address, offset);
}

FunctionCallee runtime_function(Module& module, const char* name, Type* result, ArrayRef<Type*> parameters) {
  return module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
}

void adopt_target(Function& function, const Function& original) {
  for (const Attribute& attribute : original.getAttributes().getFnAttrs()) {
    if (attribute.isStringAttribute()) function.addFnAttr(attribute);
  }
  function.setDoesNotThrow();
}

std::vector<std::pair<Function*, Function*>> declared_for(Module& module, StringRef suffix) {
  std::vector<std::pair<Function*, Function*>> pairs;
  for (Function& function : module) {
    if (!function.isDeclaration() || !function.getName().ends_with(suffix)) continue;
    if (Function* base = module.getFunction(function.getName().drop_back(suffix.size())))
      pairs.push_back({&function, base});
  }
  return pairs;
}

std::set<Function*> reachable_from(Function& kernel) {
  std::set<Function*> reached{&kernel};
  std::vector<Function*> open{&kernel};
  while (!open.empty()) {
    Function* function = open.back();
    open.pop_back();
    for (Instruction& instruction : instructions(*function)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      if (call == nullptr || call->isInlineAsm()) continue;
      Function* callee = call->getCalledFunction();
      if (callee != nullptr && reached.insert(callee).second) open.push_back(callee);
      if (callee != nullptr) continue;
      for (Function& any : *kernel.getParent()) {
        if (any.hasAddressTaken() && reached.insert(&any).second) open.push_back(&any);
      }
    }
  }
  return reached;
}

Constant* string_constant(Module& module, StringRef text) {
  Constant* bytes = ConstantDataArray::getString(module.getContext(), text);
  const std::string name = ("cuset.text." + text).str();
  if (GlobalVariable* known = module.getNamedGlobal(name)) return known;
  auto* variable =
      new GlobalVariable(module, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes, name);
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return variable;
}

namespace {

// Our own headers are not the user's source: the place that called into them is.
const DILocation* user_location(const DILocation* location) {
  while (location != nullptr && location->getInlinedAt() != nullptr &&
         location->getFilename().contains("cuset_emulator/")) {
    location = location->getInlinedAt();
  }
  return location;
}

}  // namespace

Constant* site_of(const Instruction& instruction) {
  Module& module = *const_cast<Module*>(instruction.getModule());
  LLVMContext& llvm_context = module.getContext();
  auto* pointer = PointerType::getUnqual(llvm_context);
  const DILocation* location = user_location(instruction.getDebugLoc().get());
  if (location == nullptr) return ConstantPointerNull::get(pointer);
  const DISubprogram* function = location->getScope()->getSubprogram();
  auto* word = Type::getInt32Ty(llvm_context);
  const std::string name = ("cuset.site." + location->getFilename() + "." + Twine(location->getLine()) + "." +
                            Twine(location->getColumn()))
                               .str();
  if (GlobalVariable* known = module.getNamedGlobal(name)) return known;
  auto* value = ConstantStruct::getAnon({string_constant(module, location->getFilename()),
                                         string_constant(module, function ? function->getName() : ""),
                                         ConstantInt::get(word, location->getLine()),
                                         ConstantInt::get(word, location->getColumn())});
  return new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value, name);
}

}  // namespace cuset_pass
