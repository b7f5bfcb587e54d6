#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "ops/executor/call_arguments.hpp"
#include "ops/executor/executor.hpp"
#include "ops/tensor/tensor.hpp"
#include "runtime/dump/active_dumps.hpp"
#include "runtime/json_text.hpp"

namespace aclvk::ops {

/// The dump of one operator call, for the targets that were active at the call: what is known at the launch, and the
/// values of its tensors before and after each run. Host tasks around the kernels own it. Thread safe.
class CallDump {
 public:
  CallDump(const std::string& op, const std::string& name, runtime::Stream& stream);

  void add(const CallArguments& arguments, const Executor::Operands* operands);

  /// Returns whether a target dumps values, which needs host tasks.
  bool wants_values() const;
  bool captured() const { return captured_; }

  /// The host tasks before and after the kernels. Called once per run; a model may run several times.
  void before();
  void after();
  /// Writes a line without values to all targets; `why` says why there are none.
  void write_without_values(const char* why);
  void write_failure(const Error& error);

 private:
  /// The elements of a tensor, or the reason why they cannot be read.
  struct Values {
    std::vector<std::byte> elements;
    std::string missing;
  };

  struct Parameter {
    runtime::JsonObject shown;
    bool is_list = false;
  };

  /// A tensor of the call.
  struct DumpedTensor {
    std::size_t parameter = 0;
    std::string label;  // for file names
    Tensor tensor;
    bool read = false;
    bool written = false;
  };

  /// The values of one run for one target: JSON for each tensor, or empty.
  struct TargetEntry {
    runtime::DumpTargetPtr target;
    std::vector<std::string> before;
    std::vector<std::string> after;
  };
  struct Run {
    std::uint64_t sequence = 0;
    std::optional<std::uint64_t> replay;
    std::vector<TargetEntry> target_entries;
    std::vector<std::optional<Values>> inputs;  // for targets that dump overflows only, which decide after the run
  };

  static Values read(const Tensor& tensor);
  static runtime::JsonObject describe(const DumpedTensor& dumped);
  void add_dumped_tensor(const CallArguments::Argument& argument, const std::string& label, const Tensor& tensor);
  Run begin_run() REQUIRES(mutex_);
  std::string dump_values(const Run& run, const TargetEntry& target_entry, const DumpedTensor& dumped, const char* when,
                          const Values& values) const;
  bool is_discarded(const TargetEntry& target_entry, const std::vector<std::optional<Values>>& outputs) const;
  /// Returns the JSON line of a run, with the values of a target unless it is null.
  runtime::JsonObject line(const Run& run, const TargetEntry* target_entry) const;
  std::string arguments(const TargetEntry* target_entry) const;
  void write_to_all_targets(const char* member, const std::string& json);

  const std::string op_;
  const std::string name_;
  const std::uint32_t device_;
  const bool captured_;
  const std::uint64_t sequence_ = runtime::next_call_number();
  const std::vector<runtime::DumpTargetPtr> targets_ = runtime::dump_targets();
  const double time_;
  const int thread_;
  const std::uint32_t stream_;
  std::vector<Parameter> parameters_;
  std::vector<DumpedTensor> dumped_tensors_;

  Mutex mutex_;
  std::uint64_t runs_ GUARDED_BY(mutex_) = 0;
  std::optional<Run> run_ GUARDED_BY(mutex_);  // between before() and after()
};

}  // namespace aclvk::ops
