#include "support/null_device/null_commands.hpp"

#include <algorithm>
#include <cstring>

#include "base/word_copy.hpp"
#include "support/null_device/null_buffer.hpp"
#include "vk_device/commands/copy_commands.hpp"

namespace aclvk {
namespace {

class Execution {
 public:
  explicit Execution(NullKernels& kernels) : kernels_(kernels) {}

  void operator()(const vk::Dispatch& dispatch) const { kernels_.run(dispatch); }
  void operator()(const NullCopy& copy) const {
    copy_host_bytes(bytes_of(copy.dst), bytes_of(copy.src), copy.dst.size);
  }
  void operator()(const NullFill& fill) const { std::memset(bytes_of(fill.dst), fill.value, fill.dst.size); }
  void operator()(const NullWordFill& fill) const {
    for (std::uint64_t at = 0; at < fill.dst.size; at += sizeof(fill.value)) {
      copy_host_bytes(bytes_of(fill.dst) + at, &fill.value, sizeof(fill.value));
    }
  }
  void operator()(const NullWordWrite& write) const {
    copy_host_bytes(bytes_of(write.dst), &write.value, sizeof(write.value));
  }
  void operator()(const vk::Copy2d& rows) const {
    vk::visit_rows(rows.dst.address(), rows.dst_pitch, rows.src.address(), rows.src_pitch, rows.height,
                   [&](std::uint64_t row) {
                     std::memmove(bytes_of(rows.dst) + row * rows.dst_pitch, bytes_of(rows.src) + row * rows.src_pitch,
                                  rows.width);
                   });
  }
  void operator()(const NullExecute& execute) const { execute.secondary->run(kernels_); }
  void operator()(const NullTimestamp& timestamp) const { timestamp.times->write(timestamp.index); }
  void operator()(const NullBarrier&) const {}

 private:
  NullKernels& kernels_;
};

}  // namespace

bool NullCommandBuffer::writes(const vk::BufferRange& range) const {
  const std::uint64_t begin = range.address();
  return std::any_of(accesses().begin(), accesses().end(), [&](const vk::AccessedBytes& accessed) {
    return accessed.access != vk::Access::kRead && accessed.bytes.begin < begin + range.size &&
           begin < accessed.bytes.end;
  });
}

void NullCommandBuffer::run(NullKernels& kernels) const {
  for (const NullCommand& command : contents_.list) std::visit(Execution(kernels), command);
}

}  // namespace aclvk
