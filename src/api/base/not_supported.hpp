#pragma once

namespace aclvk::api {

/// Returns kFeatureNotSupported (207000) for a function that is not built, and stores a sentence that names it.
int not_supported(const char* function) noexcept;

}  // namespace aclvk::api
