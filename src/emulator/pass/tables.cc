// The tables that tell the runtime which kernels and variables there are, and the constructor that registers
// them. All other symbols of the device side become internal, so that both sides of a program link into one
// executable although both define the program's host-device functions.
#include <set>

#include "cuset_emulator/abi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "pass/steps.h"

namespace cuset_pass {

using namespace llvm;

namespace {

bool belongs_to_compiler(const GlobalValue& value) { return value.getName().starts_with("llvm."); }

void internalise(Module& module, const std::vector<GlobalVariable*>& managed) {
  for (GlobalObject& object : module.global_objects()) {
    object.setComdat(nullptr);
    if (object.isDeclaration() || belongs_to_compiler(object)) continue;
    object.setLinkage(GlobalValue::InternalLinkage);
    object.setVisibility(GlobalValue::DefaultVisibility);
  }
  for (GlobalVariable* variable : managed) {
    variable->setLinkage(GlobalValue::ExternalLinkage);
    variable->setName("cuset_managed." + variable->getName());
  }
}

class TableBuilder {
 public:
  explicit TableBuilder(Module& module)
      : module_(module),
        pointer_(PointerType::getUnqual(module.getContext())),
        word_(Type::getInt32Ty(module.getContext())) {}

  Constant* word(uint32_t value) { return ConstantInt::get(word_, value); }
  Constant* long_word(uint64_t value) {
    return ConstantInt::get(Type::getInt64Ty(module_.getContext()), value);
  }
  Constant* null() { return ConstantPointerNull::get(pointer_); }
  Constant* pointer(Constant* value) { return value != nullptr ? value : null(); }

  Constant* global(Constant* value, const Twine& name) {
    return new GlobalVariable(module_, value->getType(), true, GlobalValue::InternalLinkage, value, name);
  }

  Constant* array_of(ArrayRef<Constant*> rows, const Twine& name) {
    if (rows.empty()) return null();
    return global(ConstantArray::get(ArrayType::get(rows.front()->getType(), rows.size()), rows), name);
  }

  Constant* bytes(ArrayRef<uint8_t> values, const Twine& name) {
    return values.empty() ? null() : global(ConstantDataArray::get(module_.getContext(), values), name);
  }

  Module& module() { return module_; }

 private:
  Module& module_;
  PointerType* pointer_;
  Type* word_;
};

bool only_loads(const Value& address, std::set<const Value*>& seen);

// Functions that get the address read, too, or get a copy of what is there.
bool call_only_loads(const CallBase& call, const Value& address, std::set<const Value*>& seen) {
  if (const auto* transfer = dyn_cast<MemTransferInst>(&call))
    return transfer->getRawSource() == &address && transfer->getRawDest() != &address;
  if (call.getIntrinsicID() != Intrinsic::not_intrinsic) return call.onlyReadsMemory();
  const Function* callee = call.getCalledFunction();
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (call.getArgOperand(i) != &address || call.isByValArgument(i)) continue;
    if (callee == nullptr || callee->isDeclaration() || i >= callee->arg_size()) return false;
    if (!only_loads(*callee->getArg(i), seen)) return false;
  }
  return true;
}

// A struct passed by address that is only ever loaded from can be shared by all threads.
bool only_loads(const Value& address, std::set<const Value*>& seen) {
  if (!seen.insert(&address).second) return true;
  for (const User* user : address.users()) {
    if (isa<LoadInst>(user)) continue;
    if ((isa<GetElementPtrInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user)) &&
        only_loads(*user, seen))
      continue;
    if (const auto* call = dyn_cast<CallBase>(user); call != nullptr && call_only_loads(*call, address, seen))
      continue;
    return false;
  }
  return true;
}

bool only_loads(const Value& address) {
  std::set<const Value*> seen;
  return only_loads(address, seen);
}

Constant* site_row(TableBuilder& table, const Function& kernel) {
  const DISubprogram* place = kernel.getSubprogram();
  Constant* file = place ? string_constant(table.module(), place->getFilename()) : table.null();
  return ConstantStruct::getAnon({file, string_constant(table.module(), kernel.getName()),
                                  table.word(place ? place->getLine() : 0), table.word(0)});
}

