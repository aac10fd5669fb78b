#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "train/ranks/process_groups.h"

namespace cuset::train {

c10::intrusive_ptr<c10d::Backend> make_gloo_group(const GroupOptions& options) {
  using Gloo = c10d::ProcessGroupGloo;
  auto gloo = options.one_machine ? Gloo::Options::create(options.timeout)
                                  : Gloo::Options::create_default(options.timeout);
  if (options.one_machine) gloo->devices.push_back(Gloo::createDeviceForHostname("127.0.0.1"));
  return c10::make_intrusive<Gloo>(options.store, options.rank, options.size, gloo);
}

}  // namespace cuset::train
