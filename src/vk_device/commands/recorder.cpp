#include "vk_device/commands/recorder.hpp"

#include <algorithm>
#include <cstring>

#include "base/config.hpp"
#include "base/error.hpp"
#include "vk_device/commands/copy_commands.hpp"
#include "vk_device/commands/timestamp_store.hpp"
#include "vk_device/gpu/vk_error.hpp"
#include "vk_device/pipelines/custom_kernel.hpp"

namespace aclvk::vk {
namespace {

using AccessFlag = ::vk::AccessFlagBits2;
using Stage = ::vk::PipelineStageFlagBits2;

constexpr auto kWriteAccess = AccessFlag::eShaderWrite | AccessFlag::eTransferWrite;
constexpr auto kReadWriteAccess = AccessFlag::eShaderRead | AccessFlag::eTransferRead | kWriteAccess;

// Waits for earlier submissions of this queue and makes their writes and the host's writes visible. Submission order
// alone orders the start of work, not its completion.
const ::vk::MemoryBarrier2 kBeginBarrier(kWorkStages | Stage::eHost, AccessFlag::eMemoryWrite | AccessFlag::eHostWrite,
                                         kWorkStages, AccessFlag::eMemoryRead | AccessFlag::eMemoryWrite);
// A semaphore signal makes writes available to the device. Visibility to the host requires a barrier with the host
// stage.
const ::vk::MemoryBarrier2 kEndBarrier(kWorkStages, AccessFlag::eMemoryWrite, kWorkStages | Stage::eHost,
                                       AccessFlag::eMemoryRead | AccessFlag::eMemoryWrite | AccessFlag::eHostRead |
                                           AccessFlag::eHostWrite);
const ::vk::MemoryBarrier2 kCommandBarrier(kWorkStages, kWriteAccess, kWorkStages, kReadWriteAccess);

AccessedBytes accessed(const BufferRange& range, Access access) {
  const std::uint64_t start = range.address();
  return {{start, start + range.size}, access};
}

void check_inside(const BufferRange& range) {
  check(range.offset <= range.buffer->bytes() && range.size <= range.buffer->bytes() - range.offset,
        Code::kRuntimeInternal, "the range [{}, {}) lies outside its buffer of {} bytes.", range.offset,
        range.offset + range.size, range.buffer->bytes());
}

void check_words(const BufferRange& range) {
  check(range.offset % 4 == 0 && range.size % 4 == 0, Code::kRuntimeInternal,
        "offset {} and size {} are not multiples of 4.", range.offset, range.size);
}

// vkCmdCopyBuffer forbids overlapping source and destination. Two buffers may be of the same memory: the windows of
// reserved addresses overlap (host_addresses.cpp).
bool overlap(const BufferRange& a, const BufferRange& b) {
  return a.address() < b.address() + b.size && b.address() < a.address() + a.size;
}

std::uint64_t distance(const BufferRange& a, const BufferRange& b) {
  return std::max(a.address(), b.address()) - std::min(a.address(), b.address());
}

// With equal pitches, rows of different columns never overlap, although the spans of the two do: copying one column of
// a matrix to another is an example.
bool rows_overlap(const Copy2d& copy) {
  if (!overlap(copy.dst, copy.src)) return false;
  if (copy.dst_pitch != copy.src_pitch) return true;
  const std::uint64_t spacing = distance(copy.dst, copy.src) % copy.dst_pitch;
  return spacing < copy.width || spacing + copy.width > copy.dst_pitch;
}

}  // namespace

std::uint64_t copy_command_count(const BufferRange& dst, const BufferRange& src) {
  if (!overlap(dst, src)) return 1;
  const std::uint64_t spacing = distance(dst, src);
  return spacing == 0 ? 0 : (dst.size + spacing - 1) / spacing;
}

std::uint64_t copy_command_count(const Copy2d& copy) {
  if (copy.width == copy.dst_pitch && copy.width == copy.src_pitch) return copy_command_count(copy.dst, copy.src);
  if (!rows_overlap(copy)) return 1;
  std::uint64_t commands = 0;
  for (std::uint64_t row = 0; row < copy.height; ++row) {
    commands += copy_command_count(copy.dst.slice(row * copy.dst_pitch, copy.width),
                                   copy.src.slice(row * copy.src_pitch, copy.width));
  }
  return commands;
}

void check_groups(const Dispatch& dispatch, const Limits& limits) {
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t base = dispatch.custom && i == 0 ? dispatch.custom->base_group : 0;
    check(base + dispatch.groups[i] <= limits.max_groups[i], Code::kFeatureNotSupported,
          "shader {} wants {} groups in dimension {}; the device has at most {}.", dispatch.shader,
          base + dispatch.groups[i], i, limits.max_groups[i]);
  }
}

