#pragma once

namespace aclvk::runtime {

/// The visitor of std::visit made of several lambdas.
template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

template <typename Function, typename Kind>
struct ForKind {
  Function function;
  auto operator()(const Kind& kind) const { return function(kind); }
};

/// See alike().
template <typename Function, typename... Kinds>
struct Alike : ForKind<Function, Kinds>... {
  using ForKind<Function, Kinds>::operator()...;
};

/// Returns the part of an Overloaded that treats the listed kinds alike. Unlike a lambda with `const auto&`, it does
/// not accept other kinds, so that the visit of a variant with a further kind does not compile.
template <typename... Kinds, typename Function>
Alike<Function, Kinds...> alike(const Function& function) {
  return {ForKind<Function, Kinds>{function}...};
}

}  // namespace aclvk::runtime
