#include "runtime/memory/memory_queries.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "runtime/context/current.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/memory/memory.hpp"

namespace aclvk::runtime {
namespace {

// aclrtAtomicOperationCapability
constexpr std::uint32_t kSigned = 1;
constexpr std::uint32_t kUnsigned = 2;
constexpr std::uint32_t kScalar32 = 32;

// aclrtAtomicOperation. GLSL has those from ADD to CAS on integers, except INCREMENT and DECREMENT.
constexpr int kIncrement = 3;
constexpr int kDecrement = 4;
constexpr int kCas = 9;

void check_operation(int operation) {
  const auto inside = [operation](int first, int last) { return operation >= first && operation <= last; };
  check(inside(0, 12) || inside(30, 32) || inside(40, 44), Code::kParamInvalid,
        "Atomic operation {} is unknown; expected 0 to 12, 30 to 32 or 40 to 44.", operation);
}

bool shaders_have(int operation) {
  return operation >= 0 && operation <= kCas && operation != kIncrement && operation != kDecrement;
}

}  // namespace

std::vector<UsageRow> memory_usage(std::int32_t id) {
  const vk::Memory& memory = device(id)->memory();
  return {{"allocations", memory.usage(vk::MemoryCategory::kAllocations)},
          {"pools", memory.usage(vk::MemoryCategory::kPools)}};
}

bool all_of_type(const std::vector<const void*>& pointers, std::uint32_t mask) {
  constexpr std::uint32_t kDevice = 0x2;
  constexpr std::uint32_t kKnown = 0x1A;  // DEV, DVPP and RSVD; memory of the last two kinds does not exist here
  check(mask != 0 && (mask & ~kKnown) == 0, Code::kParamInvalid,
        "memType {:#x} is not made of DEV (0x2), DVPP (0x8) and RSVD (0x10).", mask);
  if ((mask & kDevice) == 0) return false;
  return std::all_of(pointers.begin(), pointers.end(), [](const void* pointer) {
    const Location::Kind kind = locate(pointer).kind;
    return kind == Location::Kind::kDevice || kind == Location::Kind::kManaged;
  });
}

// All devices can access pinned memory; registered memory only where they can import it. The units that exist are those
// that stand for compute and copies of a GPU.
bool unit_reaches_host(std::int32_t id, int unit) {
  constexpr int kStars = 0;
  constexpr int kAic = 2;
  constexpr int kAiv = 3;
  constexpr int kPcieDma = 4;
  constexpr int kSdma = 6;
  constexpr int kLast = 9;
  check_device_id(id);
  check(unit >= kStars && unit <= kLast, Code::kParamInvalid, "hacType {} is unknown; expected {} to {}.", unit, kStars,
        kLast);
  const bool exists = unit == kStars || unit == kAic || unit == kAiv || unit == kPcieDma || unit == kSdma;
  return exists && device(id)->memory().imports_host();
}

// Vulkan does not specify atomic operations across a bus. Where host and device share memory, those of shaders work.
std::uint32_t host_atomics(std::int32_t id, int operation) {
  check_operation(operation);
  const vk::DeviceKind kind = device_info(id).kind;
  const bool shares_memory = kind == vk::DeviceKind::kCpu || kind == vk::DeviceKind::kIntegrated;
  return shares_memory && shaders_have(operation) ? kSigned | kUnsigned | kScalar32 : 0;
}

// A shader can access the memory of its own device only.
std::uint32_t peer_atomics(std::int32_t id, std::int32_t peer, int operation) {
  check_operation(operation);
  check_device_id(id);
  check_device_id(peer);
  return id == peer && shaders_have(operation) ? kSigned | kUnsigned | kScalar32 : 0;
}

void refuse_peer_mapping(const void* pointer, std::uint64_t bytes, std::int32_t peer) {
  check_device_id(peer);
  const std::uint32_t current = current_context()->device().id;
  check(static_cast<std::uint32_t>(peer) != current, Code::kInvalidParam,
        "dstDevId is {}, the current device; memory is mapped for another one.", peer);
  check_live(pointer, bytes);
  fail(Code::kFeatureNotSupported,
       "Device {} cannot address memory of device {}: Vulkan devices have no common addresses. aclrtMemcpy copies "
       "between them.",
       peer, current);
}

}  // namespace aclvk::runtime