bool runs_as_copy(const Dispatch& dispatch, const Gpu& gpu) {
  return dispatch.copies && gpu.quirks().copy_commands && config().driver_tuning &&
         !overlap(dispatch.operands[0].range, dispatch.operands[1].range);
}

Recorder::Recorder(std::shared_ptr<CommandStore> store, Level level)
    : scratch_(store->take_scratch()),
      functions_(store->gpu().functions()),
      track_whole_descriptors_(config().validation > 2) {
  contents_.resources = store->take(level);
  contents_.store = std::move(store);
  commands_ = *contents_.resources->buffer;
  begin(level);
}

Recorder::~Recorder() {
  if (contents_.resources) contents_.store->give_back(std::move(contents_.resources));
  if (scratch_) contents_.store->give_back(std::move(scratch_));
}

void Recorder::begin(Level level) {
  const ::vk::CommandBufferInheritanceInfo nothing;
  // Replays submit a command buffer again while it is pending.
  const ::vk::CommandBufferBeginInfo info(::vk::CommandBufferUsageFlagBits::eSimultaneousUse,
                                          level == Level::kSecondary ? &nothing : nullptr);
  expect(commands_.begin(&info, functions_), "beginning a command buffer");
  if (level == Level::kPrimary) barrier(kBeginBarrier);
}

void Recorder::barrier(const ::vk::MemoryBarrier2& memory) {
  const ::vk::DependencyInfo dependency({}, memory);
  commands_.pipelineBarrier2(&dependency, functions_);
}

void Recorder::synchronize(const AccessedBytes* accesses, std::size_t count) {
  const bool conflict = std::any_of(accesses, accesses + count,
                                    [&](const AccessedBytes& one) { return scratch_->since_barrier.conflicts(one); });
  if (conflict) {
    barrier(kCommandBarrier);
    ++contents_.barriers;
    scratch_->since_barrier.clear();
  }
  // `whole` becomes accesses() of the finished command buffer. Only execute() compares reads, those of a secondary.
  const bool is_secondary = contents_.resources->level == Level::kSecondary;
  for (const AccessedBytes* one = accesses; one != accesses + count; ++one) {
    scratch_->since_barrier.add(*one);
    if (is_secondary || one->access != Access::kRead) scratch_->whole.add(*one);
  }
}

void Recorder::dispatch(const Dispatch& dispatch) {
  if (dispatch.groups[0] == 0 || dispatch.groups[1] == 0 || dispatch.groups[2] == 0) return;
  if (runs_as_copy(dispatch, contents_.store->gpu()))
    return copy(dispatch.operands[1].range, dispatch.operands[0].range);
  check_groups(dispatch, contents_.store->gpu().limits());
  const Pipeline& pipeline = dispatch.pipeline ? *dispatch.pipeline : contents_.store->pipelines().find(dispatch);
  collect_accesses(dispatch);
  if (dispatch.custom) return dispatch_custom(dispatch, pipeline);
  write_block(dispatch, pipeline);
  synchronize(scratch_->accesses.data(), scratch_->accesses.size());
  bind(dispatch, pipeline);
  commands_.dispatch(dispatch.groups[0], dispatch.groups[1], dispatch.groups[2], functions_);
  ++contents_.commands;
}

void Recorder::collect_accesses(const Dispatch& dispatch) {
  scratch_->accesses.clear();
  for (const DispatchOperand& operand : dispatch.operands) {
    if (!operand.range.buffer) continue;  // an optional operand without a value
    check_inside(operand.range);
    scratch_->accesses.push_back(accessed_by(operand));
    retain(operand.range.buffer);
  }
}

AccessedBytes Recorder::accessed_by(const DispatchOperand& operand) const {
  const BufferRange& range = operand.range;
  if (!track_whole_descriptors_ || range.size == 0) return accessed(range, operand.access);
  const Interval bytes = descriptor_interval(range);
  const std::uint64_t buffer = range.address() - range.offset;
  return {{buffer + bytes.begin, buffer + bytes.end}, operand.access};
}

