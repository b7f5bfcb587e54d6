#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_mul.h"
#include "support/random_capture/interpreter.hpp"
#include "support/random_capture/program.hpp"

namespace aclvk::test::random_capture {

inline void expect_ok(int code, const char* what) {
  if (code == 0) return;
  const char* message = aclGetRecentErrMsg();
  throw std::runtime_error(std::string(what) + " answers " + std::to_string(code) + ": " + (message ? message : ""));
}

/// Runs a program by calls of the library, on device 0, which the caller has set.
class Machine {
 public:
  explicit Machine(const Program& program) : program_(program) {
    // Until the destructor has an object to end, what fails leaves everything to the end of the process.
    for (std::size_t i = 0; i <= program.streams; ++i) {
      streams_.emplace_back();
      expect_ok(aclrtCreateStream(&streams_.back()), "aclrtCreateStream");
    }
    for (std::size_t cell = 0; cell < program.cells(); ++cell) add_cell(cell);
    delays_.resize(program.streams);
    for (const Model& model : program.models)
      models_.push_back(model.built ? build(model.block) : capture(model.block));
  }
  ~Machine() {
    for (aclmdlRI model : models_) aclmdlRIDestroy(model);
    for (aclTensor* tensor : tensors_) aclDestroyTensor(tensor);
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      program_.pinned(cell) ? aclrtFreeHost(cells_[cell]) : aclrtFree(cells_[cell]);
    }
    for (void* delay : delays_) {
      if (delay) aclrtFree(delay);
    }
    for (const auto& [number, edge] : edges_) {
      if (edge.event) aclrtDestroyEvent(edge.event);
      if (edge.notify) aclrtDestroyNotify(edge.notify);
      if (edge.word) aclrtFree(edge.word);
    }
    for (aclrtLabelList list : label_lists_) aclrtDestroyLabelList(list);
    for (aclrtLabel label : labels_) aclrtDestroyLabel(label);
    for (aclrtStream stream : streams_) aclrtDestroyStream(stream);
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void act(const Action& action) {
    switch (action.kind) {
      case Action::Kind::kRun:
        return expect_ok(aclmdlRIExecuteAsync(models_[action.model], streams_.back()), "aclmdlRIExecuteAsync");
      case Action::Kind::kUpdate: return update(action);
      case Action::Kind::kAdd: return add(action.out, action.values.front(), streams_.back());
      case Action::Kind::kSync:
        return expect_ok(aclrtSynchronizeStreamWithTimeout(streams_.back(), 60000), "aclrtSynchronizeStream");
    }
  }

  /// All numbers of the cell.
  std::vector<std::int32_t> read(std::size_t cell) const {
    std::vector<std::int32_t> numbers(program_.elements);
    const auto kind = program_.pinned(cell) ? ACL_MEMCPY_HOST_TO_HOST : ACL_MEMCPY_DEVICE_TO_HOST;
    expect_ok(aclrtMemcpy(numbers.data(), bytes(), cells_[cell], bytes(), kind), "aclrtMemcpy");
    return numbers;
  }
  const Seen& seen() const { return seen_; }

 private:
  struct Edge {
    aclrtEvent event = nullptr;
    aclrtNotify notify = nullptr;
    void* word = nullptr;
  };
  /// The arguments of a host function.
  struct Call {
    Machine* machine = nullptr;
    const Op* op = nullptr;
    std::vector<std::int32_t>* seen = nullptr;
  };

  static constexpr std::size_t kDelayBytes = std::size_t{8} << 20;
  static constexpr std::int32_t kMixed = 0x7EADBEEF;  // what a host function has seen that found different numbers

  std::size_t bytes() const { return program_.elements * sizeof(std::int32_t); }

