// Models that are replayed for ever, and models that come and go.
#include <array>

#include "endurance/counter.hpp"
#include "endurance/story.hpp"

namespace endurance {
namespace {

aclrtEvent new_event() {
  aclrtEvent event = nullptr;
  ACL_CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  return event;
}

/// A model of eight layers; before each replay one of them gets another argument.
class Replays : public Story {
 public:
  Replays() : model_(capture()) {}
  ~Replays() override { aclrtDestroyEvent(updated_); }

  void repeat() override {
    const std::size_t layer = static_cast<std::size_t>(done_ % kLayers);
    bias_[layer] = static_cast<std::int32_t>(++done_ % 1'000'000);
    ACL_CHECK(aclmdlRICaptureTaskUpdateBegin(side_, groups_[layer]));
    outs_[layer].set(in_, bias_[layer], side_);
    ACL_CHECK(aclmdlRICaptureTaskUpdateEnd(side_));
    ACL_CHECK(aclrtRecordEvent(updated_, side_));
    ACL_CHECK(aclrtStreamWaitEvent(stream_, updated_));
    model_.run(stream_);
    if (done_ % 16 == 0) stream_.wait();
  }
  void settle() override {
    stream_.wait();
    for (std::size_t layer = 0; done_ > 0 && layer < kLayers; ++layer) {
      expect(outs_[layer].value(), bias_[layer], "the output of a replayed layer");
    }
  }

 private:
  static constexpr std::int64_t kLayers = 8;

  acl::Model capture() {
    aclmdlRI model = nullptr;
    ACL_CHECK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      ACL_CHECK(aclmdlRICaptureTaskGrpBegin(stream_));
      outs_[layer].set(in_, 0, stream_);
      ACL_CHECK(aclmdlRICaptureTaskGrpEnd(stream_, &groups_[layer]));
    }
    ACL_CHECK(aclmdlRICaptureEnd(stream_, &model));
    return acl::Model(model);
  }

  const acl::Stream stream_, side_;
  const Counter in_;
  const std::array<Counter, kLayers> outs_;
  aclrtEvent updated_ = new_event();
  std::array<aclrtTaskGrp, kLayers> groups_{};
  std::array<std::int32_t, kLayers> bias_{};
  std::int64_t done_ = 0;
  const acl::Model model_;
};

/// Two streams and a host function are captured, replayed twice, and dropped while the second replay is under way.
class Captures : public Story {
 public:
  ~Captures() override {
    aclrtDestroyEvent(fork_);
    aclrtDestroyEvent(join_);
  }

  void repeat() override {
    const acl::Model model = capture();
    model.run(main_);
    model.run(main_);
    ++done_;
  }
  void settle() override {
    main_.wait();
    expect(left_.value(), static_cast<std::int32_t>(2 * done_), "the left branch of captured models");
    expect(right_.value(), static_cast<std::int32_t>(2 * done_), "the right branch of captured models");
  }

 private:
  acl::Model capture() const {
    aclmdlRI model = nullptr;
    ACL_CHECK(aclmdlRICaptureBegin(main_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    ACL_CHECK(aclrtRecordEvent(fork_, main_));
    ACL_CHECK(aclrtStreamWaitEvent(side_, fork_));
    left_.add(1, main_);
    right_.add(1, side_);
    if (done_ % 4 == 0)
      ACL_CHECK(aclrtLaunchHostFunc(
          side_, [](void*) {}, nullptr));
    ACL_CHECK(aclrtRecordEvent(join_, side_));
    ACL_CHECK(aclrtStreamWaitEvent(main_, join_));
    ACL_CHECK(aclmdlRICaptureEnd(main_, &model));
    return acl::Model(model);
  }

  const acl::Stream main_, side_;
  const Counter left_, right_;
  aclrtEvent fork_ = new_event();
  aclrtEvent join_ = new_event();
  std::int64_t done_ = 0;
};

}  // namespace

std::unique_ptr<Story> replays() { return std::make_unique<Replays>(); }
std::unique_ptr<Story> captures() { return std::make_unique<Captures>(); }

}  // namespace endurance
