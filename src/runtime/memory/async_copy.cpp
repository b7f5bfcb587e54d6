#include "runtime/memory/async_copy.hpp"

#include "base/error.hpp"
#include "runtime/context/context.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/snapshot.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::runtime {
namespace {

constexpr int kDeviceToDevice = 3;

void check_synchronous_call(const char* what) { current_context()->captures.check_synchronous_call(what); }

void check_fits(const FillArguments& fill, Code code) {
  check(fill.bytes <= fill.dst_max, code, "count {} exceeds maxCount {} of the destination.", fill.bytes, fill.dst_max);
}

/// Returns whether the stream's device can access the bytes in place.
bool is_reachable(const Stream& stream, const void* pointer, std::uint64_t bytes) {
  return stream.device().find(pointer, bytes).has_value();
}

/// The two ends of an asynchronous copy: addresses, extents and locations.
struct Endpoints {
  Endpoints(void* to_pointer, const Extent& to_extent, const void* from_pointer, const Extent& from_extent)
      : dst(to_pointer),
        src(from_pointer),
        dst_extent(to_extent),
        src_extent(from_extent),
        to(locate(to_pointer)),
        from(locate(from_pointer)) {}

  bool reachable_from(const Stream& stream) const {
    return is_reachable(stream, dst, dst_extent.bytes()) && is_reachable(stream, src, src_extent.bytes());
  }
  bool pageable() const { return to.kind == Location::Kind::kPageable || from.kind == Location::Kind::kPageable; }

  void check_kinds() const {
    check(!to.host() || !from.host(), Code::kFeatureNotSupported,
          "Both sides of the asynchronous copy are host memory ({} to {}); use aclrtMemcpy.", name_of(from.kind),
          name_of(to.kind));
  }
  void check_accessible() const {
    runtime::check_accessible(dst, dst_extent, "Destination", HostAccess::kWrite);
    runtime::check_accessible(src, src_extent, "Source", HostAccess::kRead);
  }

  void* dst;
  const void* src;
  Extent dst_extent;
  Extent src_extent;
  Location to;
  Location from;
};

/// Synchronises the stream, because the copy cannot be one of its tasks: one end is pageable memory or on another
/// device. Throws for a captured stream.
void drain(Stream& stream, const Endpoints& endpoints) {
  check(!stores_copies(stream), Code::kParamInvalid,
        "Stream {} is captured, and the copy from {} to {} cannot be one of its tasks; use memory of aclrtMallocHost "
        "and of the stream's own device.",
        stream.id, name_of(endpoints.from.kind), name_of(endpoints.to.kind));
  if (endpoints.pageable()) context_of(stream)->captures.check_pageable_copy();
  stream.synchronize();
}

bool is_device(const void* pointer) { return locate(pointer).kind == Location::Kind::kDevice; }

}  // namespace

bool stores_copies(const Stream& stream) { return !stream.executes() && !stream.bound(); }

void copy_synchronously(const CopyArguments& copy) {
  check_synchronous_call("aclrtMemcpy");
  const UnorderedCall under_way;
  copy_now(copy.dst, copy.src, copy.bytes);
}

void copy_2d_synchronously(const Copy2dArguments& copy) {
  check(copy.kind != kDeviceToDevice, Code::kFeatureNotSupported,
        "aclrtMemcpy2d does not copy from device to device; use aclrtMemcpy2dAsync.");
  check_synchronous_call("aclrtMemcpy2d");
  check(!is_device(copy.dst) || !is_device(copy.src), Code::kParamInvalid,
        "Both sides are device memory, which aclrtMemcpy2d does not copy; use aclrtMemcpy2dAsync.");
  const UnorderedCall under_way;
  copy_2d_now(copy.dst, copy.dst_pitch, copy.src, copy.src_pitch, copy.width, copy.height);
}

void fill_synchronously(const FillArguments& fill) {
  check_synchronous_call("aclrtMemset");
  check_fits(fill, Code::kParamInvalid);
  const UnorderedCall under_way;
  fill_now(fill.dst, static_cast<std::uint8_t>(fill.value), fill.bytes);
}

void fill_words_synchronously(const FillWordsArguments& fill) {
  check_has_context();
  const UnorderedCall under_way;
  fill_words_now(fill.dst, fill.value, fill.words);
}

// Three cases: a task on the device where it can access both ends; on a captured stream a task that copies pageable
// memory on the host; otherwise a blocking copy after the stream has been synchronised.
void copy_in_stream(Stream& stream, const CopyArguments& copy) {
  const Endpoints endpoints(copy.dst, {copy.bytes}, copy.src, {copy.bytes});
  endpoints.check_kinds();
  if (endpoints.reachable_from(stream)) return stream.copy(copy.dst, copy.src, copy.bytes);
  endpoints.check_accessible();
  if (stores_copies(stream) && endpoints.pageable()) return stream.copy_pageable(copy.dst, copy.src, copy.bytes);
  drain(stream, endpoints);
  const UnorderedCall under_way;
  copy_now(copy.dst, copy.src, copy.bytes);
}

void copy_2d_in_stream(Stream& stream, const Copy2dArguments& copy) {
  const auto rows = [&](std::uint64_t pitch) { return Extent{copy.width, copy.height, pitch}; };
  const Endpoints endpoints(copy.dst, rows(copy.dst_pitch), copy.src, rows(copy.src_pitch));
  endpoints.check_kinds();
  if (endpoints.reachable_from(stream)) {
    return stream.copy_2d(copy.dst, copy.dst_pitch, copy.src, copy.src_pitch, copy.width, copy.height);
  }
  endpoints.check_accessible();
  drain(stream, endpoints);
  const UnorderedCall under_way;
  copy_2d_now(copy.dst, copy.dst_pitch, copy.src, copy.src_pitch, copy.width, copy.height);
}

void fill_in_stream(Stream& stream, const FillArguments& fill) {
  const auto value = static_cast<std::uint8_t>(fill.value);
  if (locate(fill.dst).host()) {
    check_fits(fill, Code::kRuntimeInternal);
    const UnorderedCall under_way;
    fill_now(fill.dst, value, fill.bytes);
  } else {
    check_fits(fill, Code::kParamInvalid);
    stream.fill(fill.dst, value, fill.bytes);
  }
}

void fill_words_in_stream(Stream& stream, const FillWordsArguments& fill) {
  stream.fill_words(fill.dst, fill.value, fill.words);
}

}  // namespace aclvk::runtime
