// acl/rt/memory_copy_batch.h: many copies in one call (runtime-semantics 7.2.5).
#include <algorithm>
#include <iterator>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/memory/copy_batch.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

struct Arrays {
  void** dsts;
  size_t* dest_maxs;
  void** srcs;
  size_t* sizes;
  size_t count;
  aclrtMemcpyBatchAttr* attributes;
  size_t* attribute_indexes;
  size_t attribute_count;
};

runtime::DeclaredLocation declared(const aclrtMemLocation& location) { return {location.type, location.id}; }

runtime::BatchAttribute attribute_of(const aclrtMemcpyBatchAttr& attribute) {
  const bool zero =
      std::all_of(std::begin(attribute.rsv), std::end(attribute.rsv), [](uint8_t byte) { return byte == 0; });
  return {declared(attribute.dstLoc), declared(attribute.srcLoc), zero};
}

runtime::CopyBatch batch_of(const Arrays& arrays) {
  require(arrays.dsts, "dsts");
  require(arrays.dest_maxs, "destMaxs");
  require(arrays.srcs, "srcs");
  require(arrays.sizes, "sizes");
  require(arrays.attributes, "attrs");
  require(arrays.attribute_indexes, "attrsIndexes");
  check(arrays.count != 0, Code::kInvalidParam, "numBatches is 0; at least one copy is expected.");
  // The arrays are not read: a number above the limit is hardly their length.
  check(arrays.count <= runtime::kMaxCopies, Code::kParamInvalid, "numBatches is {}; 1 to {} is expected.",
        arrays.count, runtime::kMaxCopies);
  runtime::CopyBatch batch;
  for (size_t i = 0; i < arrays.count; ++i) {
    batch.copies.push_back({arrays.dsts[i], arrays.dest_maxs[i], arrays.srcs[i], arrays.sizes[i], ACL_MEMCPY_DEFAULT});
  }
  // More attributes than copies are refused by the runtime; those in excess are not read.
  const size_t readable = std::min(arrays.attribute_count, arrays.count);
  std::transform(arrays.attributes, arrays.attributes + readable, std::back_inserter(batch.attributes), attribute_of);
  batch.attribute_indexes.assign(arrays.attribute_indexes, arrays.attribute_indexes + readable);
  batch.attribute_count = arrays.attribute_count;
  return batch;
}

}  // namespace

aclError aclrtMemcpyBatch(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                          aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs, size_t* failIndex) {
  return guard(__func__, [&] {
    require(failIndex, "failIndex");
    *failIndex = runtime::kNoCopy;
    const auto batch = batch_of({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs});
    runtime::copy_batch(batch, nullptr, *failIndex);
  });
}

aclError aclrtMemcpyBatchV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                            aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs) {
  return guard(__func__, [&] {
    size_t fail_index = 0;
    const auto batch = batch_of({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs});
    runtime::copy_batch(batch, nullptr, fail_index);
  });
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                               aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs, size_t* failIndex,
                               aclrtStream stream) {
  return guard(__func__, [&] {
    require(failIndex, "failIndex");
    *failIndex = runtime::kNoCopy;
    const auto batch = batch_of({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs});
    runtime::copy_batch(batch, own_stream_of(stream).get(), *failIndex);
  });
}

aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* destMaxs, void** srcs, size_t* sizes, size_t numBatches,
                                 aclrtMemcpyBatchAttr* attrs, size_t* attrsIndexes, size_t numAttrs,
                                 aclrtStream stream) {
  return guard(__func__, [&] {
    size_t fail_index = 0;
    const auto batch = batch_of({dsts, destMaxs, srcs, sizes, numBatches, attrs, attrsIndexes, numAttrs});
    runtime::copy_batch(batch, own_stream_of(stream).get(), fail_index);
  });
}
