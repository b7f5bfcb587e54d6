#pragma once

#include <string>

namespace aclvk {

/// Returns the error of an ACLVK_* setting, such as: ACLVK_VALIDATION is "9"; expected a number from 0 to 3. Returns an
/// empty string for a valid value and for an empty one, which means the default.
std::string setting_error(const std::string& name, const std::string& text);

}  // namespace aclvk
