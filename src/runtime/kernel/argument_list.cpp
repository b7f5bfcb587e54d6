#include "runtime/kernel/argument_list.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "base/at_fork_lock.hpp"
#include "base/error.hpp"
#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::size_t kSlotBytes = 8;
// Sizes that the interface lets the library choose. The library writes to neither the memory of the handle nor the
// header.
constexpr std::size_t kHandleBytes = 64;
constexpr std::size_t kHeaderBytes = 64;

std::size_t round_up(std::size_t bytes) { return (bytes + kSlotBytes - 1) / kSlotBytes * kSlotBytes; }

// Not destroyed at exit, like all handle tables: programs that never clean up call the API while the process exits.
ArgumentListHandles& list_handles() { return ProcessState<ArgumentListHandles, StateId::kArgumentListHandles>::get(); }

/// Lists whose handles are addresses of programs. Such a handle is only looked up and never dereferenced, so that
/// garbage does no harm. A list stays until the program starts another one at the same address.
struct ProgramLists {
  Mutex mutex;
  AtForkLock held{mutex};
  std::map<const void*, ArgumentListPtr> lists GUARDED_BY(mutex);
};

ProgramLists& program_lists() { return ProcessState<ProgramLists, StateId::kProgramLists>::get(); }

/// Ends the list of a thread with the thread, unless its Process has ended.
struct ThreadList {
  ~ThreadList() {
    if (generation == process_generation()) list_handles().remove(handle);
  }
  void* handle = nullptr;
  std::uint64_t generation = process_generation();
};

void write_at(std::vector<std::byte>& block, std::size_t at, const std::byte* value, std::size_t bytes) {
  if (block.size() < at + bytes) block.resize(at + bytes);
  if (bytes > 0) std::memcpy(block.data() + at, value, bytes);
}

}  // namespace

ArgumentList::~ArgumentList() { clear(); }

void ArgumentList::restart() {
  const LockGuard lock(mutex_);
  clear();
}

void ArgumentList::clear() {
  for (const Entry& entry : entries_) argument_parameter_handles().remove(entry.handle);
  entries_.clear();
  own_.clear();
  used_ = 0;
  has_buffer_ = closed_ = final_ = false;
}

// The rules of runtime-semantics 10.3.
void ArgumentList::check_open(const char* what) const {
  check(!closed_, Code::kFeatureNotSupported, "{} cannot be added: the list of arguments has been finalised.", what);
  check(!has_buffer_, Code::kFeatureNotSupported,
        "{} cannot be added: a placeholder of the list of arguments has its buffer already.", what);
  check(entries_.size() < kMaxParameters, Code::kParamInvalid, "{} cannot be added: a list takes at most {} arguments.",
        what, kMaxParameters);
}

std::byte* ArgumentList::allocate(std::size_t bytes) {
  const std::size_t size = round_up(bytes);
  check(size >= bytes && size <= capacity_ - used_, Code::kParamInvalid,
        "{} bytes do not fit into the {} bytes that the list of arguments has left.", bytes, capacity_ - used_);
  std::byte* address = memory_ ? memory_ + used_ : own_.emplace_back(std::make_unique<std::byte[]>(size)).get();
  used_ += size;
  return address;
}

void* ArgumentList::add(Entry entry) {
  entry.handle = argument_parameter_handles().insert(
      std::make_shared<const ArgumentParameter>(ArgumentParameter{weak_from_this(), entries_.size()}));
  return entries_.emplace_back(entry).handle;
}

void* ArgumentList::append(const void* value, std::size_t bytes) {
  const LockGuard lock(mutex_);
  check_open("An argument");
  check(bytes > 0, Code::kParamInvalid, "paramSize is 0; an argument has at least one byte.");
  Entry entry;
  entry.value = allocate(bytes);
  entry.bytes = bytes;
  std::memcpy(entry.value, value, bytes);
  return add(entry);
}

void* ArgumentList::append_placeholder() {
  const LockGuard lock(mutex_);
  check_open("A placeholder");
  allocate(kSlotBytes);  // reserves the room of the address in memory of the program
  Entry entry;
  entry.placeholder = true;
  return add(entry);
}

ArgumentList::Entry& ArgumentList::entry_at(std::size_t index) { return entries_.at(index); }

void* ArgumentList::placeholder_buffer(std::size_t index, std::size_t bytes) {
  const LockGuard lock(mutex_);
  Entry& entry = entry_at(index);
  check(entry.placeholder, Code::kParamInvalid, "Argument {} is no placeholder; it has no buffer.", index);
  check(!closed_, Code::kFeatureNotSupported, "Argument {} cannot get a buffer: the list has been finalised.", index);
  check(bytes > 0, Code::kParamInvalid, "dataSize is 0; a buffer has at least one byte.");
  check(entry.value == nullptr, Code::kParamInvalid, "Argument {} has a buffer of {} bytes already.", index,
        entry.bytes);
  entry.value = allocate(bytes);
  entry.bytes = bytes;
  has_buffer_ = true;
  return entry.value;
}

