#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// True when the first and the last byte of the range are readable memory of this process. The kernel is asked, so that
/// a wrong pointer gives a code instead of a crash. True also where the kernel does not answer such questions.
bool host_readable(const void* pointer, std::uint64_t bytes);

}  // namespace aclvk::runtime
