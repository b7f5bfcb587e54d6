#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/inline_vector.hpp"
#include "base/mutex.hpp"
#include "ops/executor/call_arguments.hpp"
#include "ops/executor/tensor_numbers.hpp"
#include "ops/tensor/tensor_slots.hpp"
#include "runtime/context/execution.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime {
class Stream;
}

namespace aclvk::ops {

/// An aclOpExecutor: the result of an operator's first phase, which the second phase runs. Keeps the tensors and the
/// kernels built from them. Kernels are built again when an address has changed, because the choice of kernel
/// depends on alignment; docs/adr/0026 has the rules for addresses. A mutex guards the operands and the kernels, so
/// that several threads may run a repeatable executor; setters marked so are for the first phase, before the executor
/// is shared.
class Executor {
 public:
  struct Operands {
    TensorSlots inputs;
    TensorSlots outputs;
    InlineVector<UpdatedSlots, 4> updated{};
    std::byte* workspace = nullptr;  ///< aligned to kWorkspaceAlignment
    bool compares_outputs = false;   ///< the operator itself refuses outputs that share memory

    const Tensor& input(std::size_t slot) const { return inputs.tensor(slot, 0); }
    const Tensor& output(std::size_t slot) const { return outputs.tensor(slot, 0); }

    // All tensors, numbered from 0, inputs first.

    std::size_t tensors() const { return inputs.tensors() + outputs.tensors(); }
    const Tensor& tensor(std::size_t number) const;
    void set_address(std::size_t number, void* address);
    /// Returns whether a tensor whose address was NULL in the first phase still has none.
    bool has_placeholders() const;
  };
  /// Returns the kernels of an operator, in order. The workspace is NULL in the first phase; memory must not be
  /// accessed.
  using Build = std::function<std::vector<runtime::Kernel>(const Operands&)>;

  /// Builds the kernels at once, so that their checks fail in the first phase. `name` is a string literal.
  Executor(std::string_view name, Operands operands, Build build, std::uint64_t workspace_bytes = 0);
  /// Takes kernels that were built of these operands already. They need no workspace.
  Executor(std::string_view name, Operands operands, Build build, std::vector<runtime::Kernel> kernels);
  virtual ~Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  std::string_view name() const { return name_; }
  /// The bytes that the kernels need, plus kWorkspaceAlignment for aligning the start.
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }
  bool repeatable() const { return repeatable_; }
  void set_repeatable() { repeatable_ = true; }

  /// Stores the arguments of the first phase for dumps. First phase only, after parameters() has them.
  void describe(CallArguments arguments);
  /// The arguments of the first phase; null unless dumps were active then.
  const CallArguments* arguments() const { return arguments_.get(); }
  /// A copy of the operands, with their current addresses.
  Operands operands();

  /// The parameters as callers of set_address() count them, to which the first phase adds those of the call. First
  /// phase only, before describe().
  TensorNumbers& parameters() { return numbers_; }

  /// Accepts tensors of this blocked format besides plain ones. First phase only.
  void takes_format(int format) { format_ = format; }
  /// Throws 161002 for an operand in a blocked format that the operator does not accept.
  void check_formats() const;
  /// Throws 161002 when two outputs that the kernels write share elements. Parameters that are updated in place are
  /// outputs. Members of one list are not compared: the operators on lists do that. For the first phase; each later
  /// choice of kernels checks it again.
  void check_outputs() const;

  /// For operators whose first phase changes a tensor of the program: take_effect(), called when the first phase has
  /// succeeded, replaces the object of `handle` by `tensor`.
  void will_replace(const aclTensor* handle, TensorPtr tensor);
  void take_effect();

  /// For operators with results of dynamic length: the function that the second phase calls after the kernels. It waits
  /// for the stream, so such an operator runs only on streams that the host may wait for (check_stream).
  using Continue = std::function<void(const Operands&, runtime::Stream&)>;
  void will_continue(Continue then) { continue_ = std::move(then); }
  /// Throws when the operator waits for the stream and the stream cannot be waited for: kStreamCaptured during a
  /// capture, kNnRuntime for a stream that serves models.
  void check_stream(const runtime::Stream& stream) const;

