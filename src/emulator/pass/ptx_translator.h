// Inline PTX as LLVM instructions. A translator turns the statements of one asm statement into code before it: registers
// are values, guards are selections or branches. Each family of instructions is one file.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "pass/ptx_statements.h"

namespace cuset_pass {

class PtxTranslator {
 public:
  explicit PtxTranslator(llvm::CallInst& call);

  // The value of the asm statement (null for void), with its code before it; false where an instruction is not
  // known. The code written until then stays, and is never used.
  bool translate(llvm::Value*& result);

 private:
  friend class PtxArithmetic;
  friend class PtxMatrix;
  friend class PtxMemory;
  friend class PtxThreads;

  bool take_operands();
  bool translate_statement(const PtxStatement& statement);
  bool translate_guarded(const PtxStatement& statement);
  bool translate_unguarded(const PtxStatement& statement);
  bool has_effects(const PtxStatement& statement) const;
  bool collect_results(llvm::Value*& result);

  // b32, u32 and s32 are i32, pred is i1; null for what is not known.
  llvm::Type* type_named(llvm::StringRef name);
  // The type in the last word of the statement.
  llvm::Type* type_of(const PtxStatement& statement) { return type_named(statement.words.back()); }
  // The same bits as another type; integers are cut or filled with zeros.
  llvm::Value* as_type(llvm::Value* value, llvm::Type* type);
  // A register, an operand of the asm statement, a special register or a constant; null for what is not known.
  llvm::Value* read(llvm::StringRef name, llvm::Type* type);
  llvm::Value* read(const PtxStatement& statement, size_t operand, llvm::Type* type);
  llvm::Value* constant(llvm::StringRef text, llvm::Type* type);
  void write(llvm::StringRef name, llvm::Value* value);

  llvm::CallInst& call_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  llvm::StringMap<llvm::Value*> values_;
  unsigned outputs_ = 0;
};

// Instructions on values. Each of these returns false for instructions that are not its own or not known.
class PtxArithmetic {
 public:
  explicit PtxArithmetic(PtxTranslator& translator) : of_(translator), builder_(translator.builder_) {}
  bool translate(const PtxStatement& statement);

 private:
  bool move(const PtxStatement& statement);
  bool convert(const PtxStatement& statement);
  bool compare(const PtxStatement& statement);
  bool select(const PtxStatement& statement);
  llvm::Value* computed(const PtxStatement& statement, llvm::Type* type);
  llvm::Value* video_result(const PtxStatement& statement);
  llvm::Value* integer_result(llvm::StringRef name, const PtxStatement& statement,
                              llvm::ArrayRef<llvm::Value*> in);
  llvm::Value* bit_result(llvm::StringRef name, const PtxStatement& statement,
                          llvm::ArrayRef<llvm::Value*> in);
  llvm::Value* float_result(llvm::StringRef name, const PtxStatement& statement,
                            llvm::ArrayRef<llvm::Value*> in);
  llvm::Value* product(const PtxStatement& statement, llvm::ArrayRef<llvm::Value*> in);
  llvm::Value* shifted(llvm::StringRef name, bool is_signed, llvm::Value* value, llvm::Value* distance);
  llvm::Value* bit_mask(llvm::Value* start, llvm::Value* width);
  llvm::Value* extracted_field(bool is_signed, llvm::Value* value, llvm::Value* start, llvm::Value* width);
  llvm::Value* inserted_field(llvm::ArrayRef<llvm::Value*> in);
  llvm::Value* permuted_bytes(llvm::ArrayRef<llvm::Value*> in);
  llvm::Value* logic_of_3(const PtxStatement& statement);

  PtxTranslator& of_;
  llvm::IRBuilder<>& builder_;
};

// Loads, stores, atomic operations, fences, prefetches, copies into shared memory.
class PtxMemory {
 public:
  explicit PtxMemory(PtxTranslator& translator) : of_(translator), builder_(translator.builder_) {}
  bool translate(const PtxStatement& statement);
  // Null where the operand is no address.
  llvm::Value* address_of(const PtxOperand& operand, bool in_shared, bool of_cluster = false);

 private:
  bool load(const PtxStatement& statement);
  bool store(const PtxStatement& statement);
  bool update(const PtxStatement& statement);
  bool copy_to_shared(const PtxStatement& statement);
  bool map_to_block(const PtxStatement& statement);
  bool block_of_address(const PtxStatement& statement);
  llvm::Value* shared_of_block(llvm::Value* rank);
  llvm::Value* in_cluster(llvm::Value* address);
  llvm::Value* strong_load(const PtxStatement& statement, llvm::Value* address, unsigned bits);

  PtxTranslator& of_;
  llvm::IRBuilder<>& builder_;
};

// What threads do together: shuffles, votes, barriers; and the end of a thread.
class PtxThreads {
 public:
  explicit PtxThreads(PtxTranslator& translator) : of_(translator), builder_(translator.builder_) {}
  bool translate(const PtxStatement& statement);
  // An operation of the runtime; its result, 64 bits wide.
  llvm::Value* request(uint32_t operation, llvm::Value* mask, llvm::Value* value, llvm::Value* argument);

 private:
  bool shuffle(const PtxStatement& statement);
  bool vote(const PtxStatement& statement);
  bool match(const PtxStatement& statement);
  bool reduce(const PtxStatement& statement);
  bool barrier(const PtxStatement& statement);
  bool cluster_barrier(const PtxStatement& statement);
  bool exit();

  PtxTranslator& of_;
  llvm::IRBuilder<>& builder_;
};

// Tensor cores: products, and moving matrices between shared memory and registers.
class PtxMatrix {
 public:
  explicit PtxMatrix(PtxTranslator& translator) : of_(translator), builder_(translator.builder_) {}
  bool translate(const PtxStatement& statement);

 private:
  bool multiply(const PtxStatement& statement);
  bool move_rows(const PtxStatement& statement, bool loads);
  llvm::AllocaInst* in_memory(const PtxOperand* names, unsigned count, unsigned bits);
  void request(unsigned product, llvm::ArrayRef<llvm::AllocaInst*> memory);
  llvm::Value* address_of_lane(llvm::Value* address, llvm::Value* source);

  PtxTranslator& of_;
  llvm::IRBuilder<>& builder_;
};

// The value of a special register (laneid, tid.x), or null.
llvm::Value* special_register(llvm::IRBuilder<>& builder, llvm::Module& module, llvm::StringRef name);

}  // namespace cuset_pass
