#pragma once

#include <string>

#include "hccl/hccl_types.h"

namespace aclvk::comm {

/// Returns a new HcclRootInfo, comparable to an ncclUniqueId: a prefix and 128 random bits. The program sends it to all
/// ranks, which derive the communicator's name from it. Throws kContextNull without a current context.
HcclRootInfo make_root_info();

/// Returns the random bits in hexadecimal. Throws HCCL_E_PARA for bytes that HcclGetRootInfo did not write.
std::string identity_of(const HcclRootInfo& info);

}  // namespace aclvk::comm