// Kernels that device code launches are known by their address; others are not kept for it.
Constant* address_row(TableBuilder& table, Function& kernel) {
  const bool is_launched = kernel.hasAddressTaken(nullptr, false, true, /*IgnoreLLVMUsed=*/true);
  return is_launched ? static_cast<Constant*>(&kernel) : table.null();
}

Constant* kernel_row(TableBuilder& table, const Kernel& kernel) {
  std::vector<uint8_t> is_pointer, is_written;
  for (const Argument& parameter : kernel.function->args()) {
    is_pointer.push_back(parameter.getType()->isPointerTy());
    is_written.push_back(parameter.getType()->isPointerTy() && !only_loads(parameter));
  }
  return ConstantStruct::getAnon(
      {string_constant(table.module(), kernel.name), table.word(kernel.flags),
       table.word(static_cast<uint32_t>(is_pointer.size())),
       table.bytes(is_pointer, kernel.name + ".pointers"), table.bytes(is_written, kernel.name + ".written"),
       table.word(kernel.static_shared_bytes), table.word(kernel.dynamic_shared_start),
       table.word(kernel.most_threads), table.word(0), table.pointer(kernel.start_thread),
       table.pointer(kernel.resume_threads), table.pointer(kernel.run_thread),
       table.pointer(kernel.run_block), site_row(table, *kernel.function),
       address_row(table, *kernel.function), table.word(kernel.cluster.empty() ? 0 : kernel.cluster[0]),
       table.word(kernel.cluster.empty() ? 0 : kernel.cluster[1]),
       table.word(kernel.cluster.empty() ? 0 : kernel.cluster[2]), table.word(0)});
}

// What the headers' marker says.
Constant* architecture_row(TableBuilder& table) {
  const GlobalVariable* marker = table.module().getNamedGlobal("cuset_device_module");
  const auto* known = marker != nullptr ? dyn_cast<ConstantInt>(marker->getInitializer()) : nullptr;
  return table.long_word(known != nullptr ? known->getZExtValue() : 0);
}

std::vector<Constant*> variable_rows(TableBuilder& table) {
  std::vector<Constant*> rows;
  Module& module = table.module();
  for (GlobalVariable& variable : module.globals()) {
    const bool named =
        variable.hasName() && !belongs_to_compiler(variable) && !variable.getName().starts_with("cuset.");
    if (variable.isDeclaration() || variable.isThreadLocal() || !named) continue;
    if (variable.getSection() == "llvm.metadata") continue;  // texts of annotations: no program has them
    // Checked programs also read tables of virtual functions and other constants of the compiler.
    if (variable.isConstant() && !is_checked(module)) continue;
    StringRef name = variable.getName();
    const bool is_managed = name.consume_front("cuset_managed.");
    rows.push_back(ConstantStruct::getAnon(
        {string_constant(module, name), &variable,
         table.long_word(module.getDataLayout().getTypeAllocSize(variable.getValueType())),
         table.long_word(is_managed ? 1 : 0)}));
  }
  return rows;
}

void register_at_start(TableBuilder& table, Constant* description) {
  Module& module = table.module();
  LLVMContext& llvm_context = module.getContext();
  auto* start = Function::Create(FunctionType::get(Type::getVoidTy(llvm_context), false),
                                 GlobalValue::InternalLinkage, "cuset.register", module);
  IRBuilder<> builder(BasicBlock::Create(llvm_context, "", start));
  builder.CreateCall(
      runtime_function(module, "cuset_register_module", builder.getVoidTy(), {builder.getPtrTy()}),
      {description});
  builder.CreateRetVoid();
  // Before the host side's own registration, which looks kernels up.
  appendToGlobalCtors(module, start, 1000);
}

}  // namespace

void emit_tables(Module& module, const std::vector<Kernel>& kernels,
                 const std::vector<GlobalVariable*>& managed) {
  internalise(module, managed);
  TableBuilder table(module);
  const std::vector<Constant*> variables = variable_rows(table);
  std::vector<Constant*> rows;
  for (const Kernel& kernel : kernels) rows.push_back(kernel_row(table, kernel));
  Constant* description = ConstantStruct::getAnon(
      {table.array_of(rows, "cuset.kernels"), table.word(static_cast<uint32_t>(rows.size())),
       table.word(static_cast<uint32_t>(variables.size())), table.array_of(variables, "cuset.variables"),
       architecture_row(table)});
  register_at_start(table, table.global(description, "cuset.module"));
}

}  // namespace cuset_pass
