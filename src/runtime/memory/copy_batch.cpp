#include "runtime/memory/copy_batch.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/snapshot.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::runtime {
namespace {

void check_copies(const CopyBatch& batch) {
  for (std::size_t i = 0; i < batch.copies.size(); ++i) {
    const CopyArguments& copy = batch.copies[i];
    check(copy.dst && copy.src, Code::kInvalidParam, "dsts[{}] or srcs[{}] is NULL.", i, i);
    check(copy.bytes <= copy.dst_max, Code::kInvalidParam, "sizes[{}] {} exceeds destMaxs[{}] {}.", i, copy.bytes, i,
          copy.dst_max);
  }
  for (std::size_t i = 0; i < batch.attributes.size(); ++i) {
    check(batch.attributes[i].reserved_is_zero, Code::kInvalidParam,
          "A byte of attrs[{}].rsv is not 0; zeros are expected.", i);
  }
}

void check_attributes(const CopyBatch& batch) {
  const std::size_t copies = batch.copies.size();
  const std::vector<std::size_t>& indexes = batch.attribute_indexes;
  const std::size_t count = batch.attribute_count;
  check(count != 0 && count <= copies, Code::kParamInvalid, "{} attributes for {} copies; expected 1 to {}.", count,
        copies, copies);
  check(indexes.front() == 0, Code::kParamInvalid, "attrsIndexes[0] is {}; expected 0.", indexes.front());
  for (std::size_t i = 1; i < indexes.size(); ++i) {
    check(indexes[i] > indexes[i - 1] && indexes[i] < copies, Code::kParamInvalid,
          "attrsIndexes[{}] is {}; expected more than {} and less than {}.", i, indexes[i], indexes[i - 1], copies);
  }
}

// aclrtMemLocationType
constexpr int kHost = 0;
constexpr int kDevice = 1;
constexpr int kUnregistered = 2;

bool agrees(const DeclaredLocation& declared, const Location& real) {
  switch (real.kind) {
    case Location::Kind::kDevice: return declared.type == kDevice && declared.id == real.device;
    case Location::Kind::kPinned: return declared.type == kHost;
    case Location::Kind::kPageable: return declared.type == kHost || declared.type == kUnregistered;
    case Location::Kind::kManaged:
    case Location::Kind::kDead: break;
  }
  return false;
}

void check_location(const CopyArguments& copy, const BatchAttribute& attribute, std::size_t index) {
  const Location dst = locate(copy.dst);
  const Location src = locate(copy.src);
  check(dst.host() != src.host(), Code::kParamInvalid, "Copy {} goes from {} to {}; expected host to device or back.",
        index, name_of(src.kind), name_of(dst.kind));
  check(agrees(attribute.dst, dst) && agrees(attribute.src, src), Code::kParamInvalid,
        "Copy {} goes from {} to {}; its attribute says location types {} to {}.", index, name_of(src.kind),
        name_of(dst.kind), attribute.src.type, attribute.dst.type);
}

// A captured single copy may have pageable memory, because samples for older CANN versions rely on it; batches are
// newer.
void check_storable(const CopyArguments& copy, const Stream& stream, std::size_t index) {
  const auto pageable = [](const void* side) { return locate(side).kind == Location::Kind::kPageable; };
  check(!stores_copies(stream) || (!pageable(copy.dst) && !pageable(copy.src)), Code::kParamInvalid,
        "Copy {} has pageable memory on one side, and stream {} is captured; use memory of aclrtMallocHost.", index,
        stream.id);
}

const BatchAttribute& attribute_of(const CopyBatch& batch, std::size_t copy) {
  const auto next = std::upper_bound(batch.attribute_indexes.begin(), batch.attribute_indexes.end(), copy);
  return batch.attributes[static_cast<std::size_t>(next - batch.attribute_indexes.begin()) - 1];
}

void copy_one(const CopyArguments& copy, Stream* stream) {
  if (stream) return copy_in_stream(*stream, copy);
  const UnorderedCall under_way;
  copy_now(copy.dst, copy.src, copy.bytes);
}

}  // namespace

// The order of the checks is that of runtime-semantics 7.2.5.
void copy_batch(const CopyBatch& batch, Stream* stream, std::size_t& fail_index) {
  fail_index = kNoCopy;
  const auto empty = [](const CopyArguments& copy) { return copy.bytes == 0; };
  if (std::all_of(batch.copies.begin(), batch.copies.end(), empty)) return;
  check_copies(batch);
  check_attributes(batch);
  if (!stream) current_context()->captures.check_synchronous_call("aclrtMemcpyBatch");
  // All checks precede the first copy, so that a refused batch copies nothing.
  for (std::size_t i = 0; i < batch.copies.size(); ++i) {
    fail_index = i;
    check_location(batch.copies[i], attribute_of(batch, i), i);
    check(!stream || batch.copies[i].bytes != 0, Code::kParamInvalid, "sizes[{}] is 0; at least one byte is expected.",
          i);
    if (stream) check_storable(batch.copies[i], *stream, i);
  }
  for (std::size_t i = 0; i < batch.copies.size(); ++i) {
    fail_index = i;
    copy_one(batch.copies[i], stream);
  }
  fail_index = kNoCopy;
}

}  // namespace aclvk::runtime
