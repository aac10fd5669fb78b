// The device "cuda" of a PyTorch that was built without CUDA, on the emulator: tensors lie in the emulator's device memory,
// which only kernels and this library reach, and every operation of PyTorch runs as its CPU version on that memory.
//
// A library that is loaded before PyTorch: the keys of CUDA are free there. It is compiled against the PyTorch that it
// serves, on the machine where that is. Each operation stands in the emulator's timeline (cuset_emulator/library_work.h)
// under the name at::native::..., as a GPU's libraries stand in CUPTI's.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/EmptyTensor.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "cuset_emulator/library_work.h"
#include "given_contents.h"

extern "C" {
int cudaMalloc(void** address, size_t bytes);
int cudaFree(void* address);
int cudaMemset(void* address, int value, size_t bytes);
int cudaDeviceSynchronize();
}

namespace cuset_torch {
namespace {

using c10::Device;
using c10::DeviceType;
using c10::IValue;
using torch::jit::Stack;

const Device kDevice(DeviceType::CUDA, 0);

// --- the device ---

class Memory final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* address = nullptr;
    if (bytes > 0 && cudaMalloc(&address, bytes) != 0)
      C10_THROW_ERROR(OutOfMemoryError, "CUDA out of memory: " + std::to_string(bytes) + " bytes");
    return {address, address, &release, kDevice};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    cuset_begin_library_work("copy_");
    std::memcpy(to, from, bytes);
    cuset_end_library_work(bytes, "DtoD", bytes);
  }

 private:
  static void release(void* address) {
    if (address != nullptr) cudaFree(address);
  }
};

Memory& memory() {
  static Memory& instance = *new Memory;
  return instance;
}

// Work runs when it is put into a stream. For PyTorch itself they are all one; the runtime knows which is current.
c10::Stream only_stream() { return c10::Stream(c10::Stream::DEFAULT, kDevice); }

struct Guard final : c10::impl::DeviceGuardImplInterface {
  static constexpr DeviceType static_type = DeviceType::CUDA;
  Guard() = default;
  explicit Guard(DeviceType) {}
  DeviceType type() const override { return DeviceType::CUDA; }
  Device exchangeDevice(Device) const override { return kDevice; }
  Device getDevice() const override { return kDevice; }
  void setDevice(Device) const override {}
  void uncheckedSetDevice(Device) const noexcept override {}
  c10::Stream getStream(Device) const override { return only_stream(); }
  c10::Stream getDefaultStream(Device) const override { return only_stream(); }
  c10::Stream getStreamFromGlobalPool(Device, bool) const override { return only_stream(); }
  c10::Stream getNewStream(Device, int) const override { return only_stream(); }
  c10::Stream exchangeStream(c10::Stream) const override { return only_stream(); }
  void record(void**, const c10::Stream&, const c10::DeviceIndex, const c10::EventFlag) const override {}
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override { cudaDeviceSynchronize(); }
  void synchronizeEvent(void*) const override { cudaDeviceSynchronize(); }
  void synchronizeDevice(const c10::DeviceIndex) const override { cudaDeviceSynchronize(); }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};

