// Memory: allocations, copies, fills, values.
#include <algorithm>

#include "api_sequence/sequence.hpp"

namespace aclvk::fuzz {
namespace {

using Work = Sequence::Work;
using Where = Pointer::Where;

std::string text_of(const Pointer& pointer) {
  constexpr const char* kNames[] = {"NULL", "device", "pinned", "pageable", "nowhere"};
  return fmt::format("{} ({}, {} bytes)", pointer.address, kNames[static_cast<int>(pointer.where)], pointer.left);
}

void allocate(Sequence& s) {
  const bool device = s.bytes.byte() % 2 == 0;
  const bool no_place = s.bytes.once_in(16);
  const std::size_t bytes = s.pick_size();
  const auto policy = static_cast<aclrtMemMallocPolicy>(s.bytes.byte());
  void* memory = nullptr;
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  expected.first(bytes == 0 || bytes > ~std::size_t{0} - 64, ACL_ERROR_INVALID_PARAM);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  expected.refused(bytes > std::size_t{1} << 62, ACL_ERROR_RT_MEMORY_ALLOCATION);
  if (s.model.memory.size() > 24) return;
  const int code = s.call(fmt::format("aclrtMalloc{}({})", device ? "" : "Host", bytes), expected, [&] {
    void** const place = no_place ? nullptr : &memory;
    return device ? aclrtMalloc(place, bytes, policy) : aclrtMallocHost(place, bytes);
  });
  if (code == 0) s.model.memory[reinterpret_cast<std::uintptr_t>(memory)] = {bytes, device};
}

void release(Sequence& s) {
  const Pointer pointer = s.pick_pointer();
  const bool device = s.bytes.byte() % 2 == 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (pointer.address == s.cell(i)) return;
  }
  const auto found = s.model.memory.find(reinterpret_cast<std::uintptr_t>(pointer.address));
  const bool start = found != s.model.memory.end();
  Prediction expected;
  expected.first(!pointer.address, ACL_ERROR_INVALID_PARAM);
  expected.refused(!start || found->second.device != device, ACL_ERROR_RT_PARAM_INVALID);
  const int code = s.call(fmt::format("aclrtFree{}({})", device ? "" : "Host", text_of(pointer)), expected,
                          [&] { return device ? aclrtFree(pointer.address) : aclrtFreeHost(pointer.address); });
  if (code != 0) return;
  s.model.memory.erase(found);
  s.model.has_freed = true;
}

void ask(Sequence& s) {
  const Pointer pointer = s.pick_pointer();
  const bool no_place = s.bytes.once_in(8);
  aclrtPtrAttributes attributes{};
  Prediction expected;
  expected.first(!pointer.address || no_place, ACL_ERROR_INVALID_PARAM);
  s.call(fmt::format("aclrtPointerGetAttributes({})", text_of(pointer)), expected,
         [&] { return aclrtPointerGetAttributes(pointer.address, no_place ? nullptr : &attributes); });
}

void ask_for_free(Sequence& s) {
  const auto attribute = static_cast<std::int32_t>(s.bytes.any_of<std::int32_t>({0, 1, 4, 17, 18, -1, INT32_MAX}));
  std::size_t free = 0;
  std::size_t total = 0;
  Prediction expected;
  expected.refused(attribute < 0 || attribute > 17, ACL_ERROR_RT_INVALID_MEMORY_TYPE);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  s.call(fmt::format("aclrtGetMemInfo({})", attribute), expected,
         [&] { return aclrtGetMemInfo(static_cast<aclrtMemAttr>(attribute), &free, &total); });
}

struct Copy {
  Pointer dst;
  Pointer src;
  std::size_t most = 0;
  std::size_t bytes = 0;
  int kind = 0;