void Recorder::bind(const Dispatch& dispatch, const Pipeline& pipeline) {
  if (bound_pipeline_ != &pipeline)
    commands_.bindPipeline(::vk::PipelineBindPoint::eCompute, *pipeline.handle, functions_);
  bound_pipeline_ = &pipeline;
  push_block(dispatch, pipeline);
}

void Recorder::warm_up(const Dispatch& dispatch) {
  for (const DispatchOperand& operand : dispatch.operands) {
    if (operand.range.buffer) retain(operand.range.buffer);
  }
  write_block(dispatch, *dispatch.pipeline);
  bind(dispatch, *dispatch.pipeline);
  commands_.dispatch(0, 0, 0, functions_);
}

// Writes the operands' addresses into the blocks of a joined dispatch. PipelineStore::key_of() selects a variant with
// device addresses and the block in memory for it, so it has no descriptors.
void Recorder::write_joined_blocks(const Dispatch& dispatch) {
  scratch_->descriptors.clear();
  scratch_->block.assign(dispatch.arguments.begin(), dispatch.arguments.end());
  for (std::size_t i = 0; i < dispatch.operands.size(); ++i) {
    const std::uint64_t address = dispatch.operands[i].range.address();
    std::memcpy(scratch_->block.data() + dispatch.joined.slot(i), &address, sizeof(address));
  }
}

// Writes the argument block, [8-byte slot for each operand][arguments], and the descriptors of the operands
// (embedded_shaders.hpp).
void Recorder::write_block(const Dispatch& dispatch, const Pipeline& pipeline) {
  if (dispatch.joined.operands > 0) return write_joined_blocks(dispatch);
  const std::size_t slots = dispatch.operands.size() * 8;
  scratch_->block.assign((slots + dispatch.arguments.size() + 3) / 4 * 4, std::byte{0});
  scratch_->descriptors.clear();
  for (std::size_t i = 0; i < dispatch.operands.size(); ++i) {
    const BufferRange& range = dispatch.operands[i].range;
    std::uint64_t slot = 0;
    if (!pipeline.addresses) {
      scratch_->descriptors.push_back(descriptor(range, slot));
    } else if (range.buffer) {
      slot = range.address();
    }
    std::memcpy(scratch_->block.data() + i * 8, &slot, 8);
  }
  if (!dispatch.arguments.empty()) {
    std::memcpy(scratch_->block.data() + slots, dispatch.arguments.data(), dispatch.arguments.size());
  }
}

// Returns the bytes of the buffer that the operand's descriptor covers. Kernels load whole 32-byte lines, so the range
// is rounded up to one even when the operand ends inside it.
Interval Recorder::descriptor_interval(const BufferRange& range) const {
  const std::uint64_t alignment = contents_.store->gpu().limits().storage_buffer_alignment;
  const std::uint64_t end = (range.offset + range.size + 31) / 32 * 32;
  return {range.offset / alignment * alignment, std::min(end, range.buffer->bytes())};
}

::vk::DescriptorBufferInfo Recorder::descriptor(const BufferRange& operand, std::uint64_t& offset_in_binding) const {
  // Without the nullDescriptor feature an unused or empty operand needs a valid buffer.
  if (!operand.buffer || operand.size == 0) return descriptor(contents_.store->pattern(0), offset_in_binding);
  const Interval bytes = descriptor_interval(operand);
  offset_in_binding = operand.offset - bytes.begin;
  return {handle_of(operand), bytes.begin, bytes.end - bytes.begin};
}

// A set with a block in memory belongs to one command; all others are cached.
::vk::DescriptorSet Recorder::descriptor_set(const Dispatch& dispatch, const Pipeline& pipeline) {
  if (pipeline.block_in_memory)
    return contents_.resources->descriptors.allocate(*pipeline.layout, scratch_->descriptors);
  const auto set = contents_.store->descriptor_sets().find(*pipeline.layout, scratch_->descriptors, dispatch.operands);
  retain(set);
  return set->handle();
}

