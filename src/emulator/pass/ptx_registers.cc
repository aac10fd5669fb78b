// PTX's special registers: what a thread is, where its block lies in grid and cluster, and the clocks.
#include "pass/device_module.h"
#include "pass/ptx_translator.h"

namespace cuset_pass {

using namespace llvm;

namespace {

Value* load_field(IRBuilder<>& builder, Module& module, unsigned offset) {
  return builder.CreateLoad(builder.getInt32Ty(), context_field(builder, module, offset));
}

// clusterid.x and its like: `name` of an axis.
Value* cluster_register(IRBuilder<>& builder, Module& module, StringRef name) {
  const unsigned axis = name.ends_with(".x") ? 0 : name.ends_with(".y") ? 4 : 8;
  const StringRef what = name.drop_back(2);
  Value* const size = load_field(builder, module, context::kClusterDim + axis);
  if (what == "cluster_nctaid") return size;
  if (what == "nclusterid")
    return builder.CreateUDiv(load_field(builder, module, context::kGridDim + axis), size);
  Value* const block = load_field(builder, module, context::kBlockIndex + axis);
  return what == "clusterid" ? builder.CreateUDiv(block, size) : builder.CreateURem(block, size);
}

Value* cluster_blocks(IRBuilder<>& builder, Module& module) {
  Value* blocks = load_field(builder, module, context::kClusterDim);
  for (const unsigned axis : {4u, 8u})
    blocks = builder.CreateMul(blocks, load_field(builder, module, context::kClusterDim + axis));
  return blocks;
}

}  // namespace

Value* special_register(IRBuilder<>& builder, Module& module, StringRef name) {
  const std::pair<const char*, unsigned> fields[] = {
      {"laneid", context::kLane},
      {"tid.x", context::kThreadIndex},
      {"tid.y", context::kThreadIndex + 4},
      {"tid.z", context::kThreadIndex + 8},
      {"ctaid.x", context::kBlockIndex},
      {"ctaid.y", context::kBlockIndex + 4},
      {"ctaid.z", context::kBlockIndex + 8},
      {"ntid.x", context::kBlockDim},
      {"ntid.y", context::kBlockDim + 4},
      {"ntid.z", context::kBlockDim + 8},
      {"nctaid.x", context::kGridDim},
      {"nctaid.y", context::kGridDim + 4},
      {"nctaid.z", context::kGridDim + 8},
      {"cluster_ctarank", context::kClusterRank},
  };
  for (const auto& [field, offset] : fields) {
    if (name == field) return load_field(builder, module, offset);
  }
  for (const StringRef what : {"clusterid.", "nclusterid.", "cluster_ctaid.", "cluster_nctaid."}) {
    StringRef axis = name;
    if (axis.consume_front(what) && (axis == "x" || axis == "y" || axis == "z"))
      return cluster_register(builder, module, name);
  }
  if (name == "cluster_nctarank") return cluster_blocks(builder, module);
  if (name == "is_explicit_cluster")
    return builder.CreateICmpNE(cluster_blocks(builder, module), builder.getInt32(1));
  Value* lane = nullptr;
  if (name.starts_with("lanemask_")) lane = load_field(builder, module, context::kLane);
  Value* one = builder.getInt32(1);
  if (name == "warpid") return builder.CreateLShr(load_field(builder, module, context::kLinearThread), 5);
  if (name == "lanemask_eq") return builder.CreateShl(one, lane);
  if (name == "lanemask_lt") return builder.CreateSub(builder.CreateShl(one, lane), one);
  if (name == "lanemask_le") return builder.CreateSub(builder.CreateShl(builder.getInt32(2), lane), one);
  if (name == "lanemask_ge") return builder.CreateShl(builder.getInt32(-1), lane);
  if (name == "lanemask_gt") return builder.CreateShl(builder.getInt32(-2), lane);
  const bool timer = name == "globaltimer" || name == "clock64" || name == "clock";
  if (timer) {
    const char* source = name == "globaltimer" ? "cuset_device_global_timer" : "cuset_device_clock";
    return builder.CreateCall(runtime_function(module, source, builder.getInt64Ty(), {}));
  }
  return nullptr;
}

}  // namespace cuset_pass
