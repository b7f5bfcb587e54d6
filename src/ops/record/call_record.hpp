#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "ops/executor.hpp"
#include "ops/record/call_arguments.hpp"
#include "ops/tensor.hpp"
#include "runtime/record/recording.hpp"

namespace aclvk::ops {

/// A call on its way into the recordings that there were when it was made: what is known of it at the launch, and what
/// the stream finds each time that it comes to the operator. Thread safe.
class CallRecord {
 public:
  CallRecord(const std::string& op, const std::string& name, runtime::Stream& stream);

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

  /// One of the tensors of a call.
  struct Place {
    std::size_t argument = 0;
    std::optional<std::size_t> member;  // in a list
    std::string label;                  // in names of files
    Tensor tensor;
    bool read = false;
    bool written = false;
  };

  /// A passage of the stream, as one target keeps it.
  struct Kept {
    runtime::RecordTargetPtr target;
    std::vector<nlohmann::ordered_json> before;
    std::vector<nlohmann::ordered_json> after;
  };
  struct Run {
    std::uint64_t sequence = 0;
    std::optional<std::uint64_t> replay;
    std::vector<Kept> kept;
    std::vector<std::optional<Values>> inputs;  // for those that decide at the end
  };

  static Values read(const Tensor& tensor);
  static nlohmann::ordered_json describe(const Place& place);
  void add_place(const CallArguments::Argument& argument, std::size_t number, std::optional<std::size_t> member,
                 const Tensor& tensor);
  Run begin_run();
  nlohmann::ordered_json show(const Run& run, const Kept& kept, const Place& place, const char* when,
                              const Values& values) const;
  bool is_dropped(const Kept& kept, const std::vector<std::optional<Values>>& outputs) const;
  nlohmann::ordered_json line(const Run& run) const;
  void write(const Run& run, const Kept& kept) const;
  void write_everywhere(const char* member, const nlohmann::ordered_json& value);

  const std::string op_;
  const std::string name_;
  const std::uint32_t device_;
  const bool captured_;
  const std::uint64_t sequence_ = runtime::next_call_number();
  const std::vector<runtime::RecordTargetPtr> targets_ = runtime::record_targets();
  nlohmann::ordered_json call_;
  std::vector<Place> places_;

  std::mutex mutex_;
  std::uint64_t runs_ = 0;
  std::optional<Run> run_;  // begun and not ended
};

}  // namespace aclvk::ops
