#pragma once

#include <string_view>

namespace aclvk {

/// Returns a copy of the text that is never freed: for names that outlive the object that owns them. Equal texts share
/// one copy, and programs use few names. Thread safe.
std::string_view intern(std::string_view text);

}  // namespace aclvk
