// The host time of single calls.
#include <deque>

#include "aclnnop/aclnn_add.h"
#include "harness/context.hpp"
#include "program/chain.hpp"
#include "raw/chain.hpp"

namespace bench {
namespace {

constexpr std::size_t kElements = 64;
constexpr std::size_t kUpdates = 20;
constexpr std::size_t kConsecutiveCalls = 10;  // half as many where a run takes long

/// Returns the median time of a call.
template <typename Call, typename Wait>
Pass host_time(std::size_t calls, Call&& call, Wait&& wait) {
  std::vector<double> times;
  for (std::size_t i = 0; i < calls; ++i) {
    const auto start = Clock::now();
    call();
    times.push_back(microseconds_since(start));
  }
  wait();
  return {spread_of(std::move(times)).median, 0};
}

/// aclmdlRIExecuteAsync against vkQueueSubmit2 of the same commands: ten consecutive calls, and one call on an idle
/// stream, whose caches are as the wait for the previous run left them.
void measure_execute(const Context& context) {
  struct Size {
    Size(const Context& context, std::size_t tasks)
        : acl(tasks, 1, kElements), raw(context.device, tasks, 1, kElements), model(acl.capture()) {}
    acl::Chain acl;
    raw::Chain raw;
    acl::Model model;
  };
  std::deque<Size> sizes;
  std::vector<Contender> contenders;
  const auto add = [&](Size& size, std::size_t calls, const std::string& label) {
    const std::string floor = "vkQueueSubmit2, " + label;
    const auto raw_pass = [&size, calls] {
      return host_time(
          calls, [&] { size.raw.replay(); }, [&] { size.raw.wait(); });
    };
    const auto acl_pass = [&size, calls] {
      return host_time(
          calls, [&] { size.model.run(size.acl.stream()); }, [&] { size.acl.wait(); });
    };
    contenders.push_back({floor, "", raw_pass, Compared::kHost, context.raw_submissions()});
    contenders.push_back(
        {"aclmdlRIExecuteAsync, " + label, floor, acl_pass, Compared::kHost, context.acl_submissions()});
  };
  for (const std::size_t tasks : context.options.tasks) {
    const double seconds = seconds_of_pass(context, tasks, kElements);
    if (seconds > context.options.pass_seconds) continue;
    Size& size = sizes.emplace_back(context, tasks);
    add(size, seconds < 0.02 ? kConsecutiveCalls : kConsecutiveCalls / 2, std::to_string(tasks) + " tasks");
    add(size, 1, std::to_string(tasks) + " tasks, after a wait");
  }
  Group group{"execute", "tiny", kElements * sizeof(float), 0, 1, 0, {}};
  group.rows = compare(contenders, context.effort());
  context.report.groups.push_back(std::move(group));
}

/// An update of 20 task groups and a replay, against 20 eager launches.
void measure_updates(const Context& context) {
  acl::Chain chain(kUpdates, 1, kElements);
  std::vector<aclrtTaskGrp> groups;
  const acl::Model model = chain.capture_with_groups(kUpdates, groups);
  const auto wait = [&] { chain.wait(); };
  const auto update_and_run = [&] {
    chain.update(groups);
    model.run(chain.stream());
  };
  const std::vector<Contender> contenders{
      {"20 eager launches", "",
       [&] {
         return host_time(
             1, [&] { chain.launch_all(); }, wait);
       },
       Compared::kHost, context.acl_submissions()},
      {"20 group updates + execute", "20 eager launches", [&] { return host_time(1, update_and_run, wait); },
       Compared::kHost, context.acl_submissions()}};
  Group group{"update", "tiny", kElements * sizeof(float), kUpdates, 1, 0, {}};
  group.rows = compare(contenders, context.effort());
  context.report.groups.push_back(std::move(group));
}

/// Both phases of aclnnAdd, each call measured separately, on a busy stream.
void measure_operator(const Context& context) {
  constexpr std::size_t kCalls = 100;
  const acl::Stream stream;
  const acl::Tensor x(kElements, 1.0F);
  const acl::Tensor y(kElements, 0.5F);
  const acl::Tensor out(kElements, 0.0F);
  const acl::Scalar one(1);
  std::vector<double> samples;
  for (std::size_t round = 0; round < context.options.rounds; ++round) {
    for (std::size_t i = 0; i < kCalls; ++i) {
      const auto start = Clock::now();
      std::uint64_t bytes = 0;
      aclOpExecutor* executor = nullptr;
      aclnnAddGetWorkspaceSize(x.get(), y.get(), one.get(), out.get(), &bytes, &executor);
      const int code = aclnnAdd(nullptr, bytes, executor, stream);
      const double host = microseconds_since(start);
      acl::check(code, "aclnnAdd");
      if (round > 0) samples.push_back(host);  // the first round compiles, and fills the library's caches
    }
    stream.wait();
  }
  context.report.figures.push_back({"aclnnAddGetWorkspaceSize + aclnnAdd", "us", samples.size(), spread_of(samples)});
}

void measure_get_info(const Context& context) {
  constexpr int kCalls = 1000;
  const acl::Stream stream;
  ACL_CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  std::vector<double> samples;
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  aclmdlRI model = nullptr;
  for (std::size_t round = 0; round < context.options.rounds; ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) aclmdlRICaptureGetInfo(stream, &status, &model);
    samples.push_back(microseconds_since(start) * 1000 / kCalls);
  }
  ACL_CHECK(aclmdlRICaptureEnd(stream, &model));
  const acl::Model captured(model);
  context.report.figures.push_back({"aclmdlRICaptureGetInfo", "ns", samples.size(), spread_of(samples)});
}

}  // namespace

void measure_host_calls(const Context& context) {
  if (!context.wants("calls")) return;
  context.announce("host time of calls");
  measure_execute(context);
  measure_updates(context);
  measure_operator(context);
  measure_get_info(context);
}

}  // namespace bench
