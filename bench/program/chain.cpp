#include "program/chain.hpp"

#include "aclnnop/aclnn_add.h"

namespace acl {

Chain::Chain(std::size_t tasks, std::size_t width, std::size_t elements) : tasks_(tasks), streams_(width) {
  for (std::size_t i = 0; i < width; ++i) {
    x_.emplace_back(elements, 1.0F);
    y_.emplace_back(elements, 0.5F);
    events_.emplace_back();
    ACL_CHECK(aclrtCreateEventExWithFlag(&events_.back(), ACL_EVENT_SYNC));
  }
}

Chain::~Chain() {
  for (aclrtEvent event : events_) aclrtDestroyEvent(event);
}

void Chain::launch(std::size_t task, aclrtStream stream) const {
  const std::size_t pair = task % x_.size();
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  ACL_CHECK(aclnnInplaceAddGetWorkspaceSize(x_[pair].get(), y_[pair].get(), one_.get(), &bytes, &executor));
  ACL_CHECK(aclnnInplaceAdd(nullptr, bytes, executor, stream));
}

void Chain::fork() const {
  if (streams_.size() == 1) return;
  ACL_CHECK(aclrtRecordEvent(events_[0], streams_[0]));
  for (std::size_t i = 1; i < streams_.size(); ++i) ACL_CHECK(aclrtStreamWaitEvent(streams_[i], events_[0]));
}

void Chain::join() const {
  for (std::size_t i = 1; i < streams_.size(); ++i) {
    ACL_CHECK(aclrtRecordEvent(events_[i], streams_[i]));
    ACL_CHECK(aclrtStreamWaitEvent(streams_[0], events_[i]));
  }
}

void Chain::launch_all() const {
  fork();
  for (std::size_t task = 0; task < tasks_; ++task) launch(task);
  join();
}

Model Chain::capture() const {
  aclmdlRI model = nullptr;
  ACL_CHECK(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  launch_all();
  ACL_CHECK(aclmdlRICaptureEnd(stream(), &model));
  return Model(model);
}

// Captures the tasks in a row on one stream: a model with groups is measured for chains only.
Model Chain::capture_with_groups(std::size_t groups, std::vector<aclrtTaskGrp>& handles) const {
  aclmdlRI model = nullptr;
  ACL_CHECK(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  handles.resize(groups);
  for (std::size_t task = 0; task < tasks_; ++task) {
    if (task < groups) ACL_CHECK(aclmdlRICaptureTaskGrpBegin(stream()));
    launch(task, stream());
    if (task < groups) ACL_CHECK(aclmdlRICaptureTaskGrpEnd(stream(), &handles[task]));
  }
  ACL_CHECK(aclmdlRICaptureEnd(stream(), &model));
  return Model(model);
}

void Chain::update(const std::vector<aclrtTaskGrp>& groups) const {
  for (std::size_t task = 0; task < groups.size(); ++task) {
    ACL_CHECK(aclmdlRICaptureTaskUpdateBegin(update_stream_, groups[task]));
    launch(task, update_stream_);
    ACL_CHECK(aclmdlRICaptureTaskUpdateEnd(update_stream_));
  }
}

}  // namespace acl
