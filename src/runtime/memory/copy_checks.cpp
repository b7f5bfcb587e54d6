#include "base/error.hpp"
#include "runtime/memory/async_copy.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::runtime {
namespace {

// Limits of aclrtMemcpy2d and aclrtMemcpy2dAsync (runtime-semantics 7.2.4).
constexpr std::uint64_t kWidthLimit = 5'000'000;
constexpr std::uint64_t kHeightLimit = 5 * 1024 * 1024;

// aclrtMemcpyKind
constexpr int kHostToHost = 0;
constexpr int kDefault = 4;
constexpr int kHostToBufferToDevice = 5;

void check_pointer(const void* pointer, const char* name) {
  check(pointer != nullptr, Code::kInvalidParam, "{} is NULL.", name);
}

void check_limit(const char* name, std::uint64_t value, std::uint64_t limit) {
  check(value <= limit, Code::kParamInvalid, "{} {} exceeds the limit of {}.", name, value, limit);
}

}  // namespace

// A copy of 0 bytes succeeds before any other check, one onto itself after the checks of its arguments
// (runtime-semantics 7.2.1).
bool check_copy(const CopyArguments& copy) {
  if (copy.bytes == 0) return false;
  check_pointer(copy.dst, "dst");
  check_pointer(copy.src, "src");
  check(copy.kind >= kHostToHost && copy.kind <= kHostToBufferToDevice, Code::kInvalidParam,
        "Copy kind {} is not one of 0 to {}.", copy.kind, kHostToBufferToDevice);
  check(copy.bytes <= copy.dst_max, Code::kParamInvalid, "count {} exceeds destMax {} of the destination.", copy.bytes,
        copy.dst_max);
  return copy.dst != copy.src;
}

bool check_copy_2d(const Copy2dArguments& copy) {
  if (copy.width == 0 || copy.height == 0) return false;
  check_pointer(copy.dst, "dst");
  check_pointer(copy.src, "src");
  check(copy.width <= copy.dst_pitch, Code::kInvalidParam, "width {} exceeds dpitch {}.", copy.width, copy.dst_pitch);
  check(copy.width <= copy.src_pitch, Code::kInvalidParam, "width {} exceeds spitch {}.", copy.width, copy.src_pitch);
  check(copy.kind > kHostToHost && copy.kind <= kDefault, Code::kInvalidParam,
        "Copy kind {} is not one that copies rows; expected 1 to {}.", copy.kind, kDefault);
  check_limit("dpitch", copy.dst_pitch, kWidthLimit);
  check_limit("spitch", copy.src_pitch, kWidthLimit);
  check_limit("height", copy.height, kHeightLimit);
  return true;
}

bool check_fill(const FillArguments& fill) {
  if (fill.bytes == 0) return false;
  check_pointer(fill.dst, "devPtr");
  return true;
}

bool check_fill_words(const FillWordsArguments& fill) {
  if (fill.words == 0) return false;
  check_pointer(fill.dst, "ptr");
  check(reinterpret_cast<std::uintptr_t>(fill.dst) % 4 == 0, Code::kInvalidParam, "ptr {} is not a multiple of 4.",
        fill.dst);
  check(fill.words <= fill.dst_max / 4, Code::kInvalidParam, "{} words of 4 bytes exceed memSize {}.", fill.words,
        fill.dst_max);
  const Location::Kind kind = locate(fill.dst).kind;
  check(kind != Location::Kind::kPageable && kind != Location::Kind::kDead, Code::kInvalidParam,
        "ptr {} is {}; expected memory of aclrtMalloc or aclrtMallocHost.", fill.dst, name_of(kind));
  return true;
}

}  // namespace aclvk::runtime