void Recorder::push_block(const Dispatch& dispatch, const Pipeline& pipeline) {
  const ::vk::PipelineLayout layout = *pipeline.layout->layout;
  std::uint64_t address = 0;
  const void* constants = scratch_->block.data();
  auto bytes = static_cast<std::uint32_t>(scratch_->block.size());
  if (pipeline.block_in_memory) {
    const std::uint64_t alignment = contents_.store->gpu().limits().storage_buffer_alignment;
    // Variant 1 binds the block as its last storage buffer, variant 3 gets its address (embedded_shaders.hpp).
    const BufferRange memory = contents_.resources->arguments.allocate(scratch_->block.size(), alignment);
    std::memcpy(memory.mapped(), scratch_->block.data(), scratch_->block.size());
    address = memory.address();
    constants = &address;
    bytes = pipeline.addresses ? 8 : 0;
    scratch_->descriptors.emplace_back(handle_of(memory), memory.offset, memory.size);
  }
  if (pipeline.layout->bindings > 0) {
    const ::vk::DescriptorSet set = descriptor_set(dispatch, pipeline);
    commands_.bindDescriptorSets(::vk::PipelineBindPoint::eCompute, layout, 0, 1, &set, 0, nullptr, functions_);
  }
  if (bytes > 0) commands_.pushConstants(layout, ::vk::ShaderStageFlagBits::eCompute, 0, bytes, constants, functions_);
}

void Recorder::copy(const BufferRange& dst, const BufferRange& src) {
  check(dst.size == src.size, Code::kRuntimeInternal, "a copy has {} bytes on one side and {} on the other.", src.size,
        dst.size);
  if (dst.size == 0) return;
  check_inside(dst);
  check_inside(src);
  if (overlap(dst, src)) return copy_in_chunks(dst, src);
  synchronize({accessed(src, Access::kRead), accessed(dst, Access::kWrite)});
  retain(src.buffer);
  retain(dst.buffer);
  copy_bytes(dst, src);
  ++contents_.commands;
}

// Copies in chunks of the distance, from the end when dst follows src, so that each chunk is read before it is
// overwritten.
void Recorder::copy_in_chunks(const BufferRange& dst, const BufferRange& src) {
  const std::uint64_t max_bytes = distance(dst, src);
  if (max_bytes == 0) return;
  const bool from_end = dst.address() > src.address();
  for (std::uint64_t done = 0; done < dst.size; done += max_bytes) {
    const std::uint64_t bytes = std::min(max_bytes, dst.size - done);
    const std::uint64_t at = from_end ? dst.size - done - bytes : done;
    copy(dst.slice(at, bytes), src.slice(at, bytes));
  }
}

void Recorder::copy_bytes(const BufferRange& dst, const BufferRange& src) {
  const ::vk::BufferCopy region(src.offset, dst.offset, dst.size);
  commands_.copyBuffer(handle_of(src), handle_of(dst), 1, &region, functions_);
}

void Recorder::copy_2d(const Copy2d& copy) {
  if (copy.width == 0 || copy.height == 0) return;
  if (copy.width == copy.dst_pitch && copy.width == copy.src_pitch) {
    // Rows without gaps are one range.
    const std::uint64_t bytes = copy.width * copy.height;
    check(bytes <= copy.dst.size && bytes <= copy.src.size, Code::kRuntimeInternal,
          "{} rows of {} bytes do not fit into their ranges.", copy.height, copy.width);
    this->copy(copy.dst.slice(0, bytes), copy.src.slice(0, bytes));
    return;
  }
  const std::uint64_t last = copy.height - 1;
  const BufferRange dst = copy.dst.slice(0, copy.dst_pitch * last + copy.width);
  const BufferRange src = copy.src.slice(0, copy.src_pitch * last + copy.width);
  check(dst.size <= copy.dst.size && src.size <= copy.src.size, Code::kRuntimeInternal,
        "{} rows of {} bytes do not fit into their ranges.", copy.height, copy.width);
  check_inside(dst);
  check_inside(src);
  if (rows_overlap({dst, src, copy.dst_pitch, copy.src_pitch, copy.width, copy.height})) return copy_row_by_row(copy);
  synchronize({accessed(src, Access::kRead), accessed(dst, Access::kWrite)});
  retain(src.buffer);
  retain(dst.buffer);
  std::vector<::vk::BufferCopy> rows;
  rows.reserve(copy.height);
  for (std::uint64_t row = 0; row < copy.height; ++row) {
    rows.emplace_back(src.offset + row * copy.src_pitch, dst.offset + row * copy.dst_pitch, copy.width);
  }
  commands_.copyBuffer(handle_of(src), handle_of(dst), static_cast<std::uint32_t>(rows.size()), rows.data(),
                       functions_);
  ++contents_.commands;
}

