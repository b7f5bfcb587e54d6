#include "support/null_device/null_recorder.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "vk_device/commands/copy_commands.hpp"

namespace aclvk {
namespace {

using vk::Access;

// The limits of vk::RecorderScratch.
constexpr std::size_t kTrackedIntervals = 4096;
constexpr std::size_t kSummaryIntervals = 256;

vk::AccessedBytes accessed(const vk::BufferRange& range, Access access) {
  const std::uint64_t start = range.address();
  return {{start, start + range.size}, access};
}

void check_inside(const vk::BufferRange& range) {
  check(range.offset <= range.buffer->bytes() && range.size <= range.buffer->bytes() - range.offset,
        Code::kRuntimeInternal, "the range [{}, {}) lies outside its buffer of {} bytes.", range.offset,
        range.offset + range.size, range.buffer->bytes());
}

void check_words(const vk::BufferRange& range) {
  check(range.offset % 4 == 0 && range.size % 4 == 0, Code::kRuntimeInternal,
        "offset {} and size {} are not multiples of 4.", range.offset, range.size);
}

/// Returns whether a copy command can replace the kernel.
bool only_copies(const vk::Dispatch& dispatch) {
  return dispatch.copies && dispatch.operands.size() == 2 &&
         dispatch.operands[0].range.size == dispatch.operands[1].range.size;
}

}  // namespace

NullRecorder::NullRecorder(vk::Level level, const std::array<std::uint32_t, 3>& max_groups)
    : max_groups_(max_groups), since_barrier_(kTrackedIntervals), whole_(kSummaryIntervals) {
  contents_.level = level;
}

void NullRecorder::synchronize(const std::vector<vk::AccessedBytes>& accesses) {
  const bool conflict =
      std::any_of(accesses.begin(), accesses.end(), [&](const auto& one) { return since_barrier_.conflicts(one); });
  if (conflict) {
    ++contents_.barriers;
    since_barrier_.clear();
  }
  for (const vk::AccessedBytes& one : accesses) {
    since_barrier_.add(one);
    whole_.add(one);
  }
}

void NullRecorder::check_groups(const vk::Dispatch& dispatch) const {
  for (std::size_t i = 0; i < 3; ++i) {
    check(dispatch.groups[i] <= max_groups_[i], Code::kFeatureNotSupported,
          "shader {} wants {} groups in dimension {}; the device has at most {}.", dispatch.shader, dispatch.groups[i],
          i, max_groups_[i]);
  }
}

void NullRecorder::dispatch(const vk::Dispatch& dispatch) {
  if (dispatch.groups[0] == 0 || dispatch.groups[1] == 0 || dispatch.groups[2] == 0) return;
  if (only_copies(dispatch)) return copy(dispatch.operands[1].range, dispatch.operands[0].range);
  check_groups(dispatch);
  std::vector<vk::AccessedBytes> accesses;
  for (const vk::DispatchOperand& operand : dispatch.operands) {
    if (!operand.range.buffer) continue;  // an optional operand without a value
    check_inside(operand.range);
    accesses.push_back(accessed(operand.range, operand.access));
  }
  if (dispatch.custom && dispatch.custom->accesses_all_memory) {
    accesses.push_back({{0, UINT64_MAX}, Access::kReadWrite});
  }
  synchronize(accesses);
  contents_.list.emplace_back(dispatch);
  ++contents_.commands;
}

void NullRecorder::copy(const vk::BufferRange& dst, const vk::BufferRange& src) {
  check(dst.size == src.size, Code::kRuntimeInternal, "a copy has {} bytes on one side and {} on the other.", src.size,
        dst.size);
  if (dst.size == 0) return;
  check_inside(dst);
  check_inside(src);
  synchronize({accessed(src, Access::kRead), accessed(dst, Access::kWrite)});
  // One memmove when it runs; counted are the commands that vk::Recorder records for overlapping ranges.
  contents_.list.emplace_back(NullCopy{dst, src});
  contents_.commands += vk::copy_command_count(dst, src);
}

void NullRecorder::copy_2d(const vk::Copy2d& copy) {
  if (copy.width == 0 || copy.height == 0) return;
  const vk::BufferRange dst = copy.dst.slice(0, copy.dst_pitch * (copy.height - 1) + copy.width);
  const vk::BufferRange src = copy.src.slice(0, copy.src_pitch * (copy.height - 1) + copy.width);
  check(dst.size <= copy.dst.size && src.size <= copy.src.size, Code::kRuntimeInternal,
        "{} rows of {} bytes do not fit into their ranges.", copy.height, copy.width);
  if (copy.width == copy.dst_pitch && copy.width == copy.src_pitch) return this->copy(dst, src);
  check_inside(dst);
  check_inside(src);
  synchronize({accessed(src, Access::kRead), accessed(dst, Access::kWrite)});
  const vk::Copy2d rows{dst, src, copy.dst_pitch, copy.src_pitch, copy.width, copy.height};
  contents_.list.emplace_back(rows);
  contents_.commands += vk::copy_command_count(rows);
}

void NullRecorder::fill(const vk::BufferRange& dst, std::uint8_t value) {
  if (dst.size == 0) return;
  check_inside(dst);
  synchronize({accessed(dst, Access::kWrite)});
  contents_.list.emplace_back(NullFill{dst, value});
  ++contents_.commands;
}

void NullRecorder::fill_words(const vk::BufferRange& dst, std::uint32_t value) {
  if (dst.size == 0) return;
  check_inside(dst);
  check_words(dst);
  synchronize({accessed(dst, Access::kWrite)});
  contents_.list.emplace_back(NullWordFill{dst, value});
  ++contents_.commands;
}

void NullRecorder::write_word(const vk::BufferRange& dst, std::uint64_t value) {
  check(dst.size >= sizeof(value), Code::kRuntimeInternal, "a 64-bit word does not fit into {} bytes.", dst.size);
  const vk::BufferRange word = dst.slice(0, sizeof(value));
  check_inside(word);
  check_words(word);
  synchronize({accessed(word, Access::kWrite)});
  contents_.list.emplace_back(NullWordWrite{word, value});
  ++contents_.commands;
}

void NullRecorder::execute(const std::shared_ptr<vk::CommandBuffer>& secondary) {
  auto recorded = std::static_pointer_cast<const NullCommandBuffer>(secondary);
  check(contents_.level == vk::Level::kPrimary && recorded->level() == vk::Level::kSecondary, Code::kRuntimeInternal,
        "only a primary command buffer can execute another, which must be a secondary.");
  synchronize(recorded->accesses());
  contents_.commands += recorded->commands();
  contents_.barriers += recorded->barriers();
  contents_.list.emplace_back(NullExecute{std::move(recorded)});
}

void NullRecorder::write_timestamp(const std::shared_ptr<vk::Timestamps>& times) {
  auto own = std::static_pointer_cast<NullTimestamps>(times);
  const std::size_t index = own->add();
  contents_.list.emplace_back(NullTimestamp{std::move(own), index});
}

void NullRecorder::full_barrier() {
  contents_.list.emplace_back(NullBarrier{});
  ++contents_.barriers;
  since_barrier_.clear();
}

std::shared_ptr<vk::CommandBuffer> NullRecorder::finish() {
  check(!std::exchange(finished_, true), Code::kRuntimeInternal, "the recorder has finished already.");
  for (const vk::Interval& bytes : whole_.reads().intervals()) contents_.accesses.push_back({bytes, Access::kRead});
  for (const vk::Interval& bytes : whole_.writes().intervals()) contents_.accesses.push_back({bytes, Access::kWrite});
  return std::make_shared<NullCommandBuffer>(std::move(contents_));
}

}  // namespace aclvk