// Random numbers are those of the CPU's generators.
struct CUDAHooks final : at::CUDAHooksInterface {
  explicit CUDAHooks(at::CUDAHooksArgs) {}
  void init() const override {}
  bool hasCUDA() const override { return true; }
  bool hasCUDART() const override { return true; }
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  c10::DeviceIndex deviceCount() const override { return 1; }
  c10::DeviceIndex current_device() const override { return 0; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  Device getDeviceFromPtr(void*) const override { return kDevice; }
  c10::Allocator* getPinnedMemoryAllocator() const override { return c10::GetCPUAllocator(); }
  c10::Allocator* getCUDADeviceAllocator() const override { return &memory(); }
  const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override {
    return at::detail::getDefaultCPUGenerator();
  }
  at::Generator getNewGenerator(c10::DeviceIndex) const override { return at::detail::createCPUGenerator(); }
};

// --- operations, each on the CPU ---

bool is_ours(const at::Tensor& tensor) { return tensor.defined() && tensor.is_cuda(); }

// The same memory as a tensor of the CPU's. Where an operation makes it larger, it gets memory of its own.
at::Tensor cpu_view(const at::Tensor& tensor) {
  if (!is_ours(tensor)) return tensor;
  const size_t bytes =
      at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.element_size());
  c10::Storage storage(c10::Storage::use_byte_size_t(), bytes,
                       c10::DataPtr(tensor.numel() == 0 ? nullptr : tensor.data_ptr(), DeviceType::CPU),
                       c10::GetCPUAllocator(), true);
  at::Tensor view = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), tensor.dtype());
  view.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides());
  if (tensor.is_conj()) view = view.conj();
  if (tensor.is_neg()) view._set_neg(true);
  return view;
}

uint64_t bytes_of(const at::Tensor& tensor) { return tensor.numel() * tensor.element_size(); }

class Work {
 public:
  explicit Work(const std::string& name) {
    cuset_note_stream_work();
    cuset_begin_library_work(name.c_str());
  }
  ~Work() { cuset_end_library_work(elements_, copy_, bytes_); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  void touched(const at::Tensor& tensor) {
    if (tensor.defined()) elements_ += tensor.numel();
  }
  // `is_given`: of what was there without own kernels.
  void computed(const at::Tensor& result, bool is_given) {
    touched(result);
    if (!result.defined() || result.numel() == 0 || result.element_size() > 8) return;
    const at::Tensor elements = result.contiguous();
    cuset_note_library_result(elements.const_data_ptr(), elements.numel(), elements.element_size(),
                              result.is_floating_point(), is_given);
  }
  void brought_to_host(const at::Tensor& result) {
    const at::Tensor elements = result.contiguous();
    cuset_note_host_copy(elements.const_data_ptr(), elements.numel(), elements.element_size());
  }
  void was_copy(const char* kind, uint64_t bytes) { copy_ = kind, bytes_ = bytes; }

 private:
  uint64_t elements_ = 0;
  const char* copy_ = nullptr;
  uint64_t bytes_ = 0;
};

// As `tensor` lies, with memory of the device.
at::Tensor empty_as(const at::Tensor& tensor) {
  return at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(kDevice));
}

// Nothing of it is new where it is one of the arguments, or looks into it.
struct Argument {
  at::Tensor original;
  at::Tensor view;
};

const Argument* owner_of(const at::Tensor& result, const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    if (result.unsafeGetTensorImpl() == argument.view.unsafeGetTensorImpl()) return &argument;
  }
  return nullptr;
}

const Argument* memory_owner_of(const at::Tensor& result, const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    if (argument.original.numel() > 0 && result.storage().is_alias_of(argument.view.storage()))
      return &argument;
  }
  return nullptr;
}

at::Tensor on_device(const at::Tensor& result, const std::vector<Argument>& arguments) {
  if (!result.defined() || result.is_cuda()) return result;
  if (const Argument* same = owner_of(result, arguments)) return same->original;
  if (const Argument* owner = memory_owner_of(result, arguments)) {
    const auto offset = static_cast<const char*>(result.const_data_ptr()) -
                        static_cast<const char*>(owner->original.const_data_ptr());
    return owner->original.as_strided(
        result.sizes(), result.strides(),
        owner->original.storage_offset() + offset / static_cast<int64_t>(result.element_size()));
  }
  at::Tensor moved = empty_as(result);
  if (result.numel() > 0) cpu_view(moved).copy_(result);
  return moved;
}

class Call {
 public:
  Call(const c10::OperatorHandle& operation, Stack* stack) : operation_(operation), stack_(stack) {}

