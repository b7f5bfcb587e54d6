#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/record/call_arguments.hpp"
#include "ops/tensor_slots.hpp"
#include "runtime/device/execution.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::runtime {
class Stream;
}

namespace aclvk::ops {

/// An aclOpExecutor: what the first phase worked out and the second runs. Holds copies of the tensors, so that
/// addresses can be replaced between runs of a repeatable executor; the kernels are built from them again when one has
/// changed, because the choice of kernel depends on alignment.
class Executor {
 public:
  /// A parameter that the operator reads and writes: a slot of the inputs and one of the outputs, whose tensors move
  /// together. (An output that merely has the address of an input is a parameter of its own.)
  struct Updated {
    std::size_t input;
    std::size_t output;
  };
  struct Operands {
    TensorSlots inputs;
    TensorSlots outputs;
    InlineVector<Updated, 4> updated{};
    std::byte* workspace = nullptr;  ///< as kWorkspaceAlignment says

    const Tensor& input(std::size_t slot) const { return inputs.tensor(slot, 0); }
    const Tensor& output(std::size_t slot) const { return outputs.tensor(slot, 0); }
  };
  /// The kernels of an operator, in order. Called with a NULL workspace in the first phase: it must not look at memory.
  using Build = std::function<std::vector<runtime::Kernel>(const Operands&)>;

  /// Builds the kernels at once, so that what they refuse is refused in the first phase. `name` is a string literal.
  Executor(std::string_view name, Operands operands, Build build, std::uint64_t workspace_bytes = 0);

  std::string_view name() const { return name_; }
  /// What the kernels need, and room to begin at a place that they can use.
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  bool repeatable() const { return repeatable_; }
  void set_repeatable() { repeatable_ = true; }

  /// The arguments of the first phase, for recordings. Before the executor is shared.
  void describe(CallArguments arguments);

  /// For operators that change a tensor of the program: what the handle stands for once take_effect() says that the
  /// first phase has succeeded.
  void will_replace(const void* handle, TensorPtr tensor);
  void take_effect();

  /// For operators whose results are as long as the device finds out: what the second phase does behind the kernels. It
  /// waits for the stream, so such an operator runs on streams that the host may wait for (check_stream).
  using Continue = std::function<void(const Operands&, runtime::Stream&)>;
  void will_continue(Continue then) { continue_ = std::move(then); }
  /// Refuses a stream as a call that waits for it does: kStreamCaptured while it is being captured.
  void check_stream(const runtime::Stream& stream) const;

  // New addresses for the next run. 161002 for an index that does not exist or stands for no tensor, and for an address
  // that the first phase refuses.

  void set_input_address(std::size_t index, void* address);
  void set_output_address(std::size_t index, void* address);
  void set_address(std::size_t index, void* address);  ///< inputs, then outputs
  void set_list_input_address(std::size_t slot, std::size_t index, void* address);
  void set_list_output_address(std::size_t slot, std::size_t index, void* address);
  void set_list_address(std::size_t slot, std::size_t index, void* address);  ///< inputs, then outputs

  /// The second phase.
  void run(void* workspace, std::uint64_t workspace_bytes, runtime::Stream& stream);

 private:
  std::vector<runtime::Kernel> prepare(void* workspace);
  Operands operands();
  TensorSlots& slots_of(bool written) { return written ? operands_.outputs : operands_.inputs; }
  void move(bool written, std::size_t slot, std::size_t index, void* address);
  void set_in(bool written, std::size_t index, void* address);
  void set_in_list(bool written, std::size_t slot, std::size_t index, void* address);

  const std::string_view name_;
  const Build build_;
  const std::uint64_t workspace_bytes_;
  const runtime::Execution execution_;  // of the device that the kernels were chosen for
  const void* replaced_ = nullptr;
  TensorPtr replacement_;
  Continue continue_;                               // empty for all but few operators
  std::unique_ptr<const CallArguments> arguments_;  // null unless something records

  std::mutex mutex_;
  Operands operands_;
  std::vector<runtime::Kernel> kernels_;
  bool stale_ = false;
  std::atomic<bool> repeatable_{false};
};

}  // namespace aclvk::ops
