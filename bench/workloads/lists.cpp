// An operator on lists of small tensors against the single operator on each tensor.
#include <memory>
#include <vector>

#include "aclnnop/aclnn_foreach_mul_list_inplace.h"
#include "aclnnop/aclnn_mul.h"
#include "harness/context.hpp"

namespace bench {
namespace {

constexpr std::size_t kTensors = 1000;
constexpr std::size_t kElements = 1000;

/// x *= y for single tensors and for lists of them.
class Tensors {
 public:
  Tensors() {
    for (std::size_t i = 0; i < kTensors; ++i) {
      x_.push_back(std::make_unique<acl::Tensor>(kElements, 2.0F));
      y_.push_back(std::make_unique<acl::Tensor>(kElements, 1.0F));
    }
    list_x_ = list_of(x_);
    list_y_ = list_of(y_);
  }
  ~Tensors() {
    stream_.wait();
    aclDestroyTensorList(list_x_);
    aclDestroyTensorList(list_y_);
  }
  Tensors(const Tensors&) = delete;
  Tensors& operator=(const Tensors&) = delete;

  Pass one_by_one() const {
    return timed([&] {
      for (std::size_t i = 0; i < kTensors; ++i) {
        std::uint64_t bytes = 0;
        aclOpExecutor* executor = nullptr;
        ACL_CHECK(aclnnInplaceMulGetWorkspaceSize(x_[i]->get(), y_[i]->get(), &bytes, &executor));
        ACL_CHECK(aclnnInplaceMul(nullptr, bytes, executor, stream_));
      }
    });
  }

  Pass as_lists() const {
    return timed([&] {
      std::uint64_t bytes = 0;
      aclOpExecutor* executor = nullptr;
      ACL_CHECK(aclnnForeachMulListInplaceGetWorkspaceSize(list_x_, list_y_, &bytes, &executor));
      ACL_CHECK(aclnnForeachMulListInplace(nullptr, bytes, executor, stream_));
    });
  }

 private:
  using Members = std::vector<std::unique_ptr<acl::Tensor>>;

  static aclTensorList* list_of(const Members& members) {
    std::vector<aclTensor*> handles;  // owned by the list
    const auto elements = static_cast<std::int64_t>(kElements);
    for (const auto& member : members) {
      handles.push_back(
          aclCreateTensor(&elements, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &elements, 1, member->memory()));
    }
    return aclCreateTensorList(handles.data(), handles.size());
  }

  /// Both times are per tensor.
  template <typename Launch>
  Pass timed(const Launch& launch) const {
    const auto start = Clock::now();
    launch();
    const double host = microseconds_since(start);
    stream_.wait();
    return {host / kTensors, microseconds_since(start) / kTensors};
  }

  acl::Stream stream_;
  Members x_;
  Members y_;
  aclTensorList* list_x_ = nullptr;
  aclTensorList* list_y_ = nullptr;
};

}  // namespace

void measure_lists(const Context& context) {
  if (!context.wants("lists")) return;
  context.announce("lists of tensors");
  const Tensors tensors;
  const std::string single = "aclnnInplaceMul for each";
  const auto one_by_one = [&] { return tensors.one_by_one(); };
  const auto as_lists = [&] { return tensors.as_lists(); };
  const std::vector<Contender> contenders{
      {single, "", one_by_one, Compared::kTotal, context.acl_submissions()},
      {"aclnnForeachMulListInplace", single, as_lists, Compared::kTotal, context.acl_submissions()},
      {"aclnnForeachMulListInplace, host time", single, as_lists, Compared::kHost, context.acl_submissions()}};
  Group group{"lists", "tiny", kElements * sizeof(float), kTensors, 1, 0, {}};
  group.rows = compare(contenders, context.effort());
  context.report.groups.push_back(std::move(group));
}

}  // namespace bench
