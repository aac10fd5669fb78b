// The names of Gloo's types that LibTorch's ProcessGroupGloo.hpp mentions.
//
// LibTorch's packages contain Gloo in compiled form but not its headers, without which that header does not
// compile. It holds these types behind pointers only, so their names suffice to make and destroy a
// ProcessGroupGloo, whose own layout and virtual functions are LibTorch's. Nothing here is ever called or
// derived from by our code: the calls go through c10d::Backend.
// CMakeLists.txt puts this file in the place of <gloo/...> where the real headers are missing.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace gloo {

class Context {
 public:
  void setTimeout(std::chrono::milliseconds timeout);
};

namespace rendezvous {
class Store {
 public:
  virtual ~Store() = default;
  virtual void set(const std::string& key, const std::vector<char>& data) = 0;
  virtual std::vector<char> get(const std::string& key) = 0;
  virtual void wait(const std::vector<std::string>& keys) = 0;
  virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) = 0;
};
}  // namespace rendezvous

namespace transport {
class Device;
class UnboundBuffer;
}  // namespace transport

}  // namespace gloo
