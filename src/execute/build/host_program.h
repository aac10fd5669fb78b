// The host code of a program for the GPU as a program of its own: nvcc's objects, linked with the emulator's
// runtime in place of NVIDIA's. Started with CUSET_REMOTE_VARIABLE (emulator/device_account.h), it has its
// kernels run in another process, which has the GPU.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cuset::execute {

inline constexpr const char* kHostProgram = "host";        // beside the whole program
inline constexpr const char* kHostFault = "host.missing";  // in its place: why it could not be linked

struct HostLink {
  std::filesystem::path runtime;  // the folder of libcuset_emulator.so
  std::vector<std::string> objects;
  std::vector<std::string> linker_options;  // "--wrap=main"
};

// A source of ours: calls of CUDA's headers that the emulator's runtime has under the same name in another form.
// Its object lies beside the others.
inline constexpr const char* kHostAdapter = "cuset_host_adapter.cc";
extern const char* const kHostAdapterText;

std::vector<std::string> host_link_command(const HostLink& link);

// The names in a linker's message about functions that nobody defines, each once.
std::vector<std::string> undefined_functions(const std::string& messages);

// A source that defines them: whoever calls one ends as unsupported, and says which. Nothing where a name is that
// of C++.
std::optional<std::string> stand_ins_for(const std::vector<std::string>& functions);
inline constexpr const char* kStandInName = "cuset_stand_ins.cc";

}  // namespace cuset::execute
