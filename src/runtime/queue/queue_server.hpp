#pragma once

namespace aclvk::runtime {

/// Starts the server for the queues of this process at the first call: a thread that listens for calls of other
/// processes of the user, and a thread for each call while it lasts. Throws kResourceAllocation.
void serve_queues();

}  // namespace aclvk::runtime
