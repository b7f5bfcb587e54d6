#pragma once

#include <fmt/format.h>

#include <functional>
#include <string_view>

namespace aclvk::ops {

/// The base of a fmt::formatter for a type that kToText formats as text. Callers of check() pass objects themselves,
/// which are formatted only when the check fails.
template <auto kToText>
struct FormattedBy : fmt::formatter<std::string_view> {
  template <typename T, typename Context>
  auto format(const T& object, Context& context) const {
    return fmt::formatter<std::string_view>::format(std::invoke(kToText, object), context);
  }
};

}  // namespace aclvk::ops
