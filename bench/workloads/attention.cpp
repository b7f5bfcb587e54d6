// Attention of one query, as in each step of text generation, reads keys and values once. It is compared with a copy of
// as many bytes.
#include "aclnnop/aclnn_fused_infer_attention_score.h"
#include "program/objects.hpp"
#include "workloads/memory_bound.hpp"

namespace bench {
namespace {

constexpr std::int64_t kHeads = 32;
constexpr std::int64_t kKeyHeads = 8;
constexpr std::int64_t kKeys = 4096;
constexpr std::int64_t kColumns = 128;

/// A list of one tensor, which owns the tensor's handle.
class List {
 public:
  explicit List(const acl::Tensor& tensor) {
    const acl::Tensor::Shape& shape = tensor.shape();
    aclTensor* member = aclCreateTensor(shape.data(), shape.size(), tensor.type(), nullptr, 0, ACL_FORMAT_ND,
                                        shape.data(), shape.size(), tensor.memory());
    list_ = aclCreateTensorList(&member, 1);
  }
  ~List() { aclDestroyTensorList(list_); }
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  aclTensorList* get() const { return list_; }

 private:
  aclTensorList* list_;
};

void measure(const Context& context, aclDataType type, const std::string& type_name) {
  const acl::Tensor query({1, kHeads, 1, kColumns}, 0.75F, type);
  const acl::Tensor key({1, kKeyHeads, kKeys, kColumns}, 0.5F, type);
  const acl::Tensor value({1, kKeyHeads, kKeys, kColumns}, 0.25F, type);
  const acl::Tensor out({1, kHeads, 1, kColumns}, 0, type);
  const List keys(key);
  const List values(value);
  char layout[] = "BNSD";
  constexpr double kScale = 0.08838834764831845;  // 1 / sqrt(128)
  constexpr std::int64_t kAll = 2147483647;       // window of keys before and after the query: unlimited
  const acl::Operator measured(
      [&](std::uint64_t* bytes, aclOpExecutor** executor) {
        return aclnnFusedInferAttentionScoreGetWorkspaceSize(
            query.get(), keys.get(), values.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
            nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, kHeads, kScale, kAll, kAll, layout,
            kKeyHeads, 0, 0, 0, 0, false, out.get(), nullptr, bytes, executor);
      },
      aclnnFusedInferAttentionScore);
  const std::size_t element = aclDataTypeSize(type);
  const std::size_t bytes = kKeyHeads * kKeys * kColumns * element;
  Group group{"attention", "4096 keys", bytes, 1, 1, 0, {}};
  group.bytes_moved = 2 * bytes + 2 * kHeads * kColumns * element;
  const Floor floor = copy_moving(group.bytes_moved);
  compare_with_floor(context, std::move(group), floor, "aclnnFusedInferAttentionScore " + type_name, measured);
}

}  // namespace

void measure_attention(const Context& context) {
  if (!context.wants("attention")) return;
  measure(context, ACL_FLOAT, "float32");
  measure(context, ACL_FLOAT16, "float16");
}

}  // namespace bench