// The order of the rows is by address, because windows of one memory are buffers of their own.
void Recorder::copy_row_by_row(const Copy2d& rows) {
  visit_rows(rows.dst.address(), rows.dst_pitch, rows.src.address(), rows.src_pitch, rows.height,
             [&](std::uint64_t row) {
               copy(rows.dst.slice(row * rows.dst_pitch, rows.width), rows.src.slice(row * rows.src_pitch, rows.width));
             });
}

// vkCmdFillBuffer fills whole words. The up to 3 bytes before and after them are copied from a buffer that holds each
// byte value 4 times. Reading, modifying and writing the words at the edges instead would race with writes of
// neighbouring bytes.
void Recorder::fill(const BufferRange& dst, std::uint8_t value) {
  if (dst.size == 0) return;
  check_inside(dst);
  synchronize({accessed(dst, Access::kWrite)});
  retain(dst.buffer);
  const BufferRange pattern = contents_.store->pattern(value);
  const std::uint64_t head = std::min<std::uint64_t>((4 - dst.offset % 4) % 4, dst.size);
  const std::uint64_t words = (dst.size - head) / 4 * 4;
  const std::uint64_t tail = dst.size - head - words;
  if (head > 0) copy_bytes(dst.slice(0, head), pattern.slice(0, head));
  if (words > 0) commands_.fillBuffer(handle_of(dst), dst.offset + head, words, value * 0x01010101U, functions_);
  if (tail > 0) copy_bytes(dst.slice(head + words, tail), pattern.slice(0, tail));
  ++contents_.commands;
}

void Recorder::fill_words(const BufferRange& dst, std::uint32_t value) {
  if (dst.size == 0) return;
  check_inside(dst);
  check_words(dst);
  synchronize({accessed(dst, Access::kWrite)});
  retain(dst.buffer);
  commands_.fillBuffer(handle_of(dst), dst.offset, dst.size, value, functions_);
  ++contents_.commands;
}

void Recorder::write_word(const BufferRange& dst, std::uint64_t value) {
  const BufferRange word = dst.slice(0, sizeof(value));
  check(dst.size >= sizeof(value), Code::kRuntimeInternal, "a 64-bit word does not fit into {} bytes.", dst.size);
  check_inside(word);
  check_words(word);
  synchronize({accessed(word, Access::kWrite)});
  retain(word.buffer);
  commands_.updateBuffer(handle_of(word), word.offset, sizeof(value), &value, functions_);
  ++contents_.commands;
}

void Recorder::execute(const std::shared_ptr<CommandBuffer>& secondary) {
  const auto& recorded = static_cast<const RecordedCommands&>(*secondary);
  check(contents_.resources->level == Level::kPrimary && recorded.level() == Level::kSecondary, Code::kRuntimeInternal,
        "only a primary command buffer can execute another, which must be a secondary.");
  synchronize(recorded.accesses().data(), recorded.accesses().size());
  contents_.retained.push_back(secondary);
  const ::vk::CommandBuffer handle = recorded.handle();
  commands_.executeCommands(1, &handle, functions_);
  bound_pipeline_ = nullptr;  // executing a secondary leaves the state of the primary undefined
  contents_.commands += recorded.commands();
  contents_.barriers += recorded.barriers();
}

void Recorder::write_timestamp(const std::shared_ptr<Timestamps>& times) {
  retain(times);
  const VulkanTimestamps::Slot slot = static_cast<VulkanTimestamps&>(*times).add();
  // At the bottom of the pipe the timestamp is taken when all earlier commands have completed.
  commands_.writeTimestamp2(Stage::eBottomOfPipe, slot.pool, slot.index, functions_);
}

void Recorder::full_barrier() {
  barrier(kCommandBarrier);
  ++contents_.barriers;
  scratch_->since_barrier.clear();
}

std::shared_ptr<CommandBuffer> Recorder::finish() {
  check(contents_.resources != nullptr, Code::kRuntimeInternal, "the recorder has finished already.");
  if (contents_.resources->level == Level::kPrimary) barrier(kEndBarrier);
  expect(::vk::Result(functions_.vkEndCommandBuffer(commands_)), "ending a command buffer");
  // execute() of a primary and CommandBuffer::writes() compare these intervals.
  for (const Interval& bytes : scratch_->whole.reads().intervals())
    contents_.accesses.push_back({bytes, Access::kRead});
  for (const Interval& bytes : scratch_->whole.writes().intervals())
    contents_.accesses.push_back({bytes, Access::kWrite});
  contents_.store->give_back(std::move(scratch_));
  return std::make_shared<RecordedCommands>(std::move(contents_));
}

}  // namespace aclvk::vk
