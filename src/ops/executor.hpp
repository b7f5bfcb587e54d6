#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/dump/call_arguments.hpp"
#include "ops/tensor_numbers.hpp"
#include "ops/tensor_slots.hpp"
#include "runtime/device/execution.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::runtime {
class Stream;
}

namespace aclvk::ops {

/// An aclOpExecutor: what the first phase worked out and the second runs. Holds copies of the tensors, so that
/// addresses can be replaced between runs of a repeatable executor; the kernels are built from them again when one has
/// changed, because the choice of kernel depends on alignment. docs/adr/0026 has the rules for addresses.
class Executor {
 public:
  struct Operands {
    TensorSlots inputs;
    TensorSlots outputs;
    InlineVector<UpdatedSlots, 4> updated{};
    std::byte* workspace = nullptr;  ///< as kWorkspaceAlignment says

    const Tensor& input(std::size_t slot) const { return inputs.tensor(slot, 0); }
    const Tensor& output(std::size_t slot) const { return outputs.tensor(slot, 0); }
  };
  /// The kernels of an operator, in order. Called with a NULL workspace in the first phase: it must not look at memory.
  using Build = std::function<std::vector<runtime::Kernel>(const Operands&)>;

  /// Builds the kernels at once, so that what they refuse is refused in the first phase. `name` is a string literal.
  Executor(std::string_view name, Operands operands, Build build, std::uint64_t workspace_bytes = 0);
  /// With the kernels that have been built of these operands already; they need no workspace.
  Executor(std::string_view name, Operands operands, Build build, std::vector<runtime::Kernel> kernels);

  std::string_view name() const { return name_; }
  /// What the kernels need, and room to begin at a place that they can use.
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  bool repeatable() const { return repeatable_; }
  void set_repeatable() { repeatable_ = true; }

  /// The arguments of the first phase, for recordings. Behind number(), before the executor is shared.
  void describe(CallArguments arguments);

  /// The parameters of the first phase, as callers of set_address() count them. Before the executor is shared.
  void number(TensorNumbers&& numbers) { numbers_ = std::move(numbers); }

  /// The operator reads or writes tensors of this blocked format as such, where it says so.
  void takes_format(int format) { format_ = format; }
  /// 161002 for an operand whose elements do not lie as its strides say, in blocks that the operator does not take.
  void check_formats() const;

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

  // New addresses for the next run. A tensor of the plan moves wherever it is an operand; another one stands for the
  // operand with that number. 161002 for a number that does not exist or stands for no tensor, and for an address
  // between elements.

  void set_address(TensorNumbers::Count count, std::size_t number, const Tensor& tensor, void* address);
  /// The same for a member of a parameter that is a list. `tensor` may be null.
  void set_address_in_list(TensorNumbers::Count count, std::size_t number, std::size_t index, const Tensor* tensor,
                           void* address);

  /// The second phase.
  void run(void* workspace, std::uint64_t workspace_bytes, runtime::Stream& stream);

 private:
  std::vector<runtime::Kernel> prepare(void* workspace);
  Operands operands();
  template <typename Visit>
  void for_each_operand(Visit&& visit);
  std::vector<Tensor*> operands_of(const Tensor& tensor);
  std::vector<Tensor*> operands_of(const TensorNumbers::Parameter& parameter, std::size_t index);
  const TensorNumbers& numbers() const;
  std::string display_name(const Tensor& operand) const;
  void set_operand_addresses(const Tensor* tensor, const TensorNumbers::Member& named, void* address);
  void remember_addresses();
  void apply_tensor_moves();
  void update_missing_address();
  void check_all_addresses() const;

  const std::string_view name_;
  const Build build_;
  const std::uint64_t workspace_bytes_;
  const runtime::Execution execution_;  // of the device that the kernels were chosen for
  const void* replaced_ = nullptr;
  TensorPtr replacement_;
  Continue continue_;                               // empty for all but few operators
  std::unique_ptr<const CallArguments> arguments_;  // null unless something records
  mutable TensorNumbers numbers_;                   // by themselves until numbers() is asked
  mutable bool numbers_matched_ = false;
  std::optional<int> format_;  // blocked

  std::mutex mutex_;
  Operands operands_;
  std::vector<runtime::Kernel> kernels_;
  bool kernels_outdated_ = false;
  bool missing_address_ = false;             // an operand has a placeholder
  const bool planned_with_missing_address_;  // it had one in the first phase
  // Of the operands, inputs first: where the program's tensors were when they were looked at last. Empty as long as no
  // operand has moved.
  std::vector<const void*> last_addresses_;
  std::uint64_t last_address_changes_ = 0;  // address_changes() of then
  std::atomic<bool> repeatable_{false};
};

}  // namespace aclvk::ops
