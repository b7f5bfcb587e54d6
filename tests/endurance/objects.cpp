// Handles that come and go: what is made for a request and dropped after it.
#include "endurance/counter.hpp"
#include "endurance/story.hpp"

namespace endurance {
namespace {

/// For each repetition a context with a stream, two events and a notify, all of them used and then destroyed.
class Objects : public Story {
 public:
  Objects() { ACL_CHECK(aclrtGetCurrentContext(&home_)); }

  void repeat() override {
    aclrtContext context = nullptr;
    if (done_ % 4 == 0) ACL_CHECK(aclrtCreateContext(&context, 0));
    use_streams();
    if (context) {
      ACL_CHECK(aclrtDestroyContext(context));
      ACL_CHECK(aclrtSetCurrentContext(home_));
    }
    ++done_;
  }
  void settle() override { expect(counter_.value(), static_cast<std::int32_t>(2 * done_), "the counter of requests"); }

 private:
  void use_streams() const {
    const acl::Stream first, second;
    aclrtEvent event = nullptr, timed = nullptr;
    aclrtNotify notify = nullptr;
    ACL_CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    ACL_CHECK(aclrtCreateEvent(&timed));
    ACL_CHECK(aclrtCreateNotify(&notify, 0));
    counter_.add(1, first);
    ACL_CHECK(aclrtRecordEvent(event, first));
    ACL_CHECK(aclrtStreamWaitEvent(second, event));
    counter_.add(1, second);
    ACL_CHECK(aclrtRecordEvent(timed, second));
    ACL_CHECK(aclrtRecordNotify(notify, second));
    ACL_CHECK(aclrtWaitAndResetNotify(notify, first, 0));
    ACL_CHECK(aclrtSynchronizeEvent(timed));
    first.wait();
    ACL_CHECK(aclrtDestroyNotify(notify));
    ACL_CHECK(aclrtDestroyEvent(timed));
    ACL_CHECK(aclrtDestroyEvent(event));
  }

  const Counter counter_;
  aclrtContext home_ = nullptr;
  std::int64_t done_ = 0;
};

}  // namespace

std::unique_ptr<Story> objects() { return std::make_unique<Objects>(); }

}  // namespace endurance
