#pragma once

#include <string_view>

namespace aclvk {

/// The same text, somewhere where it lives for ever: for names that outlive the object that brought them. Programs have
/// few names, so nothing is ever taken back. Thread safe.
std::string_view intern(std::string_view text);

}  // namespace aclvk
