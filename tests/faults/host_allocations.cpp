#include "faults/host_allocations.hpp"

#include <execinfo.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#ifdef __SANITIZE_ADDRESS__
#define ACLVK_MARKS_ALLOCATIONS 0  // the header before an allocation is AddressSanitizer's
#else
#define ACLVK_MARKS_ALLOCATIONS 1
#endif

namespace aclvk::test {
namespace {

struct Code {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool holds(std::uintptr_t address) const { return begin <= address && address < end; }
};

// The addresses of the code; filled in once, by prepare().
struct Map {
  Code library;
  std::array<Code, 4> go_betweens;
};
Map map;
std::atomic<bool> prepared{false};

constexpr std::array<const char*, 4> kGoBetweens{"/libstdc++.so", "/libfmt.so", "/libspdlog.so", "/libgcc_s.so"};

Code code_of(const dl_phdr_info& info) {
  Code code{UINTPTR_MAX, 0};
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    code.begin = std::min<std::uintptr_t>(code.begin, info.dlpi_addr + segment.p_vaddr);
    code.end = std::max<std::uintptr_t>(code.end, info.dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  return code;
}

int note_object(dl_phdr_info* info, std::size_t, void*) {
  if (std::strstr(info->dlpi_name, "/libaclvk.so")) map.library = code_of(*info);
  for (std::size_t i = 0; i < kGoBetweens.size(); ++i) {
    if (std::strstr(info->dlpi_name, kGoBetweens[i])) map.go_betweens[i] = code_of(*info);
  }
  return 0;
}

void prepare() {
  if (prepared) return;
  void* first = nullptr;
  backtrace(&first, 1);  // the first one loads what it needs
  dl_iterate_phdr(note_object, nullptr);
  prepared = true;
}

bool is_go_between(std::uintptr_t address) {
  return std::any_of(map.go_betweens.begin(), map.go_betweens.end(), [&](const Code& c) { return c.holds(address); });
}

// The first caller that is no go-between.
struct Walk {
  std::uintptr_t from;
  bool begun = false;
  bool of_library = false;
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  const std::uintptr_t address = _Unwind_GetIP(context);
  walk.begun = walk.begun || address == walk.from;
  if (!walk.begun || is_go_between(address)) return _URC_NO_REASON;
  walk.of_library = map.library.holds(address);
  return _URC_END_OF_STACK;
}

bool asked_by_library(std::uintptr_t caller) {
  if (!is_go_between(caller)) return false;
  Walk walk{caller};
  _Unwind_Backtrace(step, &walk);
  return walk.of_library;
}

constexpr int kFrames = 24;

struct Fault {
  std::atomic<bool> armed{false};
  std::uint64_t at = 0;
  std::uint64_t times = 0;
  std::atomic<std::uint64_t> seen{0};
  std::atomic<std::uint64_t> failed{0};
  std::array<void*, kFrames> place{};
  int frames = 0;
};
Fault fault;
std::atomic<std::int64_t> living{0};

// True when this allocation has to fail.
bool meets_fault(std::uintptr_t caller) {
  if (!fault.armed || !(map.library.holds(caller) || asked_by_library(caller))) return false;
  const std::uint64_t number = ++fault.seen;
  if (number < fault.at || number - fault.at >= fault.times) return false;
  if (++fault.failed == 1) fault.frames = backtrace(fault.place.data(), kFrames);
  return true;
}

/// The header before each allocation.
struct alignas(16) Mark {
  std::uint32_t room;  // from the block of malloc to what was asked for
  bool counted;
};

void* allocate(std::size_t bytes, std::size_t alignment, void* return_address) noexcept {
  const auto caller = reinterpret_cast<std::uintptr_t>(return_address);
  if (meets_fault(caller)) return nullptr;
  alignment = std::max(alignment, alignof(Mark));
#if ACLVK_MARKS_ALLOCATIONS
  if (bytes > SIZE_MAX - 2 * alignment) return nullptr;
  const std::size_t room = std::max(alignment, sizeof(Mark));
  void* block = nullptr;
  if (posix_memalign(&block, alignment, bytes + room) != 0) return nullptr;
  auto* start = static_cast<std::byte*>(block) + room;
  const bool counted = map.library.holds(caller);
  new (start - sizeof(Mark)) Mark{static_cast<std::uint32_t>(room), counted};
  if (counted) ++living;
  return start;
#else
  void* block = nullptr;
  return posix_memalign(&block, alignment, std::max<std::size_t>(bytes, 1)) == 0 ? block : nullptr;
#endif
}

void release(void* pointer) noexcept {
#if ACLVK_MARKS_ALLOCATIONS
  if (!pointer) return;
  auto* start = static_cast<std::byte*>(pointer);
  const Mark mark = *std::launder(reinterpret_cast<Mark*>(start - sizeof(Mark)));
  if (mark.counted) --living;
  std::free(start - mark.room);
#else
  std::free(pointer);
#endif
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment, void* return_address) {
  if (void* pointer = allocate(bytes, alignment, return_address)) return pointer;
  throw std::bad_alloc();
}

}  // namespace

void HostAllocations::arm(std::uint64_t at, std::uint64_t times) {
  prepare();
  fault.at = at;
  fault.times = times;
  fault.seen = 0;
  fault.failed = 0;
  fault.frames = 0;
  fault.armed = true;
}

HostAllocations::Report HostAllocations::disarm() {
  fault.armed = false;
  Report report{fault.seen, fault.failed, ""};
  char** lines = backtrace_symbols(fault.place.data(), fault.frames);
  for (int i = 0; lines && i < fault.frames; ++i) report.place += std::string("\n  ") + lines[i];
  std::free(lines);
  return report;
}

void HostAllocations::print_place(int file) { backtrace_symbols_fd(fault.place.data(), fault.frames, file); }

std::int64_t HostAllocations::alive() {
  prepare();
  return living;
}

}  // namespace aclvk::test

#define RETURN_ADDRESS __builtin_return_address(0)
constexpr std::size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

// The return address has to be that of the caller of operator new.
#define ACLVK_NEW(signature, function, alignment) \
  __attribute__((noinline)) void* signature { return aclvk::test::function(bytes, alignment, RETURN_ADDRESS); }

ACLVK_NEW(operator new(std::size_t bytes), allocate_or_throw, kUsual)
ACLVK_NEW(operator new[](std::size_t bytes), allocate_or_throw, kUsual)
ACLVK_NEW(operator new(std::size_t bytes, const std::nothrow_t&) noexcept, allocate, kUsual)
ACLVK_NEW(operator new[](std::size_t bytes, const std::nothrow_t&) noexcept, allocate, kUsual)
ACLVK_NEW(operator new(std::size_t bytes, std::align_val_t by), allocate_or_throw, static_cast<std::size_t>(by))
ACLVK_NEW(operator new[](std::size_t bytes, std::align_val_t by), allocate_or_throw, static_cast<std::size_t>(by))
ACLVK_NEW(operator new(std::size_t bytes, std::align_val_t by, const std::nothrow_t&) noexcept, allocate,
          static_cast<std::size_t>(by))
ACLVK_NEW(operator new[](std::size_t bytes, std::align_val_t by, const std::nothrow_t&) noexcept, allocate,
          static_cast<std::size_t>(by))

void operator delete(void* pointer) noexcept { aclvk::test::release(pointer); }
void operator delete[](void* pointer) noexcept { aclvk::test::release(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { aclvk::test::release(pointer); }
void operator delete[](void* pointer, std::size_t) noexcept { aclvk::test::release(pointer); }
void operator delete(void* pointer, std::align_val_t) noexcept { aclvk::test::release(pointer); }
void operator delete[](void* pointer, std::align_val_t) noexcept { aclvk::test::release(pointer); }
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept { aclvk::test::release(pointer); }
void operator delete[](void* pointer, std::size_t, std::align_val_t) noexcept { aclvk::test::release(pointer); }
void operator delete(void* pointer, const std::nothrow_t&) noexcept { aclvk::test::release(pointer); }
void operator delete[](void* pointer, const std::nothrow_t&) noexcept { aclvk::test::release(pointer); }
void operator delete(void* pointer, std::align_val_t, const std::nothrow_t&) noexcept { aclvk::test::release(pointer); }
void operator delete[](void* pointer, std::align_val_t, const std::nothrow_t&) noexcept {
  aclvk::test::release(pointer);
}
