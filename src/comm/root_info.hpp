#pragma once

#include <string>

#include "hccl/hccl_types.h"

namespace aclvk::comm {

/// What HcclGetRootInfo gives and the program carries to all ranks: a mark, and 128 random bits from which all ranks
/// derive the communicator's name. Needs a context (kContextNull).
HcclRootInfo make_root_info();

/// The random bits in hexadecimal. Throws HCCL_E_PARA for bytes that HcclGetRootInfo did not write.
std::string identity_of(const HcclRootInfo& info);

}  // namespace aclvk::comm
