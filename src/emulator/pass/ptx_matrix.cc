// PTX instructions of tensor cores: mma.sync is one operation of the warp (runtime/launch/matrix_operations.h), which gets
// the lanes' registers through their memory; ldmatrix and stmatrix hand addresses from lane to lane.
#include "cuset_emulator/abi.h"
#include "llvm/IR/Intrinsics.h"
#include "pass/device_module.h"
#include "pass/ptx_translator.h"

namespace cuset_pass {

using namespace llvm;

namespace {

struct ElementName {
  StringRef name;
  CusetMatrixElement element;
  unsigned bits;
};

const ElementName* element_named(StringRef name) {
  static const ElementName kElements[] = {
      {"f16", CUSET_F16, 16}, {"bf16", CUSET_BF16, 16}, {"tf32", CUSET_TF32, 32}, {"f32", CUSET_F32, 32},
      {"f64", CUSET_F64, 64}, {"e4m3", CUSET_E4M3, 8},  {"e5m2", CUSET_E5M2, 8},  {"s8", CUSET_S8, 8},
      {"u8", CUSET_U8, 8},    {"s4", CUSET_S4, 4},      {"u4", CUSET_U4, 4},      {"b1", CUSET_B1_XOR, 1},
      {"s32", CUSET_S32, 32},
  };
  for (const ElementName& element : kElements)
    if (element.name == name) return &element;
  return nullptr;
}

// m16n8k16.
bool read_shape(StringRef text, unsigned& rows, unsigned& depth) {
  unsigned columns = 0;
  return text.consume_front("m") && !text.consumeInteger(10, rows) && text.consume_front("n") &&
         !text.consumeInteger(10, columns) && text.consume_front("k") && !text.getAsInteger(10, depth) &&
         (rows == 8 || rows == 16) && columns == 8;
}

// Registers of a lane for an operand of so many elements in all.
unsigned register_count(unsigned elements, const ElementName& element) {
  return elements / 32 * element.bits / std::max(32u, element.bits);
}

}  // namespace

bool PtxMatrix::translate(const PtxStatement& statement) {
  const StringRef name = statement.words[0];
  if (name == "mma") return multiply(statement);
  if (name == "ldmatrix" || name == "stmatrix") return move_rows(statement, name == "ldmatrix");
  return false;
}

// The lane's registers in memory, filled with those that are named.
AllocaInst* PtxMatrix::in_memory(const PtxOperand* names, unsigned count, unsigned bits) {
  if (names != nullptr && (names->is_address || names->names.size() != count)) return nullptr;
  Type* const type = builder_.getIntNTy(std::max(32u, bits));
  BasicBlock& entry = of_.call_.getFunction()->getEntryBlock();
  IRBuilder<> at_entry(&entry, entry.begin());
  AllocaInst* const memory = at_entry.CreateAlloca(ArrayType::get(type, count));
  for (unsigned i = 0; names != nullptr && i < count; ++i) {
    Value* const value = of_.read(names->names[i], type);
    if (value == nullptr) return nullptr;
    builder_.CreateStore(value, builder_.CreateConstInBoundsGEP1_32(type, memory, i));
  }
  return memory;
}

// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}. Types stand in the order d, a, b, c.
bool PtxMatrix::multiply(const PtxStatement& statement) {
  std::vector<const ElementName*> types;
  unsigned rows = 0, depth = 0;
  bool combines_by_and = false;
  for (const std::string& word : ArrayRef(statement.words).drop_front()) {
    if (const ElementName* type = element_named(word)) {
      types.push_back(type);
    } else if (word == "and") {
      combines_by_and = true;
    } else if (!is_contained({"sync", "aligned", "row", "col", "satfinite", "xor", "popc"},
                             StringRef(word)) &&
               !read_shape(word, rows, depth)) {
      return false;
    }
  }
  if (types.size() != 4 || rows == 0 || statement.operands.size() != 4) return false;
  const ElementName &d = *types[0], &a = *types[1], &b = *types[2], &c = *types[3];
  if (rows == 8 && a.element == CUSET_F16) return false;  // Volta's, with a layout of its own
  if (a.bits != b.bits || rows * depth * a.bits < 32 * 32) return false;
  AllocaInst* const memory[] = {
      in_memory(nullptr, register_count(8 * rows, d), d.bits),
      in_memory(&statement.operands[1], register_count(rows * depth, a), a.bits),
      in_memory(&statement.operands[2], register_count(8 * depth, b), b.bits),
      in_memory(&statement.operands[3], register_count(8 * rows, c), c.bits),
  };
  const PtxOperand& to = statement.operands[0];
  if (is_contained(memory, nullptr) || to.names.size() != register_count(8 * rows, d)) return false;
  const unsigned of_a = combines_by_and ? CUSET_B1_AND : a.element;
  request(
      CUSET_MATRIX_PRODUCT(rows, depth, of_a, b.element, c.element, d.element, statement.has("satfinite")),
      memory);
  Type* const type = builder_.getIntNTy(std::max(32u, d.bits));
  for (unsigned i = 0; i < to.names.size(); ++i)
    of_.write(to.names[i],
              builder_.CreateLoad(type, builder_.CreateConstInBoundsGEP1_32(type, memory[0], i)));
  return true;
}

// `memory`: of d, a, b, c.
void PtxMatrix::request(unsigned product, ArrayRef<AllocaInst*> memory) {
  BasicBlock& entry = of_.call_.getFunction()->getEntryBlock();
  IRBuilder<> at_entry(&entry, entry.begin());
  AllocaInst* const registers = at_entry.CreateAlloca(ArrayType::get(builder_.getPtrTy(), 4));
  const size_t places[] = {offsetof(CusetMatrixRegisters, d), offsetof(CusetMatrixRegisters, a),
                           offsetof(CusetMatrixRegisters, b), offsetof(CusetMatrixRegisters, c)};
  for (size_t i = 0; i < memory.size(); ++i)
    builder_.CreateStore(memory[i],
                         builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), registers, places[i]));
  PtxThreads(of_).request(CUSET_MATRIX, builder_.getInt32(-1), registers, builder_.getInt32(product));
}

