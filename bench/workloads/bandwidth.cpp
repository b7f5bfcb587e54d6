// Operators that move memory and compute next to nothing, against the best kernel that was written for just that.
#include <algorithm>
#include <deque>
#include <memory>

#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "harness/context.hpp"
#include "program/objects.hpp"
#include "raw/stream.hpp"

namespace bench {
namespace {

constexpr std::size_t kElements = 16 * 1024 * 1024;  // 64 MiB of float32
constexpr std::size_t kFloorsKept = 2;

/// One memory-bound operator.
struct Workload {
  const char* name;     ///< of the row
  const char* shaders;  ///< the stem of its raw kernels
  std::size_t inputs;
  aclDataType from;
  aclDataType to;
};
constexpr Workload kWorkloads[] = {
    {"aclnnAdd float32", "add", 2, ACL_FLOAT, ACL_FLOAT},
    {"aclnnCast float32 to float16", "cast_half", 1, ACL_FLOAT, ACL_FLOAT16},
    {"aclnnCast float16 to float32", "cast_float", 1, ACL_FLOAT16, ACL_FLOAT},
    {"aclnnCast float32 to int32", "cast_int", 1, ACL_FLOAT, ACL_INT32},
    {"aclnnInplaceCopy float32", "copy", 1, ACL_FLOAT, ACL_FLOAT},
};

/// The operator as a captured model of one task.
class Operator {
 public:
  explicit Operator(const Workload& workload)
      : workload_(workload), x_(kElements, 1.0F, workload.from), out_(kElements, 0.0F, workload.to) {
    if (workload.inputs == 2) y_.emplace_back(kElements, 0.5F, workload.from);
    aclmdlRI model = nullptr;
    ACL_CHECK(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    launch();
    ACL_CHECK(aclmdlRICaptureEnd(stream_, &model));
    model_.emplace_back(model);
  }

  Pass pass() const {
    const auto start = Clock::now();
    model_.front().run(stream_);
    const double host = microseconds_since(start);
    stream_.wait();
    return {host, microseconds_since(start)};
  }

 private:
  void launch() const {
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    const std::string shaders = workload_.shaders;
    if (shaders == "add") {
      ACL_CHECK(aclnnAddGetWorkspaceSize(x_.get(), y_.front().get(), one_.get(), out_.get(), &bytes, &executor));
      ACL_CHECK(aclnnAdd(nullptr, bytes, executor, stream_));
    } else if (shaders == "copy") {
      ACL_CHECK(aclnnInplaceCopyGetWorkspaceSize(out_.get(), x_.get(), &bytes, &executor));
      ACL_CHECK(aclnnInplaceCopy(nullptr, bytes, executor, stream_));
    } else {
      ACL_CHECK(aclnnCastGetWorkspaceSize(x_.get(), workload_.to, out_.get(), &bytes, &executor));
      ACL_CHECK(aclnnCast(nullptr, bytes, executor, stream_));
    }
  }

  const Workload& workload_;
  acl::Stream stream_;
  acl::Tensor x_;
  std::deque<acl::Tensor> y_;
  acl::Tensor out_;
  acl::Scalar one_{1};
  std::deque<acl::Model> model_;
};

Pass pass_of(raw::Device& device, raw::Streaming& floor) {
  const auto start = Clock::now();
  floor.submit();
  const double host = microseconds_since(start);
  device.wait();
  return {host, microseconds_since(start)};
}

/// All raw kernels take one pass each (a second one: the first compiles); the fastest stay.
std::vector<Contender> floors_of(const Context& context, const Workload& workload, const raw::Operands& operands) {
  std::vector<Contender> floors;
  const auto add = [&](const std::string& name, std::shared_ptr<raw::Streaming> floor) {
    floors.push_back({name, "", [&device = context.device, floor] { return pass_of(device, *floor); }, Compared::kTotal,
                      context.raw_submissions()});
  };
  for (const raw::Shader* shader : raw::shaders_for(context.device, workload.shaders)) {
    add(std::string("raw ") + shader->name,
        std::make_shared<raw::Streaming>(context.device, *shader, operands, static_cast<std::uint32_t>(kElements)));
  }
  if (std::string(workload.shaders) == "copy") {
    add("raw vkCmdCopyBuffer", std::make_shared<raw::Streaming>(context.device, operands));
  }
  std::vector<std::pair<double, std::size_t>> times;
  for (std::size_t i = 0; i < floors.size(); ++i) {
    floors[i].pass();
    times.emplace_back(floors[i].pass().total, i);
  }
  std::sort(times.begin(), times.end());
  std::vector<Contender> best;
  for (std::size_t i = 0; i < std::min(kFloorsKept, times.size()); ++i) best.push_back(floors[times[i].second]);
  return best;
}

void measure(const Context& context, const Workload& workload) {
  context.announce(std::string("bandwidth, ") + workload.name);
  const std::size_t read = workload.inputs * kElements * aclDataTypeSize(workload.from);
  const std::size_t written = kElements * aclDataTypeSize(workload.to);
  raw::Operands operands;
  for (std::size_t i = 0; i < workload.inputs; ++i) operands.emplace_back(context.device, read / workload.inputs, 1.0F);
  operands.emplace_back(context.device, written, 0.0F);
  std::vector<Contender> contenders = floors_of(context, workload, operands);
  const Operator ours(workload);
  contenders.push_back({workload.name, contenders.front().name, [&ours] { return ours.pass(); }, Compared::kTotal,
                        context.acl_submissions()});
  Group group{"bandwidth", "16 Mi elements", kElements * 4, 1, 1, 0, {}};
  group.moved = read + written;
  group.rows = compare(contenders, context.effort());
  context.report.groups.push_back(std::move(group));
}

}  // namespace

void measure_bandwidth(const Context& context) {
  if (!context.wants("bandwidth")) return;
  for (const Workload& workload : kWorkloads) measure(context, workload);
}

}  // namespace bench
