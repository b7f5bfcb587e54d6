#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "program/objects.hpp"

namespace acl {

/// The library's implementation of raw::Chain: `tasks` times aclnnInplaceAdd(x, y, 1) on `width` pairs of tensors
/// round-robin, each pair on a stream of its own; events fork and join the streams.
class Chain {
 public:
  Chain(std::size_t tasks, std::size_t width, std::size_t elements);
  ~Chain();

  /// Runs both phases of the operator.
  void launch(std::size_t task, aclrtStream stream) const;
  void launch(std::size_t task) const { launch(task, streams_[task % streams_.size()]); }
  /// Launches all tasks eagerly, between the fork and the join.
  void launch_all() const;

  Model capture() const;
  /// Captures a model in which each of the first `groups` tasks is a task group.
  Model capture_with_groups(std::size_t groups, std::vector<aclrtTaskGrp>& handles) const;
  /// Updates the groups by launching their tasks again on an update stream.
  void update(const std::vector<aclrtTaskGrp>& groups) const;

  aclrtStream stream() const { return streams_.front(); }
  std::size_t tasks() const { return tasks_; }
  void wait() const { streams_.front().wait(); }

 private:
  void fork() const;
  void join() const;

  std::size_t tasks_;
  std::deque<Stream> streams_;
  Stream update_stream_;
  std::deque<Tensor> x_;
  std::deque<Tensor> y_;
  Scalar one_{1};
  std::vector<aclrtEvent> events_;  // one for the fork, and one for the end of each other stream
};

}  // namespace acl
