#include "runtime/memory/indirect_copy.hpp"

#include "base/error.hpp"
#include "runtime/context/context.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/snapshot.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint64_t kMagic = 0x59504F434B564C41;  // "ALVKCOPY" in little endian
constexpr int kLastKind = 7;

std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// The address is in device or pinned memory, which the host may have to read through the device.
std::byte* read_address(const void* location, const char* what) {
  std::byte* address = nullptr;
  copy_now(&address, location, sizeof(address));
  check(address != nullptr, Code::kParamInvalid, "The address of the {} of a copy, read from {}, is NULL.", what,
        location);
  return address;
}

}  // namespace

void check_copy_kind(int kind) {
  check(kind >= 0 && kind <= kLastKind, Code::kInvalidParam, "Copy kind {} is not one of 0 to {}.", kind, kLastKind);
}

void copy_with_offset(Stream& stream, const OffsetCopy& copy) {
  check(copy.bytes <= copy.dst_max, Code::kParamInvalid, "count {} exceeds destMax {} of the destination.", copy.bytes,
        copy.dst_max);
  stream.resolve(copy.dst, sizeof(void*), "dst");
  stream.resolve(copy.src, sizeof(void*), "src");
  stream.host_copy([copy] {
    std::byte* dst = read_address(copy.dst, "destination");
    const std::byte* src = read_address(copy.src, "source");
    copy_now(dst + copy.dst_offset, src + copy.src_offset, copy.bytes);
  });
}

void write_description(void* description, void* dst, const void* src, std::uint64_t bytes) {
  current_context()->captures.check_synchronous_call("aclrtSetMemcpyDesc");
  const CopyDescription content{kMagic, number(dst), number(src), bytes};
  const UnorderedCall under_way;
  copy_now(description, &content, sizeof(content));
}

void copy_as_described(Stream& stream, const void* description) {
  stream.resolve(description, sizeof(CopyDescription), "desc");
  stream.host_copy([description] {
    CopyDescription copy;
    copy_now(&copy, description, sizeof(copy));
    check(copy.magic == kMagic, Code::kParamInvalid, "{} holds no description of aclrtSetMemcpyDesc.", description);
    copy_now(reinterpret_cast<void*>(copy.dst), reinterpret_cast<const void*>(copy.src), copy.bytes);
  });
}

}  // namespace aclvk::runtime
