// acl/rt/memory_set.h: fills and reductions in memory (runtime-semantics 7.2.6, 7.7).
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "ops/builtin/reduce.hpp"
#include "runtime/memory/async_copy.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  return guard(__func__, [&] {
    const runtime::FillArguments fill{devPtr, maxCount, value, count};
    if (runtime::check_fill(fill)) runtime::fill_synchronously(fill);
  });
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream) {
  return guard(__func__, [&] {
    const runtime::FillArguments fill{devPtr, maxCount, value, count};
    if (runtime::check_fill(fill)) runtime::fill_in_stream(*own_stream_of(stream), fill);
  });
}

aclError aclrtMemsetD32(void* ptr, size_t memSize, uint32_t value, size_t N) {
  return guard(__func__, [&] {
    const runtime::FillWordsArguments fill{ptr, memSize, value, N};
    if (runtime::check_fill_words(fill)) runtime::fill_words_synchronously(fill);
  });
}

aclError aclrtMemsetD32Async(void* ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream) {
  return guard(__func__, [&] {
    const runtime::FillWordsArguments fill{ptr, memSize, value, N};
    if (runtime::check_fill_words(fill)) runtime::fill_words_in_stream(*own_stream_of(stream), fill);
  });
}

// The checks of `type` precede those of the stream; the order is the documented one.
aclError aclrtReduceAsync(void* dst, const void* src, uint64_t count, aclrtReduceKind kind, aclDataType type,
                          aclrtStream stream, void* reserve) {
  return guard(__func__, [&] {
    require(dst, "dst");
    require(src, "src");
    check(reserve == nullptr, Code::kInvalidParam, "reserve is {}; NULL is expected.", reserve);
    ops::check_reducible(type);
    ops::reduce_in_stream(*own_stream_of(stream), {dst, src, count, kind, type});
  });
}
