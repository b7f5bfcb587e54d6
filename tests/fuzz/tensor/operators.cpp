#include "tensor/operators.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "aclnnop_all.h"
#include "finding.hpp"

namespace aclvk::fuzz {
namespace {

/// An argument of any type, as bytes: so that there is little to instantiate for each of a thousand signatures.
struct Slot {
  alignas(8) std::uint8_t bytes[8];
};

template <typename T>
Slot slot(Arguments& from, Planned& planned) {
  Slot made{};
  if constexpr (std::is_same_v<T, std::uint64_t*>) {
    auto* const place = &planned.workspace_bytes;
    std::memcpy(made.bytes, &place, sizeof(place));
  } else if constexpr (std::is_same_v<T, aclOpExecutor**>) {
    auto* const place = &planned.executor;
    std::memcpy(made.bytes, &place, sizeof(place));
  } else {
    const T value = argument<T>(from);
    from.next();
    std::memcpy(made.bytes, &value, sizeof(value));
  }
  return made;
}

template <typename T>
T value_of(const Slot& slot) {
  T value;
  std::memcpy(&value, slot.bytes, sizeof(value));
  return value;
}

template <typename... All, std::size_t... I>
aclnnStatus call_with(aclnnStatus (*plan)(All...), const Slot* slots, std::index_sequence<I...>) {
  return plan(value_of<All>(slots[I])...);
}

template <typename Function>
struct Caller;

template <typename... All>
struct Caller<aclnnStatus(All...)> {
  static Planned call(Operator::Plan plan, Arguments& from) {
    Planned planned;
    const Slot slots[] = {slot<All>(from, planned)...};  // braces: in the order of the parameters
    planned.code = call_with(reinterpret_cast<aclnnStatus (*)(All...)>(plan), slots, std::index_sequence_for<All...>{});
    return planned;
  }
};

std::uint16_t number_of(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return static_cast<std::uint16_t>(hash >> 16 ^ hash);
}

struct Declared {
  const char* name;
  std::uint64_t written;
  Planned (*call)(Operator::Plan, Arguments&);
};

constexpr Declared kDeclared[] = {
#define OPERATOR(function, written) {#function, written, &Caller<decltype(function##GetWorkspaceSize)>::call},
#include "fuzz_operators.inc"
#undef OPERATOR
};

// Which operators are built is known from the library's symbols.
std::vector<Operator> find_operators() {
  std::vector<Operator> found;
  for (const Declared& declared : kDeclared) {
    const std::string name = declared.name;
    void* const plan = dlsym(RTLD_DEFAULT, (name + "GetWorkspaceSize").c_str());
    void* const launch = dlsym(RTLD_DEFAULT, name.c_str());
    if (!plan || !launch) continue;
    found.push_back({name, declared.written, number_of(name), reinterpret_cast<Operator::Plan>(plan),
                     reinterpret_cast<Operator::Launch>(launch), declared.call});
  }
  std::sort(found.begin(), found.end(), [](const Operator& a, const Operator& b) {
    return std::tie(a.number, a.name) < std::tie(b.number, b.name);
  });
  expect(!found.empty(), "The library has no operators.");
  return found;
}

}  // namespace

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = find_operators();
  return all;
}

const Operator& operator_at(std::uint16_t number) {
  const auto found = std::lower_bound(operators().begin(), operators().end(), number,
                                      [](const Operator& one, std::uint16_t wanted) { return one.number < wanted; });
  return found == operators().end() ? operators().front() : *found;
}

}  // namespace aclvk::fuzz