  void add_cell(std::size_t cell) {
    void* data = nullptr;
    const std::vector<std::int32_t> numbers(program_.elements, program_.first_value(cell));
    if (program_.pinned(cell)) {
      expect_ok(aclrtMallocHost(&data, bytes()), "aclrtMallocHost");
      std::copy(numbers.begin(), numbers.end(), static_cast<std::int32_t*>(data));
    } else {
      expect_ok(aclrtMalloc(&data, bytes(), ACL_MEM_MALLOC_NORMAL_ONLY), "aclrtMalloc");
      expect_ok(aclrtMemcpy(data, bytes(), numbers.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    }
    cells_.push_back(data);
    const auto count = static_cast<std::int64_t>(program_.elements);
    const std::int64_t stride = 1;
    tensors_.push_back(aclCreateTensor(&count, 1, ACL_INT32, &stride, 0, ACL_FORMAT_ND, &count, 1, data));
  }

  // Models

  aclmdlRI capture(const Block& block) {
    aclmdlRI model = nullptr;
    aclrtStream origin = streams_[block.streams.front()];
    expect_ok(aclmdlRICaptureBegin(origin, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), "aclmdlRICaptureBegin");
    add(block, origin);
    expect_ok(aclmdlRICaptureEnd(origin, &model), "aclmdlRICaptureEnd");
    return model;
  }

  /// The tasks of a captured block, whose words belong to its model.
  void add(const Block& block, aclrtStream origin) {
    aclmdlRI model = nullptr;
    expect_ok(aclmdlRICaptureGetInfo(origin, nullptr, &model), "aclmdlRICaptureGetInfo");
    for (const Op& op : block.ops) {
      if (op.kind == Kind::kCondition) add_word(op, model);
    }
    add_ops(block);
  }

  void add_word(const Op& op, aclmdlRI model) {
    aclmdlRICondHandle handle = nullptr;
    const auto flag = static_cast<aclmdlRICondHandleFlag>(op.assigned ? ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT : 0);
    expect_ok(aclmdlRICondHandleCreate(model, op.assigned.value_or(0), flag, &handle), "aclmdlRICondHandleCreate");
    std::uint64_t* word = nullptr;
    expect_ok(aclmdlRICondHandleGetCondPtr(handle, &word), "aclmdlRICondHandleGetCondPtr");
    conditions_[op.in] = {handle, word};
  }

  aclmdlRI build(const Block& block) {
    aclmdlRI model = nullptr;
    expect_ok(aclmdlRIBuildBegin(&model, 0), "aclmdlRIBuildBegin");
    std::vector<std::size_t> streams = block.streams;
    for (const Op& op : block.ops) {
      if (op.kind == Kind::kSwitch) streams.push_back(op.bodies[0].streams.front());
    }
    for (const std::size_t stream : streams) {
      const bool head = std::count(block.heads.begin(), block.heads.end(), stream) > 0;
      expect_ok(aclmdlRIBindStream(model, streams_[stream],
                                   head ? ACL_MODEL_STREAM_FLAG_HEAD : ACL_MODEL_STREAM_FLAG_DEFAULT),
                "aclmdlRIBindStream");
    }
    add_ops(block);
    for (const std::size_t stream : streams) {
      expect_ok(aclmdlRIEndTask(model, streams_[stream]), "aclmdlRIEndTask");
    }
    expect_ok(aclmdlRIBuildEnd(model, nullptr), "aclmdlRIBuildEnd");
    return model;
  }

  void add_ops(const Block& block) {
    for (const Op& op : block.ops) {
      if (program_.has(op)) add(op, block);
    }
  }

  // Tasks

  void add(const Op& op, const Block& block) {
    aclrtStream stream = streams_[op.stream];
    switch (op.kind) {
      case Kind::kFill:
        return expect_ok(aclrtMemsetAsync(cells_[op.out], bytes(), op.value & 0xFF, bytes(), stream),
                         "aclrtMemsetAsync");
      case Kind::kAdd: return add(op.out, op.value, stream);
      case Kind::kMultiply: return multiply(op.out, op.value, stream);
      case Kind::kCopy: return copy(cells_[op.out], op.in, bytes(), stream, program_.pinned(op.out));
      case Kind::kDelay: return delay(op.stream);
      case Kind::kCall: return call(op);
      case Kind::kSet: return copy(conditions_.at(op.out).word, op.in, sizeof(std::int32_t), stream, false);
      case Kind::kGroup: return add_group(op);
      case Kind::kCondition: return add_condition(op);
      case Kind::kRecord: return record(op, built(block));
      case Kind::kWait: return wait(op);
      case Kind::kLoop: return add_loop(op);
      case Kind::kActivate: return expect_ok(aclrtActiveStream(streams_[op.out], stream), "aclrtActiveStream");
      case Kind::kSwitch:
        expect_ok(aclrtSwitchStream(cells_[op.in], ACL_RT_EQUAL, cells_[op.out], ACL_RT_SWITCH_INT32,
                                    streams_[op.bodies[0].streams.front()], nullptr, stream),
                  "aclrtSwitchStream");
        for (const Block& body : op.bodies) add_ops(body);
        return;
    }
  }

  static bool built(const Block& block) { return !block.heads.empty() && block.streams.front() >= kFirstBuiltStream; }

  void add(std::size_t cell, std::int32_t value, aclrtStream stream) const {
    std::int32_t one = 1;
    aclScalar* by = aclCreateScalar(&value, ACL_INT32);
    aclScalar* alpha = aclCreateScalar(&one, ACL_INT32);
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const int planned = aclnnInplaceAddsGetWorkspaceSize(tensors_[cell], by, alpha, &size, &executor);
    aclDestroyScalar(by);
    aclDestroyScalar(alpha);
    expect_ok(planned, "aclnnInplaceAddsGetWorkspaceSize");
    expect_ok(aclnnInplaceAdds(nullptr, size, executor, stream), "aclnnInplaceAdds");
  }

  void multiply(std::size_t cell, std::int32_t value, aclrtStream stream) const {
    aclScalar* by = aclCreateScalar(&value, ACL_INT32);
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const int planned = aclnnInplaceMulsGetWorkspaceSize(tensors_[cell], by, &size, &executor);
    aclDestroyScalar(by);
    expect_ok(planned, "aclnnInplaceMulsGetWorkspaceSize");
    expect_ok(aclnnInplaceMuls(nullptr, size, executor, stream), "aclnnInplaceMuls");
  }

  void change(const Change& change, std::int32_t value, aclrtStream stream) const {
    change.multiplies ? multiply(change.out, value, stream) : add(change.out, value, stream);
  }

  void copy(void* out, std::size_t in, std::size_t size, aclrtStream stream, bool to_host) const {
    const auto kind = to_host               ? ACL_MEMCPY_DEVICE_TO_HOST
                      : program_.pinned(in) ? ACL_MEMCPY_HOST_TO_DEVICE
                                            : ACL_MEMCPY_DEVICE_TO_DEVICE;
    expect_ok(aclrtMemcpyAsync(out, size, cells_[in], size, kind, stream), "aclrtMemcpyAsync");
  }

  void delay(std::size_t stream) {
    if (!delays_[stream]) {
      expect_ok(aclrtMalloc(&delays_[stream], kDelayBytes, ACL_MEM_MALLOC_NORMAL_ONLY), "aclrtMalloc");
    }
    expect_ok(aclrtMemsetAsync(delays_[stream], kDelayBytes, 1, kDelayBytes, streams_[stream]), "aclrtMemsetAsync");
  }

  void call(const Op& op) {
    calls_.push_back(std::make_unique<Call>(Call{this, &op, &seen_[op.id]}));
    const auto function = [](void* data) {
      const auto* call = static_cast<const Call*>(data);
      call->machine->called_back(*call->op, *call->seen);
    };
    expect_ok(aclrtLaunchHostFunc(streams_[op.stream], function, calls_.back().get()), "aclrtLaunchHostFunc");
  }

  // Reads before it sleeps, so that missing order with the tasks before it shows, and writes afterwards.
  void called_back(const Op& op, std::vector<std::int32_t>& seen) const {
    const auto* in = static_cast<const volatile std::int32_t*>(cells_[op.in]);
    const std::int32_t last = in[program_.elements - 1], first = in[0], middle = in[program_.elements / 2];
    seen.push_back(first == last && middle == last ? last : kMixed);
    if (op.sleep_us > 0) usleep(op.sleep_us);
    auto* out = static_cast<std::int32_t*>(cells_[op.out]);
    std::fill_n(out, program_.elements, called(op, first));
  }

  void add_group(const Op& op) {
    aclrtStream stream = streams_[op.stream];
    expect_ok(aclmdlRICaptureTaskGrpBegin(stream), "aclmdlRICaptureTaskGrpBegin");
    for (const Change& each : op.changes) change(each, each.value, stream);
    expect_ok(aclmdlRICaptureTaskGrpEnd(stream, &groups_[op.id].first), "aclmdlRICaptureTaskGrpEnd");
    groups_[op.id].second = &op;
  }

  void update(const Action& action) {
    const auto group = groups_.find(action.op);
    if (group == groups_.end()) return;  // left out
    aclrtStream stream = streams_.back();
    expect_ok(aclmdlRICaptureTaskUpdateBegin(stream, group->second.first), "aclmdlRICaptureTaskUpdateBegin");
    for (std::size_t i = 0; i < action.values.size(); ++i) {
      change(group->second.second->changes[i], action.values[i], stream);
    }
    expect_ok(aclmdlRICaptureTaskUpdateEnd(stream), "aclmdlRICaptureTaskUpdateEnd");
  }

  void add_condition(const Op& op) {
    static constexpr aclmdlRICondTaskType kTypes[] = {ACL_MODEL_RI_COND_TYPE_IF, ACL_MODEL_RI_COND_TYPE_WHILE,
                                                      ACL_MODEL_RI_COND_TYPE_SWITCH};
    std::vector<aclmdlRI> bodies(op.bodies.size());
    aclmdlRICondTaskParams parameters{};
    parameters.handle = conditions_.at(op.in).handle;
    parameters.type = kTypes[static_cast<int>(op.choice)];
    parameters.size = static_cast<std::uint32_t>(bodies.size());
    parameters.modelRIArray = bodies.data();
    expect_ok(aclmdlRIAddCondTask(parameters, streams_[op.stream], 0), "aclmdlRIAddCondTask");
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      aclrtStream origin = streams_[op.bodies[i].streams.front()];
      expect_ok(aclmdlRICaptureToModelRIBegin(origin, bodies[i], ACL_MODEL_RI_CAPTURE_MODE_RELAXED),
                "aclmdlRICaptureToModelRIBegin");
      add(op.bodies[i], origin);
      expect_ok(aclmdlRICaptureEnd(origin, nullptr), "aclmdlRICaptureEnd");
    }
  }

  // An index that is too large selects the last label, so every number other than 0 jumps back.
  void add_loop(const Op& op) {
    aclrtLabel again = new_label(), end = new_label();
    aclrtStream stream = streams_[op.stream];
    expect_ok(aclrtSetLabel(again, stream), "aclrtSetLabel");
    add_ops(op.bodies[0]);
    aclrtLabel both[] = {end, again};
    label_lists_.emplace_back();
    expect_ok(aclrtCreateLabelList(both, 2, &label_lists_.back()), "aclrtCreateLabelList");
    expect_ok(aclrtSwitchLabelByIndex(cells_[op.in], 2, label_lists_.back(), stream), "aclrtSwitchLabelByIndex");
    expect_ok(aclrtSetLabel(end, stream), "aclrtSetLabel");
  }

  aclrtLabel new_label() {
    labels_.emplace_back();
    expect_ok(aclrtCreateLabel(&labels_.back()), "aclrtCreateLabel");
    return labels_.back();
  }

  // Edges

  void record(const Op& op, bool in_built_model) {
    Edge& edge = edges_[op.edge];
    aclrtStream stream = streams_[op.stream];
    switch (op.means) {
      case Means::kEvent:
        if (in_built_model) {
          expect_ok(aclrtCreateEventWithFlag(&edge.event, ACL_EVENT_SYNC), "aclrtCreateEventWithFlag");
        } else {
          expect_ok(aclrtCreateEventExWithFlag(&edge.event, ACL_EVENT_SYNC), "aclrtCreateEventExWithFlag");
        }
        return expect_ok(aclrtRecordEvent(edge.event, stream), "aclrtRecordEvent");
      case Means::kExternal:
        expect_ok(aclrtCreateEventWithFlag(&edge.event, ACL_EVENT_EXTERNAL), "aclrtCreateEventWithFlag");
        return expect_ok(aclrtRecordEvent(edge.event, stream), "aclrtRecordEvent");
      case Means::kNotify:
        expect_ok(aclrtCreateNotify(&edge.notify, 0), "aclrtCreateNotify");
        return expect_ok(aclrtRecordNotify(edge.notify, stream), "aclrtRecordNotify");
      case Means::kWord: {
        const std::uint64_t zero = 0;
        expect_ok(aclrtMalloc(&edge.word, 32, ACL_MEM_MALLOC_NORMAL_ONLY), "aclrtMalloc");
        expect_ok(aclrtMemcpy(edge.word, 8, &zero, 8, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
        return expect_ok(aclrtValueWrite(edge.word, 1, 0, stream), "aclrtValueWrite");
      }
    }
  }

  // Resets the object of the edge for the next run of the model.
  void wait(const Op& op) {
    const Edge& edge = edges_.at(op.edge);
    aclrtStream stream = streams_[op.stream];
    switch (op.means) {
      case Means::kEvent: return expect_ok(aclrtStreamWaitEvent(stream, edge.event), "aclrtStreamWaitEvent");
      case Means::kExternal:
        expect_ok(aclrtStreamWaitEvent(stream, edge.event), "aclrtStreamWaitEvent");
        return expect_ok(aclrtResetEvent(edge.event, stream), "aclrtResetEvent");
      case Means::kNotify: return expect_ok(aclrtWaitAndResetNotify(edge.notify, stream, 0), "aclrtWaitAndResetNotify");
      case Means::kWord:
        expect_ok(aclrtValueWait(edge.word, 1, ACL_STREAM_WAIT_VALUE_EQ, stream), "aclrtValueWait");
        return expect_ok(aclrtValueWrite(edge.word, 0, 0, stream), "aclrtValueWrite");
    }
  }

  struct Condition {
    aclmdlRICondHandle handle = nullptr;
    void* word = nullptr;
  };

  const Program& program_;
  std::vector<aclrtStream> streams_;  // the last one runs the models
  std::vector<void*> cells_;
  std::vector<aclTensor*> tensors_;
  std::vector<void*> delays_;  // by stream
  std::map<std::size_t, Edge> edges_;
  std::map<std::size_t, Condition> conditions_;                         // by word
  std::map<std::size_t, std::pair<aclrtTaskGrp, const Op*>> groups_{};  // by op
  std::vector<std::unique_ptr<Call>> calls_;
  std::vector<aclrtLabel> labels_;
  std::vector<aclrtLabelList> label_lists_;
  Seen seen_;
  std::vector<aclmdlRI> models_;
};

}  // namespace aclvk::test::random_capture
