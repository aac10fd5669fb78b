// NVTX's C++ interface: ranges and marks for a profiler, of which the CPU executor has none.
#pragma once

#include "nvtx3/nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {

namespace domain {
struct global {};
}  // namespace domain

struct rgb {
  template <class... Parts>
  explicit constexpr rgb(Parts...) {}
};
struct argb {
  template <class... Parts>
  explicit constexpr argb(Parts...) {}
};
struct color {
  template <class Value>
  constexpr color(const Value&) {}
};
struct category {
  explicit constexpr category(uint32_t) {}
};
struct payload {
  template <class Value>
  explicit constexpr payload(Value) {}
};
struct message {
  template <class Text>
  constexpr message(const Text&) {}
};

struct event_attributes {
  template <class... Attributes>
  explicit event_attributes(const Attributes&...) {}
};

struct range_handle {};

template <class Domain = domain::global>
struct registered_string_in {
  template <class Text>
  explicit registered_string_in(const Text&) {}
};
using registered_string = registered_string_in<>;

template <class Domain = domain::global>
struct scoped_range_in {
  template <class... Attributes>
  explicit scoped_range_in(const Attributes&...) {}
  ~scoped_range_in() {}  // so that nobody is warned of an unused variable
  scoped_range_in(const scoped_range_in&) = delete;
};
using scoped_range = scoped_range_in<>;

template <class Domain = domain::global>
struct unique_range_in {
  template <class... Attributes>
  explicit unique_range_in(const Attributes&...) {}
  ~unique_range_in() {}
  unique_range_in(unique_range_in&&) = default;
};
using unique_range = unique_range_in<>;

template <class Domain = domain::global, class... Attributes>
void mark_in(const Attributes&...) {}
template <class... Attributes>
void mark(const Attributes&...) {}
template <class Domain = domain::global, class... Attributes>
range_handle start_range_in(const Attributes&...) {
  return {};
}
template <class... Attributes>
range_handle start_range(const Attributes&...) {
  return {};
}
template <class Domain = domain::global>
void end_range_in(range_handle) {}
inline void end_range(range_handle) {}

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_FUNC_RANGE()
#define NVTX3_FUNC_RANGE_IN(domain)
#define NVTX3_FUNC_RANGE_IF(condition)