  bool overlaps() const {
    const auto to = reinterpret_cast<std::uintptr_t>(dst.address);
    const auto from = reinterpret_cast<std::uintptr_t>(src.address);
    return std::max(to, from) - std::min(to, from) < bytes;
  }
  bool none() const { return dst.address == src.address; }
};

Copy pick_copy(Sequence& s) {
  Copy copy;
  copy.dst = s.pick_pointer();
  copy.src = s.pick_pointer();
  copy.bytes = s.pick_size();
  copy.most = s.bytes.once_in(6) ? s.pick_size() : copy.bytes;
  copy.kind = s.bytes.any_of({4, 0, 1, 2, 3, 4, 5, 6, -1, INT32_MIN});
  return copy;
}

void predict_copy(Prediction& expected, const Copy& copy) {
  expected.first(copy.bytes == 0, 0);
  expected.first(!copy.dst.address || !copy.src.address, ACL_ERROR_INVALID_PARAM);
  expected.first(copy.kind < 0 || copy.kind > 5, ACL_ERROR_INVALID_PARAM);
  expected.first(copy.bytes > copy.most, ACL_ERROR_RT_PARAM_INVALID);
  expected.first(copy.none(), 0);
}

void predict_reach(Prediction& expected, const Copy& copy) {
  for (const Pointer* side : {&copy.dst, &copy.src}) {
    expected.refused(side->lacks(copy.bytes), ACL_ERROR_RT_PARAM_INVALID);
    expected.may_if(!side->holds(copy.bytes), {ACL_ERROR_RT_PARAM_INVALID});
  }
}

void copy_now(Sequence& s) {
  const Copy copy = pick_copy(s);
  Prediction expected;
  predict_copy(expected, copy);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  expected.refused(s.context() && s.model.forbidden(s.thread), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
  predict_reach(expected, copy);
  s.call(fmt::format("aclrtMemcpy({}, {}, {}, {}, {})", text_of(copy.dst), copy.most, text_of(copy.src), copy.bytes,
                     copy.kind),
         expected, [&] {
           return aclrtMemcpy(copy.dst.address, copy.most, copy.src.address, copy.bytes,
                              static_cast<aclrtMemcpyKind>(copy.kind));
         });
}

// What is copied past all streams is over when the call returns, after whatever its stream was given before.
void copy_in_stream(Sequence& s) {
  const Copy copy = pick_copy(s);
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  predict_copy(expected, copy);
  StreamState* const to = s.predict_stream(expected, stream);
  const bool pageable = copy.dst.where == Where::kPageable || copy.src.where == Where::kPageable;
  if (pageable && to && to->may_block && !to->capture) return;  // it would wait
  s.predict_task(expected, to, stream, Work::kOther);
  expected.refused(copy.dst.host() && copy.src.host(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  // Memory of no allocation may count as host memory.
  const bool lost = copy.dst.where == Where::kNowhere || copy.src.where == Where::kNowhere;
  expected.may_if(lost, {ACL_ERROR_RT_FEATURE_NOT_SUPPORT});
  predict_reach(expected, copy);
  // Two that overlap may be too close together.
  expected.may_if(copy.overlaps(), {ACL_ERROR_RT_PARAM_INVALID});
  if (to && pageable) {
    expected.refused(!to->capture && s.model.forbidden(s.thread), ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC);
    expected.open(to->bound || to->update);
    expected.may_if(to->may_fail,
                    {ACL_ERROR_RT_STREAM_ABORT, ACL_ERROR_RT_MODEL_ABORT_NORMAL, ACL_ERROR_RT_WAIT_TIMEOUT});
  }
  const int code = s.call(fmt::format("aclrtMemcpyAsync({}, {}, {}, {}, {}, {})", text_of(copy.dst), copy.most,
                                      text_of(copy.src), copy.bytes, copy.kind, stream),
                          expected, [&] {
                            return aclrtMemcpyAsync(copy.dst.address, copy.most, copy.src.address, copy.bytes,
                                                    static_cast<aclrtMemcpyKind>(copy.kind), stream);
                          });
  if (copy.bytes > 0 && !copy.none()) s.note_task(to, stream, Work::kOther, code);
}

void fill(Sequence& s) {
  const Pointer dst = s.pick_pointer();
  const std::size_t bytes = s.pick_size();
  const std::size_t most = s.bytes.once_in(6) ? s.pick_size() : bytes;
  const bool in_stream = s.bytes.byte() % 2 == 0;
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  expected.first(bytes == 0, 0);
  expected.first(!dst.address, ACL_ERROR_INVALID_PARAM);
  StreamState* to = nullptr;
  if (in_stream) {
    to = s.predict_stream(expected, stream);
    const bool task = !dst.host();
    if (task) s.predict_task(expected, to, stream, Work::kOther);
    expected.refused(bytes > most, task ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_INTERNAL_ERROR);
    expected.may_if(bytes > most, {ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_INTERNAL_ERROR});
  } else {
    expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
    expected.refused(s.context() && s.model.forbidden(s.thread), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    expected.refused(bytes > most, ACL_ERROR_RT_PARAM_INVALID);
  }
  expected.refused(dst.lacks(bytes), ACL_ERROR_RT_PARAM_INVALID);
  expected.may_if(!dst.holds(bytes), {ACL_ERROR_RT_PARAM_INVALID});
  const int code =
      s.call(fmt::format("aclrtMemset{}({}, {}, {}, {})", in_stream ? "Async" : "", text_of(dst), most, bytes, stream),
             expected, [&] {
               if (in_stream) return aclrtMemsetAsync(dst.address, most, 0, bytes, stream);
               return aclrtMemset(dst.address, most, 0, bytes);
             });
  if (in_stream && bytes > 0 && !dst.host()) s.note_task(to, stream, Work::kOther, code);
}

}  // namespace

void call_memory(Sequence& s) {
  switch (s.bytes.pick(6)) {
    case 0:
    case 1: return allocate(s);
    case 2: return release(s);
    case 3: return ask(s);
    case 4: return fill(s);
    default: return ask_for_free(s);
  }
}

void call_copy(Sequence& s) {
  if (s.bytes.byte() % 3 == 0) return copy_now(s);
  copy_in_stream(s);
}

void call_value(Sequence& s) {
  const Pointer word = s.pick_pointer();
  const Handle stream = s.pick(Kind::kStream);
  const bool waits = s.bytes.byte() % 3 == 0;
  const auto flag = s.bytes.any_of<std::uint32_t>({0, 0, 0, 1, 2, 3, 4, ~0U});
  const auto value = s.bytes.any_of<std::uint64_t>({0, 1, ~0ULL, 1ULL << 63});
  Prediction expected;
  expected.first(!word.address, ACL_ERROR_INVALID_PARAM);
  StreamState* const to = s.predict_stream(expected, stream);
  s.predict_task(expected, to, stream, Work::kOther);
  expected.refused(flag > (waits ? 3U : 0U), ACL_ERROR_RT_PARAM_INVALID);
  const bool aligned = reinterpret_cast<std::uintptr_t>(word.address) % 8 == 0;
  expected.refused(word.where != Where::kDevice || !aligned || word.lacks(8), ACL_ERROR_RT_PARAM_INVALID);
  expected.may_if(!word.holds(8), {ACL_ERROR_RT_PARAM_INVALID});
  const int code =
      s.call(fmt::format("aclrtValue{}({}, {}, {}, {})", waits ? "Wait" : "Write", text_of(word), value, flag, stream),
             expected, [&] {
               return waits ? aclrtValueWait(word.address, value, flag, stream)
                            : aclrtValueWrite(word.address, value, flag, stream);
             });
  s.note_task(to, stream, Work::kOther, code);
  if (code != 0 || !to || !waits) return;
  if (to->capture) to->capture->waits = true;
  if (to->bound) to->bound->waits = true;
  if (to->executes()) to->may_block = true;
}

}  // namespace aclvk::fuzz
