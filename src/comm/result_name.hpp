#pragma once

namespace aclvk::comm {

/// Returns the name of an HcclResult; "unknown" for other numbers.
const char* name_of(int result);

}  // namespace aclvk::comm
