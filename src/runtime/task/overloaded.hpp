#pragma once

namespace aclvk::runtime {

/// The visitor of std::visit made of several lambdas.
template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace aclvk::runtime
