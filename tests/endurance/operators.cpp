// Tensors, scalars and executors that are made for each call of an operator.
#include "endurance/counter.hpp"
#include "endurance/story.hpp"

namespace endurance {
namespace {

constexpr aclnnStatus kWrongShapes = 161002;

aclTensor* tensor(void* memory, std::int64_t elements) {
  const std::int64_t stride = 1;
  return aclCreateTensor(&elements, 1, ACL_INT32, &stride, 0, ACL_FORMAT_ND, &elements, 1, memory);
}

/// New tensors and lists for each call: one is launched, one is refused, one is kept and launched twice.
class Operators : public Story {
 public:
  void repeat() override {
    aclTensor* self = tensor(counter_.memory(), 8);
    switch (done_ % 3) {
      case 0: launch(self); break;
      case 1: be_refused(self); break;
      default: launch_twice(self);
    }
    make_list();
    aclDestroyTensor(self);
    if (++done_ % 100 == 0) stream_.wait();
  }
  void settle() override {
    stream_.wait();
    expect(counter_.value(), expected_, "the counter of operators");
  }

 private:
  aclOpExecutor* plan(const aclTensor* self) const {
    const Number other(1), alpha(1);
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    ACL_CHECK(aclnnInplaceAddsGetWorkspaceSize(self, other.get(), alpha.get(), &bytes, &executor));
    return executor;
  }
  void launch(const aclTensor* self) {
    ACL_CHECK(aclnnInplaceAdds(nullptr, 0, plan(self), stream_));
    ++expected_;
  }
  void launch_twice(const aclTensor* self) {
    aclOpExecutor* executor = plan(self);
    ACL_CHECK(aclSetAclOpExecutorRepeatable(executor));
    ACL_CHECK(aclnnInplaceAdds(nullptr, 0, executor, stream_));
    ACL_CHECK(aclnnInplaceAdds(nullptr, 0, executor, stream_));
    ACL_CHECK(aclDestroyAclOpExecutor(executor));
    expected_ += 2;
  }
  void be_refused(const aclTensor* self) const {
    aclTensor* larger = tensor(nullptr, 9);
    const Number alpha(1);
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus answer = aclnnInplaceAddGetWorkspaceSize(self, larger, alpha.get(), &bytes, &executor);
    aclDestroyTensor(larger);
    expect(answer, kWrongShapes, "the answer to an operator on wrong shapes");
  }
  void make_list() const {
    aclTensor* members[] = {tensor(counter_.memory(), 4), tensor(counter_.memory(), 2)};
    aclTensorList* list = aclCreateTensorList(members, 2);
    const acl::Ints dims({0, 1});
    aclDestroyTensorList(list);
  }

  const acl::Stream stream_;
  const Counter counter_;
  std::int32_t expected_ = 0;
  std::int64_t done_ = 0;
};

}  // namespace

std::unique_ptr<Story> operators() { return std::make_unique<Operators>(); }

}  // namespace endurance
