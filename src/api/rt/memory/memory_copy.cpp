// acl/rt/memory_copy.h: copies (runtime-semantics 7.2). A count of 0 succeeds before any other check.
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/memory/async_copy.hpp"
#include "runtime/memory/indirect_copy.hpp"

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

// The condition is that the driver can distinguish pinned from pageable memory, which is always true here.
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

aclError aclrtGetMemcpyDescSize(aclrtMemcpyKind kind, size_t* descSize) {
  return guard(__func__, [&] {
    require(descSize, "descSize");
    runtime::check_copy_kind(kind);
    *descSize = sizeof(runtime::CopyDescription);
  });
}

aclError aclrtSetMemcpyDesc(void* desc, aclrtMemcpyKind kind, void* srcAddr, void* dstAddr, size_t count,
                            void* config) {
  return guard(__func__, [&] {
    require(desc, "desc");
    require(srcAddr, "srcAddr");
    require(dstAddr, "dstAddr");
    check(config == nullptr, Code::kInvalidParam, "config is {}; NULL is expected.", config);
    runtime::check_copy_kind(kind);
    runtime::write_description(desc, dstAddr, srcAddr, count);
  });
}

aclError aclrtMemcpyAsyncWithDesc(void* desc, aclrtMemcpyKind kind, aclrtStream stream) {
  return guard(__func__, [&] {
    require(desc, "desc");
    runtime::check_copy_kind(kind);
    runtime::copy_as_described(*own_stream_of(stream), desc);
  });
}

// The addresses are read from memory when the stream comes to the task (runtime/memory/indirect_copy.hpp).
aclError aclrtMemcpyAsyncWithOffset(void** dst, size_t destMax, size_t dstDataOffset, const void** src, size_t count,
                                    size_t srcDataOffset, aclrtMemcpyKind kind, aclrtStream stream) {
  return guard(__func__, [&] {
    if (count == 0) return;
    require(dst, "dst");
    require(src, "src");
    runtime::check_copy_kind(kind);
    runtime::copy_with_offset(*own_stream_of(stream), {dst, destMax, dstDataOffset, src, srcDataOffset, count, kind});
  });
}
