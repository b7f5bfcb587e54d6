#pragma once

namespace aclvk::runtime {

/// From the first call on, processes of the same user reach the queues of this one, as far as they have been granted
/// rights. A thread listens, and one serves each call while it lasts. Throws kResourceAllocation.
void serve_queues();

}  // namespace aclvk::runtime
