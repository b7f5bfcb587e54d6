#include "support/null_device/null_buffer.hpp"

#include <sys/mman.h>

#include "base/error.hpp"

namespace aclvk {
namespace {

// The system commits pages when they are first accessed, so tests can allocate more than the machine has.
void* new_pages(std::uint64_t bytes) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  check(pages != MAP_FAILED, Code::kMemoryAllocation, "The process has no {} bytes of address space left.", bytes);
  return pages;
}

}  // namespace

NullBuffer::NullBuffer(vk::MemoryUse use, std::uint64_t bytes, bool mapped)
    : Buffer(bytes, use == vk::MemoryUse::kHost ? Owner::kHost : Owner::kDevice) {
  set_address(reinterpret_cast<std::uintptr_t>(new_pages(bytes)));
  if (mapped) set_mapped(data());
}

NullBuffer::NullBuffer(void* pages, std::uint64_t bytes) : Buffer(bytes, Owner::kProgram) {
  set_address(reinterpret_cast<std::uintptr_t>(pages));
  set_mapped(data());
}

NullBuffer::~NullBuffer() {
  if (!registered()) munmap(data(), bytes());
}

File NullBuffer::export_memory(vk::SharedRange&) const {
  fail(Code::kFeatureNotSupported, "A null device cannot give its memory to another process.");
}

std::shared_ptr<vk::Buffer> NullBufferSource::create(vk::MemoryUse use, std::uint64_t bytes) const {
  state_->enter(NullCall::kAllocate);
  ++state_->created;
  return std::make_shared<NullBuffer>(use, bytes, use == vk::MemoryUse::kHost || host_visible_);
}

std::shared_ptr<vk::Buffer> NullBufferSource::import_host(void* pages, std::uint64_t bytes) const {
  ++state_->created;
  return std::make_shared<NullBuffer>(pages, bytes);
}

std::shared_ptr<vk::Buffer> NullBufferSource::import_file(File, const vk::SharedRange&) const {
  fail(Code::kFeatureNotSupported, "{} cannot take memory of another process.", state_->name());
}

}  // namespace aclvk