// The address that lane `source` brought.
Value* PtxMatrix::address_of_lane(Value* address, Value* source) {
  Value* const bits = PtxThreads(of_).request(CUSET_SHUFFLE, builder_.getInt32(-1),
                                              of_.as_type(address, builder_.getInt64Ty()), source);
  return builder_.CreateIntToPtr(bits, builder_.getPtrTy());
}

// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r0, ...}, [address]: lanes 8j to 8j+7 bring the addresses of the rows of
// matrix j. Every lane gets (or gives) two neighbors of row lane / 4, or of column lane / 4 if transposed.
bool PtxMatrix::move_rows(const PtxStatement& statement, bool loads) {
  for (const std::string& word : ArrayRef(statement.words).drop_front())
    if (!is_contained({"sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta", "b16"},
                      StringRef(word)))
      return false;
  if (statement.operands.size() != 2) return false;
  const PtxOperand &registers = statement.operands[loads ? 0 : 1], &from = statement.operands[loads ? 1 : 0];
  Value* const address = PtxMemory(of_).address_of(from, true);
  const unsigned count = statement.has("x4") ? 4 : statement.has("x2") ? 2 : 1;
  if (address == nullptr || registers.is_address || registers.names.size() != count) return false;
  Value* const lane = special_register(builder_, of_.module_, "laneid");
  Value* const group = builder_.CreateLShr(lane, 2);
  Value* const pair = builder_.CreateShl(builder_.CreateAnd(lane, 3), 1);
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    Value* const first = builder_.getInt32(8 * matrix);
    Value* word = loads ? builder_.getInt32(0) : of_.read(registers.names[matrix], builder_.getInt32Ty());
    if (word == nullptr) return false;
    for (unsigned i = 0; i < 2; ++i) {
      Value* const next = builder_.CreateAdd(pair, builder_.getInt32(i));
      Value* const row = statement.has("trans") ? next : group;
      Value* const column = statement.has("trans") ? group : next;
      Value* const start = address_of_lane(address, builder_.CreateAdd(first, row));
      Value* const place = builder_.CreateGEP(builder_.getInt16Ty(), start,
                                              builder_.CreateZExt(column, builder_.getInt64Ty()));
      if (loads) {
        Value* const half = builder_.CreateLoad(builder_.getInt16Ty(), place);
        word = builder_.CreateOr(
            word, builder_.CreateShl(builder_.CreateZExt(half, builder_.getInt32Ty()), 16 * i));
      } else {
        builder_.CreateStore(builder_.CreateTrunc(builder_.CreateLShr(word, 16 * i), builder_.getInt16Ty()),
                             place);
      }
    }
    if (loads) of_.write(registers.names[matrix], word);
  }
  return true;
}

}  // namespace cuset_pass
