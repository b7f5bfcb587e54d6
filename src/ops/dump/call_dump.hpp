#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "ops/dump/call_arguments.hpp"
#include "ops/executor.hpp"
#include "ops/tensor.hpp"
#include "runtime/json_text.hpp"
#include "runtime/record/recording.hpp"

namespace aclvk::ops {

/// A call on its way into the recordings that there were when it was made: what is known of it at the launch, and what
/// the stream finds each time that it comes to the operator. Thread safe.
class CallDump {
 public:
  CallDump(const std::string& op, const std::string& name, runtime::Stream& stream);

  void add(const CallArguments& arguments, const Executor::Operands* operands);

  /// Host tasks are needed for what is recorded.
  bool wants_values() const;
  bool captured() const { return captured_; }

  /// What the stream does when it comes to the operator, and when it has done it; each time, if it comes again.
  void before();
  void after();
  /// A line without values.
  void write_without_values(const char* why);
  void write_failure(const Error& error);

 private:
  /// The elements of a tensor, or why there are none.
  struct Values {
    std::vector<std::byte> elements;
    std::string missing;
  };

  struct Parameter {
    runtime::JsonObject shown;
    bool is_list = false;
  };

  /// One of the tensors of a call. They are in the order of its parameters.
  struct DumpedTensor {
    std::size_t parameter = 0;
    std::string label;  // in names of files
    Tensor tensor;
    bool read = false;
    bool written = false;
  };

  /// A passage of the stream, as one target keeps it: for each tensor, JSON or nothing.
  struct TargetEntry {
    runtime::RecordTargetPtr target;
    std::vector<std::string> before;
    std::vector<std::string> after;
  };
  struct Run {
    std::uint64_t sequence = 0;
    std::optional<std::uint64_t> replay;
    std::vector<TargetEntry> target_entries;
    std::vector<std::optional<Values>> inputs;  // for those that decide at the end
  };

  static Values read(const Tensor& tensor);
  static runtime::JsonObject describe(const DumpedTensor& dumped);
  void add_dumped_tensor(const CallArguments::Argument& argument, const std::string& label, const Tensor& tensor);
  Run begin_run();
  std::string dump_values(const Run& run, const TargetEntry& target_entry, const DumpedTensor& dumped, const char* when,
                          const Values& values) const;
  bool is_discarded(const TargetEntry& target_entry, const std::vector<std::optional<Values>>& outputs) const;
  /// What a line says, with the dumped values, if any.
  runtime::JsonObject line(const Run& run, const TargetEntry* target_entry) const;
  std::string arguments(const TargetEntry* target_entry) const;
  void write_to_all_targets(const char* member, const std::string& json);

  const std::string op_;
  const std::string name_;
  const std::uint32_t device_;
  const bool captured_;
  const std::uint64_t sequence_ = runtime::next_call_number();
  const std::vector<runtime::RecordTargetPtr> targets_ = runtime::record_targets();
  const double time_;
  const int thread_;
  const std::uint32_t stream_;
  std::vector<Parameter> parameters_;
  std::vector<DumpedTensor> dumped_tensors_;

  std::mutex mutex_;
  std::uint64_t runs_ = 0;
  std::optional<Run> run_;  // begun and not ended
};

}  // namespace aclvk::ops