  void run() {
    const std::string& name = operation_.schema().name();
    Work work(work_name(name.substr(name.find("::") + 2)));
    const bool is_given = has_given_arguments(operation_.schema(), *stack_);
    const size_t first = stack_->size() - operation_.schema().arguments().size();
    for (size_t i = first; i < stack_->size(); ++i) (*stack_)[i] = to_cpu((*stack_)[i]);
    if (!takes_numbers_of_host(name)) refuse_tensors_of_host(name);
    for (const Argument& argument : arguments_) work.touched(argument.view);
    operation_.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack_);
    take_resized();
    const size_t results = stack_->size() - operation_.schema().returns().size();
    for (size_t i = results; i < stack_->size(); ++i) {
      if ((*stack_)[i].isTensor()) work.computed((*stack_)[i].toTensor(), is_given);
      (*stack_)[i] = to_device((*stack_)[i]);
      if (is_given) add_results(operation_.schema(), (*stack_)[i]);
    }
    if (name == "aten::_local_scalar_dense") work.was_copy("DtoH", 8);
  }

 private:
  // Places given as a list, which PyTorch brings to the device itself.
  static bool takes_numbers_of_host(const std::string& name) { return name.find("index") != name.npos; }

  // As a GPU's operations do. Otherwise data would leave the device unseen.
  void refuse_tensors_of_host(const std::string& name) const {
    if (arguments_.empty()) return;
    TORCH_CHECK(!has_tensor_of_host_,
                "Expected all tensors to be on the same device, but found at least two devices, "
                "cuda:0 and cpu! (in ",
                name, ")");
  }

  // A GPU's kernels for these have "copy" or "fill" in their names.
  static std::string work_name(const std::string& name) {
    if (name == "cat" || name == "stack" || name == "_local_scalar_dense") return name + "_copy";
    if (name == "zero_") return "fill_zero";
    return name;
  }

  at::Tensor view_of(const at::Tensor& tensor) {
    if (!is_ours(tensor)) {
      has_tensor_of_host_ |= tensor.defined() && tensor.dim() > 0;
      return tensor;
    }
    for (const Argument& argument : arguments_) {
      if (argument.original.unsafeGetTensorImpl() == tensor.unsafeGetTensorImpl()) return argument.view;
    }
    arguments_.push_back({tensor, cpu_view(tensor)});
    return arguments_.back().view;
  }

  IValue to_cpu(const IValue& value) {
    if (value.isTensor()) return view_of(value.toTensor());
    if (value.isDevice() && value.toDevice().is_cuda()) return Device(DeviceType::CPU);
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(view_of(tensor));
      return list;
    }
    if (value.isOptionalTensorList()) {
      c10::List<std::optional<at::Tensor>> list;
      for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
        list.push_back(tensor ? std::optional(view_of(*tensor)) : std::nullopt);
      return list;
    }
    return value;
  }

  IValue to_device(const IValue& value) {
    if (value.isTensor()) return on_device(value.toTensor(), arguments_);
    if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(on_device(tensor, arguments_));
      return list;
    }
    return value;
  }

  // Outputs that came with another size.
  void take_resized() {
    for (const Argument& argument : arguments_) {
      if (argument.view.sizes() != argument.original.sizes())
        argument.original.resize_(argument.view.sizes());
      const at::Tensor now = cpu_view(argument.original);
      if (now.numel() > 0 && now.data_ptr() != argument.view.data_ptr()) now.copy_(argument.view);
    }
  }

  const c10::OperatorHandle& operation_;
  Stack* stack_;
  std::vector<Argument> arguments_;
  bool has_tensor_of_host_ = false;  // among the arguments; a number without dimensions is none
};

void run_on_cpu(const c10::OperatorHandle& operation, Stack* stack) { Call(operation, stack).run(); }

// --- what makes, copies and views tensors ---

