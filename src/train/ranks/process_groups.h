// The two ways in which ranks exchange tensors, both as c10d::Backend: Gloo over TCP for tensors in main
// memory, NCCL for tensors on GPUs. Each lives in a source of its own, since their headers are particular.
#pragma once

#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <string>

namespace cuset::train {

struct GroupOptions {
  c10::intrusive_ptr<c10d::Store> store;
  int rank = 0;
  int size = 1;
  std::chrono::milliseconds timeout;
  bool one_machine = false;  // Gloo uses the loopback device; else GLOO_SOCKET_IFNAME's or the host name's
};

// Connects to every rank. Throws what c10d throws.
c10::intrusive_ptr<c10d::Backend> make_gloo_group(const GroupOptions& options);

// Whether this program was built with NCCL.
bool has_nccl();

// A name of GPU `device` that no other GPU of any machine has for NCCL; empty without NCCL.
std::string gpu_identity(int device);

// Throws what c10d throws, and Error without NCCL. The communicator itself is made by the first collective.
c10::intrusive_ptr<c10d::Backend> make_nccl_group(const GroupOptions& options);

}  // namespace cuset::train