  // Set an address for the next run. When `tensor` is a tensor of the plan, all operands that are this tensor get the
  // address; otherwise the operand with the number gets it. Both throw 161002 for a number without a parameter, for a
  // parameter that is NULL, and for an address that is not a multiple of the element size.

  void set_address(TensorNumbers::Count count, std::size_t number, const Tensor& tensor, void* address);
  /// Sets the address of a list's member. `tensor` may be null.
  void set_address_in_list(TensorNumbers::Count count, std::size_t number, std::size_t index, const Tensor* tensor,
                           void* address);

  // The second phase: launch(prepare(...)). run_executor() of ops/dump/dump_call.hpp adds dumps of the tensors.

  /// Checks the workspace and the stream's device, and returns the kernels of a run.
  std::vector<runtime::Kernel> prepare(void* workspace, std::uint64_t workspace_bytes, const runtime::Stream& stream);
  /// Launches the kernels of a run on the stream.
  void launch(std::vector<runtime::Kernel> kernels, runtime::Stream& stream);

 protected:
  /// For operators that need no workspace and whose first phase has a plan: kernels are built by planned_kernels() when
  /// it runs, and by build_kernels() once an address has changed.
  Executor(std::string_view name, Operands&& operands);

 private:
  /// Builds the kernels for these operands.
  virtual std::vector<runtime::Kernel> build_kernels(const Operands& operands) const { return build_(operands); }
  /// Builds the kernels for the addresses of the first phase, which has checked them.
  virtual std::vector<runtime::Kernel> planned_kernels(const Operands& operands) const { return build_(operands); }

  using OperandNumbers = InlineVector<std::size_t, 4>;  // as Operands::tensor() counts

  std::vector<runtime::Kernel> kernels_for(void* workspace);
  void update_kernels(std::byte* workspace) REQUIRES(mutex_);
  OperandNumbers numbers_of(const Tensor& tensor) const;
  OperandNumbers numbers_of(const TensorNumbers::Parameter& parameter, std::size_t index) const;
  std::vector<bool> written_outputs() const;
  const TensorNumbers& numbers() const;
  std::string display_name(std::size_t operand) const;
  void check_address(std::size_t operand, void* address) const;
  void set_operand_addresses(const Tensor* tensor, const TensorNumbers::Member& named, void* address) REQUIRES(mutex_);
  void remember_addresses() REQUIRES(mutex_);
  void apply_tensor_moves() REQUIRES(mutex_);
  void check_all_addresses() const REQUIRES(mutex_);

  const std::string_view name_;
  const Build build_;  // empty in a derived class, which overrides the functions that call it
  const std::uint64_t workspace_bytes_;
  const runtime::Execution execution_;  // of the device for which the kernels were chosen
  const void* replaced_ = nullptr;
  TensorPtr replacement_;
  Continue continue_;                               // empty unless the results have dynamic length
  std::unique_ptr<const CallArguments> arguments_;  // null unless dumps were active in the first phase
  mutable TensorNumbers numbers_;                   // matched to the operands by the first numbers()
  mutable bool numbers_matched_ = false;
  std::optional<int> format_;  // the blocked format that is accepted

  Mutex mutex_ ACQUIRED_BEFORE(runtime::scheduler_mutex);
  Operands operands_;  // the first phase reads them without the mutex: no other thread has the executor then
  std::vector<runtime::Kernel> kernels_ GUARDED_BY(mutex_);
  bool kernels_outdated_ GUARDED_BY(mutex_) = false;
  bool kernels_planned_ GUARDED_BY(mutex_) = false;  // kernels_ are still to be built by planned_kernels()
  bool missing_address_ GUARDED_BY(mutex_) = false;  // an operand has a placeholder
  const bool planned_with_missing_address_;          // it had one in the first phase
  // The address of each operand's tensor at the last comparison, inputs first. Empty until the first address changes.
  std::vector<const void*> last_addresses_ GUARDED_BY(mutex_);
  std::uint64_t last_address_changes_ GUARDED_BY(mutex_) = 0;  // address_changes() at that time
  std::atomic<bool> repeatable_{false};
};

}  // namespace aclvk::ops