at::Tensor empty(c10::SymIntArrayRef size, std::optional<at::ScalarType> type, std::optional<at::Layout>,
                 std::optional<Device>, std::optional<bool>, std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(C10_AS_INTARRAYREF_SLOW(size), &memory(),
                                   c10::DispatchKeySet(c10::DispatchKey::CUDA), c10::dtype_or_default(type),
                                   format);
}

at::Tensor empty_strided(c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
                         std::optional<at::ScalarType> type, std::optional<at::Layout>, std::optional<Device>,
                         std::optional<bool>) {
  return at::detail::empty_strided_generic(C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride),
                                           &memory(), c10::DispatchKeySet(c10::DispatchKey::CUDA),
                                           c10::dtype_or_default(type));
}

const char* copy_kind(const at::Tensor& to, const at::Tensor& from) {
  if (!is_ours(to)) return "DtoH";
  return is_ours(from) ? "DtoD" : "HtoD";
}

at::Tensor& copy_(at::Tensor& self, const at::Tensor& source, bool) {
  if (self.numel() == 0) return self;
  Work work("copy_");
  work.touched(self);
  const bool is_given = is_given_copy(self, source);
  cpu_view(self).copy_(cpu_view(source));
  if (!is_ours(self)) work.brought_to_host(self);
  if (is_given) add_copy(self, source);
  work.was_copy(copy_kind(self, source), bytes_of(self));
  return self;
}

void take_input(std::string path, int64_t word, const at::Tensor& to) {
  if (to.numel() == 0) return;
  const int error = cuset_take_input(path.c_str(), word, to.data_ptr(), bytes_of(to));
  TORCH_CHECK(error == 0, "cannot take the input ", path, ": CUDA error ", error);
  const Work work("copy_");
  given_contents().add_from_host(to);
}

at::Tensor copy_from(const at::Tensor& self, const at::Tensor& to, bool non_blocking) {
  at::Tensor target = to;
  return copy_(target, self, non_blocking);
}

void grow(const at::Tensor& self, uint64_t bytes) {
  const c10::Storage& storage = self.storage();
  if (bytes <= storage.nbytes()) return;
  c10::DataPtr larger = memory().allocate(bytes);
  if (storage.nbytes() > 0) memory().copy_data(larger.get(), storage.data(), storage.nbytes());
  storage.unsafeGetStorageImpl()->set_data_ptr_noswap(std::move(larger));
  storage.unsafeGetStorageImpl()->set_nbytes(bytes);
}

const at::Tensor& resize_(const at::Tensor& self, c10::SymIntArrayRef size,
                          std::optional<at::MemoryFormat> format) {
  c10::TensorImpl* const impl = self.unsafeGetTensorImpl();
  impl->set_sizes_contiguous(C10_AS_INTARRAYREF_SLOW(size));
  if (format && *format != at::MemoryFormat::Contiguous && *format != at::MemoryFormat::Preserve)
    impl->empty_tensor_restride(*format);
  grow(self, (self.storage_offset() + self.numel()) * self.element_size());
  return self;
}

at::Tensor& set_storage(at::Tensor& self, at::Storage storage, c10::SymInt offset, c10::SymIntArrayRef size,
                        c10::SymIntArrayRef stride) {
  c10::TensorImpl* const impl = self.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(storage));
  impl->set_storage_offset(offset.expect_int());
  const c10::IntArrayRef sizes = C10_AS_INTARRAYREF_SLOW(size);
  if (stride.empty() && !sizes.empty())
    impl->set_sizes_contiguous(sizes);
  else
    impl->set_sizes_and_strides(sizes, C10_AS_INTARRAYREF_SLOW(stride));
  return self;
}

at::Tensor& set_whole_storage(at::Tensor& self, at::Storage storage) {
  const auto elements = static_cast<int64_t>(storage.nbytes() / self.element_size());
  return set_storage(self, std::move(storage), 0, {elements}, {1});
}

at::Tensor& set_tensor(at::Tensor& self, const at::Tensor& source) {
  return set_storage(self, source.storage(), source.sym_storage_offset(), source.sym_sizes(),
                     source.sym_strides());
}

