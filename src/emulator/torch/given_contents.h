// Which memory of the device holds nothing but what the host brought there and what PyTorch made of that: no kernel of the
// program's own had a part in it. Content decides, not addresses, since nobody tells which memory a kernel writes: 64 numbers of
// a whole storage are compared with those of the storages that are known. A copy by an own kernel is what it copies, and of
// data from the host so is one that was scaled or shifted: that is no work.
//
// Part of cuda_backend.cc.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/stack.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <unordered_set>
#include <vector>

namespace cuset_torch {

inline bool fills_its_storage(const at::Tensor& tensor) {
  return tensor.numel() * tensor.element_size() == tensor.storage().nbytes();
}

class GivenContents {
 public:
  // `tensor` lies in memory of the device, which is open. The host's numbers are given.
  bool contains(const at::Tensor& tensor) const {
    if (!tensor.defined() || !tensor.is_cuda() || !tensor.has_storage()) return true;
    const Contents contents = contents_of(tensor);
    if (contents.count == 0 || known_.count(digest_of(contents)) != 0) return true;
    for (const Contents& original : from_host_) {
      if (is_form_of(original, contents)) return true;
    }
    return false;
  }
  void add(const at::Tensor& tensor) { known_.insert(digest_of(contents_of(tensor))); }
  void add_from_host(const at::Tensor& tensor) {
    const Contents contents = contents_of(tensor);
    if (known_.insert(digest_of(contents)).second && contents.is_real && contents.count >= kSamples)
      from_host_.push_back(contents);
  }

 private:
  static constexpr uint64_t kSamples = 64;
  static constexpr size_t kAlike = 48;  // of these; the others may have been changed

  struct Contents {
    uint64_t count = 0;
    bool is_real = false;
    std::array<double, kSamples> samples{};
  };

  // The finalizer of splitmix64.
  static uint64_t mixed(uint64_t word) {
    word += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
  }

  static double number_at(const void* memory, at::ScalarType type, uint64_t place) {
    switch (type) {
      case at::kFloat:
        return static_cast<const float*>(memory)[place];
      case at::kDouble:
        return static_cast<const double*>(memory)[place];
      case at::kHalf:
        return static_cast<float>(static_cast<const at::Half*>(memory)[place]);
      case at::kBFloat16:
        return static_cast<float>(static_cast<const at::BFloat16*>(memory)[place]);
      case at::kLong:
        return static_cast<double>(static_cast<const int64_t*>(memory)[place]);
      case at::kInt:
        return static_cast<const int32_t*>(memory)[place];
      default:
        return static_cast<const uint8_t*>(memory)[place * at::elementSize(type)];
    }
  }

  static Contents contents_of(const at::Tensor& tensor) {
    Contents contents;
    if (tensor.numel() == 0 || !tensor.has_storage()) return contents;
    contents.count = tensor.storage().nbytes() / tensor.element_size();
    contents.is_real = tensor.is_floating_point();
    const void* const memory = tensor.storage().data();
    for (uint64_t i = 0; i < kSamples; ++i) {
      const uint64_t place =
          contents.count <= kSamples ? i % contents.count : mixed(i + contents.count) % contents.count;
      contents.samples[i] = number_at(memory, tensor.scalar_type(), place);
    }
    return contents;
  }

  static uint64_t digest_of(const Contents& contents) {
    uint64_t digest = contents.count;
    for (const double sample : contents.samples) {
      uint64_t bits = 0;
      std::memcpy(&bits, &sample, sizeof bits);
      digest = mixed(digest ^ bits);
    }
    return digest;
  }

  // Whether most of `form` is `original`, scaled and shifted alike.
  static bool is_form_of(const Contents& original, const Contents& form) {
    if (original.count != form.count || !form.is_real) return false;
    size_t low = 0, high = 0;
    for (size_t i = 1; i < kSamples; ++i) {
      if (original.samples[i] < original.samples[low]) low = i;
      if (original.samples[i] > original.samples[high]) high = i;
    }
    const double width = original.samples[high] - original.samples[low];
    const double scale = (form.samples[high] - form.samples[low]) / width;
    if (!std::isfinite(scale) || scale == 0) return false;
    size_t alike = 0;
    for (size_t i = 0; i < kSamples; ++i) {
      const double expected = form.samples[low] + scale * (original.samples[i] - original.samples[low]);
      if (std::abs(form.samples[i] - expected) <= 1e-5 * std::abs(scale) * width) ++alike;
    }
    return alike >= kAlike;
  }

  std::unordered_set<uint64_t> known_;
  std::vector<Contents> from_host_;
};

// Of this process, as far as operations were seen.
inline GivenContents& given_contents() {
  static GivenContents& instance = *new GivenContents;
  return instance;
}

// Operations that overwrite all of the tensor that they change, whatever it held.
inline bool overwrites_all(const std::string& name) {
  for (const char* known : {"aten::zero_", "aten::fill_", "aten::normal_", "aten::uniform_", "aten::random_",
                            "aten::exponential_", "aten::bernoulli_", "aten::log_normal_"}) {
    if (name == known) return true;
  }
  return false;
}

// Whether all that an operation reads is given; `stack` ends with its arguments.
inline bool has_given_arguments(const c10::FunctionSchema& schema, const torch::jit::Stack& stack) {
  const size_t first = stack.size() - schema.arguments().size();
  if (overwrites_all(schema.name()) && fills_its_storage(stack[first].toTensor())) return true;
  const auto is_given = [](const at::Tensor& tensor) { return given_contents().contains(tensor); };
  for (size_t i = first; i < stack.size(); ++i) {
    const c10::IValue& value = stack[i];
    if (schema.arguments()[i - first].is_out()) continue;  // only written to
    if (value.isTensor() && !is_given(value.toTensor())) return false;
    if (!value.isTensorList()) continue;
    const std::vector<at::Tensor> list = value.toTensorVector();
    if (!std::all_of(list.begin(), list.end(), is_given)) return false;
  }
  return true;
}

// The same for a copy, before it is made.
inline bool is_given_copy(const at::Tensor& to, const at::Tensor& from) {
  return to.is_cuda() && (fills_its_storage(to) || given_contents().contains(to)) &&
         given_contents().contains(from);
}

inline void add_copy(const at::Tensor& to, const at::Tensor& from) {
  from.is_cuda() ? given_contents().add(to) : given_contents().add_from_host(to);
}

// What an operation with given arguments has made, in memory of the device.
inline void add_results(const c10::FunctionSchema& schema, const c10::IValue& result) {
  const bool has_out = !schema.arguments().empty() && schema.arguments().back().is_out();
  const auto add = [&](const at::Tensor& tensor) {
    const bool is_whole = tensor.defined() && tensor.is_cuda() && tensor.has_storage() &&
                          (!has_out || fills_its_storage(tensor));
    if (is_whole) given_contents().add(tensor);
  };
  if (result.isTensor()) add(result.toTensor());
  if (!result.isTensorList()) return;
  for (const at::Tensor& tensor : result.toTensorVector()) add(tensor);
}

}  // namespace cuset_torch
