#pragma once

#include <string>

namespace aclvk {

/// What is wrong with a setting of ACLVK_*: "ACLVK_VALIDATION is "9"; expected 0 to 3." Empty when there is nothing:
/// those that are not set, or are empty, have their defaults.
std::string setting_error(const std::string& name, const std::string& text);

}  // namespace aclvk
