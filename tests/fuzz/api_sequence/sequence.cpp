#include "api_sequence/sequence.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "api_sequence/worker.hpp"
#include "finding.hpp"

namespace aclvk::fuzz {
namespace {

constexpr std::size_t kMostCalls = 150;
constexpr std::size_t kHistory = 60;
constexpr std::size_t kHostBytes = 16384;
constexpr std::size_t kFence = std::size_t{1} << 21;  // on both sides of the host memory, and larger than any size
constexpr std::size_t kCellBytes = 64;

// Leaked, as it serves to the end of the process.
Worker& other_thread() {
  static auto* const worker = new Worker;
  return *worker;
}

/// Pageable memory between pages that may not be touched.
std::uint8_t* host_memory() {
  static auto* const memory = [] {
    void* const all = mmap(nullptr, kHostBytes + 2 * kFence, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    expect(all != MAP_FAILED, "There is no host memory.");
    auto* const usable = static_cast<std::uint8_t*>(all) + kFence;
    expect(mprotect(usable, kHostBytes, PROT_READ | PROT_WRITE) == 0, "The host memory cannot be used.");
    return usable;
  }();
  return memory;
}

Handle number(std::uint64_t value) { return reinterpret_cast<Handle>(value); }

std::uintptr_t number(Handle handle) { return reinterpret_cast<std::uintptr_t>(handle); }

// Nearly handles: the right bits in front, and no object; addresses; small numbers.
constexpr std::uint64_t kNoHandles[] = {1,
                                        0xDEADBEEF,
                                        ~0ULL,
                                        0xAC02000001000000ULL + 0xFFFF,
                                        0xAC03000001FFFFFFULL,
                                        0xAC05000000000000ULL,
                                        0xAC02FFFFFF000000ULL,
                                        0xAC00000001000000ULL};

using Area = void (*)(Sequence&);
constexpr Area kAreas[] = {call_stream,  call_event,     call_notify,  call_memory,  call_copy,   call_value,
                           call_capture, call_capture,   call_capture, call_group,   call_model,  call_model,
                           call_build,   call_condition, call_task,    call_host,    call_kernel, call_kernel,
                           call_kernel,  call_event,     call_event,   call_context, call_stream, call_copy};

}  // namespace

Sequence::Sequence(Bytes given) : bytes(given) { begin(); }

Sequence::~Sequence() { end(); }

void Sequence::on_each_thread(const std::function<void()>& work) {
  thread = 0;
  work();
  thread = 1;
  other_thread().run(work);
  thread = 0;
}

void Sequence::begin() {
  expect(aclrtSetDevice(0) == 0, "aclrtSetDevice(0) fails.");
  Handle primary = nullptr;
  expect(aclrtGetCurrentContext(&primary) == 0, "There is no context after aclrtSetDevice.");
  model.contexts[primary] = true;
  model.device_references = 1;
  model.current[0] = primary;
  add(Kind::kContext, primary);
  Handle stream = nullptr;
  expect(aclrtCtxGetCurrentDefaultStream(&stream) == 0, "The primary context has no default stream.");
  StreamState& state = model.streams[stream];
  state.context = primary;
  state.is_default = true;
  add(Kind::kStream, stream);
  for (void*& cell : cells_) {
    expect(aclrtMalloc(&cell, kCellBytes, ACL_MEM_MALLOC_NORMAL_ONLY) == 0, "There is no memory for a cell.");
    expect(aclrtMemset(cell, kCellBytes, 0, kCellBytes) == 0, "A cell cannot be filled.");
    model.memory[number(cell)] = {kCellBytes, true};
  }
}

// Captures end on the threads on which they began.
void Sequence::end_captures() {
  on_each_thread([&] {
    for (const auto& [handle, stream] : model.streams) {
      if (!stream.capture || stream.capture->thread != thread || model.contexts.count(stream.context) == 0) continue;
      aclrtSetCurrentContext(stream.context);
      aclmdlRI ended = nullptr;
      if (aclmdlRICaptureEnd(handle, &ended) == 0 && ended && model.models.count(ended) == 0) aclmdlRIDestroy(ended);
    }
  });
}

// Whatever still waits is given up first, so that nothing here waits for it.
void Sequence::end() {
  end_captures();
  for (const auto& [handle, stream] : model.streams) {
    if (model.contexts.count(stream.context) == 0) continue;
    aclrtSetCurrentContext(stream.context);
    aclrtStreamAbort(handle);
  }
  for (const auto& [handle, state] : model.models) {
    if (state->built) aclmdlRIAbort(handle);
    if (model.contexts.count(state->context) != 0) aclrtSetCurrentContext(state->context);
    if (!state->sub) aclmdlRIDestroy(handle);
  }
  for (const auto& [handle, event] : model.events) aclrtDestroyEvent(handle);
  for (const auto& [handle, live] : model.notifies) aclrtDestroyNotify(handle);
  for (const auto& [start, allocation] : model.memory) {
    void* const pointer = reinterpret_cast<void*>(start);
    const int code = allocation.device ? aclrtFree(pointer) : aclrtFreeHost(pointer);
    expect(code == 0, "Memory at {:#x} cannot be freed: {}.", start, code);
  }
  for (const auto& [handle, primary] : model.contexts) {
    if (!primary) aclrtDestroyContext(handle);
  }
  if (model.device_references > 0) aclrtResetDeviceForce(0);
  on_each_thread([] {
    aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
    aclrtSetDevice(0);
    aclmdlRICaptureThreadExchangeMode(&mode);
    aclrtResetDeviceForce(0);
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  });
}

void Sequence::run() {
  for (std::size_t i = 0; i < kMostCalls && !bytes.empty(); ++i) step();
}

void Sequence::step() {
  const std::uint8_t choice = bytes.byte();
  thread = choice >= 224 ? 1 : 0;
  kAreas[choice % std::size(kAreas)](*this);
}

int Sequence::call(const std::string& what, const Prediction& expected, const std::function<int()>& made) {
  int code = 0;
  std::string message;
  const std::function<void()> whole = [&] {
    aclGetRecentErrMsg();
    code = made();
    if (const char* text = code == 0 ? nullptr : aclGetRecentErrMsg()) message = text;
  };
  const bool traced = std::getenv("ACLVK_FUZZ_TRACE") != nullptr;  // for reading a finding
  if (traced) fmt::print(stderr, "thread {}: {}", thread, what);
  if (thread == 0) {
    whole();
  } else {
    other_thread().run(whole);
  }
  if (traced) fmt::print(stderr, " = {}\n", code);
  while (!message.empty() && message.back() == '\n') message.pop_back();
  history_.push_back(fmt::format("thread {}: {} = {}  {}", thread, what, code, message));
  if (history_.size() > kHistory) history_.erase(history_.begin());
  const bool foreseen = message.find("unexpected exception") == std::string::npos;
  expect(foreseen && expected.allows(code), "{}\n{} returns {}; {} expected.", fmt::join(history_, "\n"), what, code,
         fmt::join(expected.codes(), " or "));
  return code;
}

void Sequence::drop(Kind kind, Handle handle) {
  auto& live = live_.at(static_cast<std::size_t>(kind));
  const auto found = std::find(live.begin(), live.end(), handle);
  if (found == live.end()) return;
  live.erase(found);
  stale_.push_back(handle);
}

Handle Sequence::pick_live(Kind kind) {
  const auto& live = live_.at(static_cast<std::size_t>(kind));
  return live.empty() ? nullptr : live[bytes.pick(live.size())];
}

Handle Sequence::pick(Kind kind) {
  switch (bytes.byte() % 24) {
    case 20: return stale_.empty() ? nullptr : stale_[bytes.pick(stale_.size())];
    case 21: return pick_live(static_cast<Kind>(bytes.pick(kKinds)));
    case 22: return nullptr;
    case 23: return number(bytes.any_of(kNoHandles));
    default: return pick_live(kind);
  }
}

Pointer Sequence::pick_pointer() {
  const std::size_t shift = bytes.any_of<std::size_t>({0, 0, 0, 0, 8, 4, 1, 16, 31, 63});
  const auto in_allocation = [&]() -> Pointer {
    auto entry = model.memory.begin();
    std::advance(entry, static_cast<std::ptrdiff_t>(bytes.pick(model.memory.size())));
    const auto& [start, allocation] = *entry;
    const std::size_t padded = (allocation.bytes + 31) / 32 * 32 + 32;
    const std::size_t room = allocation.device ? (padded + 4095) / 4096 * 4096 : allocation.bytes;
    const auto where = allocation.device ? Pointer::Where::kDevice : Pointer::Where::kPinned;
    if (shift >= room) return {reinterpret_cast<void*>(start), where, allocation.bytes, room};
    return {reinterpret_cast<void*>(start + shift), where, allocation.bytes - std::min(shift, allocation.bytes),
            room - shift};
  };
  switch (bytes.byte() % 16) {
    case 11:
    case 12:
    case 13: return {host_memory() + shift, Pointer::Where::kPageable, kHostBytes - shift, kHostBytes - shift};
    case 14: return {};
    case 15:
      return {number(bytes.any_of<std::uint64_t>({8, 4096, ~0ULL - 7, 1ULL << 63, 0xAC02000001000000ULL})),
              Pointer::Where::kNowhere, 0, 0};
    default: return in_allocation();
  }
}

std::size_t Sequence::pick_size() {
  // Larger than the fence around host memory only where no memory can be so large.
  return bytes.any_of<std::size_t>({8, 32, 64, 1, 0, 16, 100, 4096, 65536, std::size_t{1} << 20, 7, ~std::size_t{0},
                                    ~std::size_t{0} - 63, 12, 40, 96});
}

std::int32_t Sequence::pick_timeout_ms() { return bytes.any_of<std::int32_t>({1, 1, 1, 2, 0, -1, -2, INT32_MIN}); }

StreamState* Sequence::predict_stream(Prediction& expected, Handle stream, bool own) {
  if (!stream && !context()) {
    expected.refused(true, ACL_ERROR_RT_CONTEXT_NULL);
    return nullptr;
  }
  const auto found = model.streams.find(meant(stream));
  if (found == model.streams.end()) {
    expected.refused(true, ACL_ERROR_RT_INVALID_HANDLE);
    return nullptr;
  }
  if (!own) return &found->second;
  expected.refused(!context(), ACL_ERROR_RT_CONTEXT_NULL);
  expected.refused(context() && context() != found->second.context, ACL_ERROR_RT_STREAM_CONTEXT);
  return &found->second;
}

EventState* Sequence::predict_event(Prediction& expected, Handle event) {
  expected.first(!event, ACL_ERROR_INVALID_PARAM);
  const auto found = model.events.find(event);
  if (found != model.events.end()) return &found->second;
  expected.refused(true, ACL_ERROR_RT_INVALID_HANDLE);
  return nullptr;
}

ModelPtr Sequence::predict_model(Prediction& expected, Handle handle) {
  const auto found = model.models.find(handle);
  if (found != model.models.end()) {
    expected.open(found->second->uncertain);
    return found->second;
  }
  expected.refused(true, ACL_ERROR_RT_INVALID_HANDLE);
  return nullptr;
}

void Sequence::predict_task(Prediction& expected, const StreamState* stream, Handle handle, Work work) {
  if (!stream) return;
  expected.open(stream->odd());
  expected.open(stream->bound && !stream->bound->making());  // complete, and full of them
  if (stream->update) {
    const bool full = stream->updated >= stream->update->kernels;
    expected.refused(work != Work::kKernel, ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    expected.refused(work == Work::kKernel && full, ACL_ERROR_RT_INTERNAL_ERROR);
    expected.open(stream->update->model.expired());
  }
  if (!stream->capture || !stream->capture->group_stream) return;
  const bool here = stream->capture->group_stream == meant(handle);
  expected.refused(here && work != Work::kKernel, ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  expected.refused(!here && work == Work::kKernel, ACL_ERROR_STREAM_TASK_GROUP_INTR);
  expected.may_if(!here, {ACL_ERROR_STREAM_TASK_GROUP_INTR});
}

void Sequence::note_task(StreamState* stream, Handle handle, Work work, int code) {
  if (!stream) return;
  const bool refused_by_group = code == ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT || code == ACL_ERROR_STREAM_TASK_GROUP_INTR;
  if (stream->capture && refused_by_group) {
    stream->capture->poisoned = true;
    stream->capture->group_failed = true;
  }
  if (code != 0 || work != Work::kKernel) return;
  if (stream->update) ++stream->updated;
  if (stream->capture && stream->capture->group_stream == meant(handle)) ++stream->capture->group_kernels;
}

}  // namespace aclvk::fuzz
