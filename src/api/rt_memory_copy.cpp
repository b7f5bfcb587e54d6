#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "runtime/async_copy.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind) {
  return guard(__func__, [&] {
    const runtime::CopyArguments copy{dst, destMax, src, count, kind};
    if (runtime::check_copy(copy)) runtime::copy_synchronously(copy);
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream) {
  return guard(__func__, [&] {
    const runtime::CopyArguments copy{dst, destMax, src, count, kind};
    if (runtime::check_copy(copy)) runtime::copy_in_stream(*own_stream_of(stream), copy);
  });
}

// The condition is whether the driver can tell pinned from pageable memory. This one always can.
aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
                                       aclrtStream stream) {
  return guard(__func__, [&] {
    const runtime::CopyArguments copy{dst, destMax, src, count, kind};
    if (runtime::check_copy(copy)) runtime::copy_in_stream(*own_stream_of(stream), copy);
  });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind) {
  return guard(__func__, [&] {
    const runtime::Copy2dArguments copy{dst, dpitch, src, spitch, width, height, kind};
    if (runtime::check_copy_2d(copy)) runtime::copy_2d_synchronously(copy);
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream) {
  return guard(__func__, [&] {
    const runtime::Copy2dArguments copy{dst, dpitch, src, spitch, width, height, kind};
    if (runtime::check_copy_2d(copy)) runtime::copy_2d_in_stream(*own_stream_of(stream), copy);
  });
}
