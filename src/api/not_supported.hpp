#pragma once

namespace aclvk::api {

/// The answer of a function that is not built: 207000, with a sentence that names it.
int not_supported(const char* function) noexcept;

}  // namespace aclvk::api
