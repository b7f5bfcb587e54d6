#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "program/objects.hpp"

namespace acl {

/// The library's side of raw::Chain: `tasks` times aclnnInplaceAdd(x, y, 1) on `width` pairs of tensors in turn, each
/// pair on a stream of its own; fork and join by events.
class Chain {
 public:
  Chain(std::size_t tasks, std::size_t width, std::size_t elements);
  ~Chain();

  /// Both phases of the operator.
  void launch(std::size_t task, aclrtStream stream) const;
  void launch(std::size_t task) const { launch(task, streams_[task % streams_.size()]); }
  /// All tasks, eagerly, with the fork before and the join after them.
  void launch_all() const;

  Model capture() const;
  /// Each of the first `groups` tasks is a task group of its own.
  Model capture_with_groups(std::size_t groups, std::vector<aclrtTaskGrp>& handles) const;
  /// Launches the tasks of the groups again, on a stream for updates.
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
  std::vector<aclrtEvent> events_;  // one for the fork and one for each other stream's end
};

}  // namespace acl