at::Tensor& set_nothing(at::Tensor& self) {
  return set_storage(self, at::Storage(at::Storage::use_byte_size_t(), 0, &memory(), true), 0, {0}, {1});
}

at::Tensor as_strided(const at::Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride,
                      std::optional<c10::SymInt> offset) {
  std::optional<int64_t> start;
  if (offset) start = offset->expect_int();
  return at::native::as_strided_tensorimpl(self, C10_AS_INTARRAYREF_SLOW(size),
                                           C10_AS_INTARRAYREF_SLOW(stride), start);
}

at::Tensor view(const at::Tensor& self, c10::SymIntArrayRef size) {
  return at::native::view(self, C10_AS_INTARRAYREF_SLOW(size));
}

at::Tensor reshape_alias(const at::Tensor& self, c10::SymIntArrayRef size, c10::SymIntArrayRef stride) {
  return at::native::_reshape_alias(self, C10_AS_INTARRAYREF_SLOW(size), C10_AS_INTARRAYREF_SLOW(stride));
}

void record_stream(at::Tensor&, c10::Stream) {}

bool is_pinned(const at::Tensor&, std::optional<Device>) { return false; }

// PyTorch takes these apart in another way for CUDA than for the CPU, into kernels that only CUDA has.
constexpr const char* kWholeOnCpu[] = {"convolution",
                                       "_convolution",
                                       "convolution_overrideable",
                                       "lstm.input",
                                       "gru.input",
                                       "rnn_tanh.input",
                                       "rnn_relu.input",
                                       "lstm_cell",
                                       "gru_cell",
                                       "rnn_tanh_cell",
                                       "rnn_relu_cell",
                                       "scaled_dot_product_attention",
                                       "native_layer_norm",
                                       "native_group_norm",
                                       "_weight_norm",
                                       "ctc_loss.IntList",
                                       "ctc_loss.Tensor",
                                       "_transformer_encoder_layer_fwd",
                                       "_native_multi_head_attention"};

}  // namespace

TORCH_LIBRARY_IMPL(_, CUDA, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_on_cpu>());
}

TORCH_LIBRARY_IMPL(aten, CUDA, library) {
  library.impl("empty.memory_format", &empty);
  library.impl("empty_strided", &empty_strided);
  library.impl("copy_", &copy_);
  library.impl("_copy_from", &copy_from);
  library.impl("resize_", &resize_);
  library.impl("set_.source_Storage_storage_offset", &set_storage);
  library.impl("set_.source_Storage", &set_whole_storage);
  library.impl("set_.source_Tensor", &set_tensor);
  library.impl("set_", &set_nothing);
  library.impl("as_strided", &as_strided);
  library.impl("view", &view);
  library.impl("_reshape_alias", &reshape_alias);
  library.impl("unfold", &at::native::unfold);
  library.impl("view_as_real", &at::native::view_as_real);
  library.impl("view_as_complex", &at::native::view_as_complex);
  library.impl("record_stream", &record_stream);
  library.impl("is_pinned", &is_pinned);
  for (const char* name : kWholeOnCpu)
    library.impl(name, torch::CppFunction::makeFromBoxedFunction<&run_on_cpu>());
}

TORCH_LIBRARY(cuset, library) { library.def("take_input(str path, int word, Tensor(a!) to) -> ()"); }

TORCH_LIBRARY_IMPL(cuset, CUDA, library) { library.impl("take_input", &take_input); }

namespace {

[[gnu::constructor(2000)]] void begin() {
  cuset_begin_library();
  c10::SetAllocator(DeviceType::CUDA, &memory(), 1);
}

C10_REGISTER_GUARD_IMPL(CUDA, Guard);

}  // namespace
}  // namespace cuset_torch

namespace at {
using cuset_torch::CUDAHooks;
REGISTER_CUDA_HOOKS(CUDAHooks);
}  // namespace at