void ArgumentList::update(std::size_t index, const void* value, std::size_t bytes) {
  const LockGuard lock(mutex_);
  Entry& entry = entry_at(index);
  check(!entry.placeholder, Code::kParamInvalid, "Argument {} is a placeholder; its buffer is written directly.",
        index);
  check(entry.bytes == bytes, Code::kParamInvalid, "Argument {} has {} bytes and is given {}.", index, entry.bytes,
        bytes);
  std::memcpy(entry.value, value, bytes);
  final_ = false;
}

void ArgumentList::finalize() {
  const LockGuard lock(mutex_);
  closed_ = true;
  final_ = true;
}

// Two passes: placeholder buffers follow all arguments, so that their offsets are known only after the first pass,
// which writes null addresses and notes where they are.
KernelArguments ArgumentList::arguments_for(const Function& function) const {
  const LockGuard lock(mutex_);
  check(final_, Code::kParamInvalid, "The list of arguments is not final; aclrtKernelArgsFinalize has to come first.");
  const std::vector<Parameter> parameters = function.parameters();
  check(entries_.size() >= parameters.size(), Code::kParamInvalid, "The list has {} arguments; kernel {} takes {}.",
        entries_.size(), function.name(), parameters.size());
  KernelArguments arguments;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const std::size_t bytes = entry.placeholder ? kSlotBytes : entry.bytes;
    const bool known = i < parameters.size();
    check(!known || bytes == parameters[i].bytes, Code::kParamInvalid,
          "Argument {} has {} bytes; parameter {} of kernel {} has {}.", i, bytes, known ? parameters[i].name : "",
          function.name(), known ? parameters[i].bytes : 0);
    const std::size_t at = known ? parameters[i].offset : round_up(arguments.block.size());
    if (entry.placeholder) {
      const std::byte null[kSlotBytes] = {};
      write_at(arguments.block, at, null, kSlotBytes);
      if (entry.value) arguments.placeholders.push_back({static_cast<std::uint32_t>(at), 0});
    } else {
      write_at(arguments.block, at, entry.value, bytes);
    }
  }
  constexpr std::size_t kBufferAlignment = 256;  // upper limit of minStorageBufferOffsetAlignment in the Vulkan spec
  std::size_t next = 0;
  for (const Entry& entry : entries_) {
    if (!entry.placeholder || !entry.value) continue;
    const std::size_t at = (arguments.block.size() + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
    write_at(arguments.block, at, entry.value, entry.bytes);
    arguments.placeholders[next++].data_at = static_cast<std::uint32_t>(at);
  }
  return arguments;
}

ArgumentParameterHandles& argument_parameter_handles() {
  return ProcessState<ArgumentParameterHandles, StateId::kParameterHandles>::get();
}

void* start_argument_list() {
  // A list of each thread: it belongs to the launch that the thread prepares.
  thread_local ThreadList own;
  // Handles begin anew with each Process.
  if (std::exchange(own.generation, process_generation()) != process_generation()) own.handle = nullptr;
  if (const auto list = list_handles().find(own.handle)) {
    list->restart();
    return own.handle;
  }
  own.handle = list_handles().insert(std::make_shared<ArgumentList>());
  return own.handle;
}

void start_argument_list(void* handle, void* memory, std::size_t bytes) {
  check(bytes > kHeaderBytes, Code::kParamInvalid,
        "actualArgsSize is {}; aclrtKernelArgsGetMemSize asks for more than {} for any arguments.", bytes,
        kHeaderBytes);
  auto list = std::make_shared<ArgumentList>(static_cast<std::byte*>(memory) + kHeaderBytes, bytes - kHeaderBytes);
  ProgramLists& known = program_lists();
  const LockGuard lock(known.mutex);
  known.lists[handle] = std::move(list);
}

std::size_t argument_handle_bytes() { return kHandleBytes; }

std::size_t argument_memory_bytes(std::size_t arguments) {
  check(arguments <= SIZE_MAX / 2, Code::kParamInvalid, "userArgsSize is {}, more than there is memory.", arguments);
  return kHeaderBytes + round_up(arguments);
}

ArgumentListPtr find_argument_list(const void* handle) {
  if (auto list = list_handles().find(handle)) return list;
  ProgramLists& known = program_lists();
  const LockGuard lock(known.mutex);
  const auto found = known.lists.find(handle);
  return found == known.lists.end() ? nullptr : found->second;
}

}  // namespace aclvk::runtime
