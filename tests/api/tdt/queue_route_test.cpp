// Routes between queues: what is put into the source really comes out of the target.
#include <thread>
#include <utility>
#include <vector>

#include "acl/acl_tdt_queue.h"
#include "support/queue_fixture.hpp"

namespace aclvk::test {
namespace {

using Routes = Plain;
using Pair = std::pair<uint32_t, uint32_t>;

/// A list with these routes, until the end of the scope.
class List {
 public:
  explicit List(const std::vector<Pair>& routes = {}) : list_(acltdtCreateQueueRouteList()) {
    for (const auto& [source, target] : routes) {
      acltdtQueueRoute* route = acltdtCreateQueueRoute(source, target);
      EXPECT_EQ(acltdtAddQueueRoute(list_, route), 0);
      EXPECT_EQ(acltdtDestroyQueueRoute(route), 0) << "the list has a copy";
    }
  }
  ~List() { EXPECT_EQ(acltdtDestroyQueueRouteList(list_), 0); }
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  acltdtQueueRouteList* get() const { return list_; }

  int32_t status(size_t index) const { return parameter<int32_t>(index, ACL_TDT_QUEUE_ROUTE_STATUS_INT32); }

  std::vector<Pair> routes() const {
    std::vector<Pair> routes;
    for (size_t i = 0; i < acltdtGetQueueRouteNum(list_); ++i) {
      routes.emplace_back(parameter<uint32_t>(i, ACL_TDT_QUEUE_ROUTE_SRC_UINT32),
                          parameter<uint32_t>(i, ACL_TDT_QUEUE_ROUTE_DST_UINT32));
    }
    return routes;
  }

 private:
  template <typename Value>
  Value parameter(size_t index, acltdtQueueRouteParamType type) const {
    acltdtQueueRoute* route = acltdtCreateQueueRoute(0, 0);
    EXPECT_EQ(acltdtGetQueueRoute(list_, index, route), 0);
    Value value{};
    size_t bytes = 0;
    EXPECT_EQ(acltdtGetQueueRouteParam(route, type, sizeof(value), &bytes, &value), 0);
    EXPECT_EQ(bytes, sizeof(value));
    EXPECT_EQ(acltdtDestroyQueueRoute(route), 0);
    return value;
  }

  acltdtQueueRouteList* list_;
};

void bind(const std::vector<Pair>& routes) { EXPECT_EQ(acltdtBindQueueRoutes(List(routes).get()), 0); }

void put(uint32_t qid, const char* text) { EXPECT_EQ(acltdtEnqueue(qid, buffer_with(text), 0), 0); }

/// The bound routes that a query with this mode and these ids finds.
std::vector<Pair> query(acltdtQueueRouteQueryMode mode, uint32_t source, uint32_t target) {
  acltdtQueueRouteQueryInfo* info = acltdtCreateQueueRouteQueryInfo();
  EXPECT_EQ(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, sizeof(mode), &mode), 0);
  EXPECT_EQ(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 4, &source), 0);
  EXPECT_EQ(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32, 4, &target), 0);
  const List found;
  EXPECT_EQ(acltdtQueryQueueRoutes(info, found.get()), 0);
  EXPECT_EQ(acltdtDestroyQueueRouteQueryInfo(info), 0);
  return found.routes();
}

TEST_F(Routes, KnowTheirEndsAndAreNotBoundAtFirst) {
  const List list({{3, 4}});
  EXPECT_EQ(list.routes(), (std::vector<Pair>{{3, 4}}));
  EXPECT_EQ(list.status(0), ACL_TDT_QUEUE_ROUTE_UNBIND);
}

TEST_F(Routes, ForwardWhatComesIntoTheSource) {
  const uint32_t source = new_queue(4);
  const uint32_t target = new_queue(4);
  const List list({{source, target}});
  ASSERT_EQ(acltdtBindQueueRoutes(list.get()), 0);
  EXPECT_EQ(list.status(0), ACL_TDT_QUEUE_ROUTE_BIND);
  put(source, "a");
  put(source, "b");
  EXPECT_EQ(take_text(source), "(empty)");
  EXPECT_EQ(take_text(target), "a");
  EXPECT_EQ(take_text(target), "b");
}

TEST_F(Routes, ForwardWhatWasInTheSourceBefore) {
  const uint32_t source = new_queue(4);
  const uint32_t target = new_queue(4);
  put(source, "early");
  bind({{source, target}});
  EXPECT_EQ(take_text(target), "early");
}

TEST_F(Routes, ForwardDataAndPrivateParts) {
  const uint32_t source = new_queue(4);
  const uint32_t target = new_queue(4);
  bind({{source, target}});
  uint32_t mark = 9;
  ASSERT_EQ(acltdtEnqueueData(source, "bytes", 5, &mark, 4, 0, 0), 0);
  char out[8] = {};
  size_t bytes = 0;
  mark = 0;
  ASSERT_EQ(acltdtDequeueData(target, out, 8, &bytes, &mark, 4, 0), 0);
  EXPECT_STREQ(out, "bytes");
  EXPECT_EQ(mark, 9U);
}

TEST_F(Routes, OfOneSourceServeEveryTarget) {
  const uint32_t source = new_queue(4);
  const uint32_t left = new_queue(4);
  const uint32_t right = new_queue(4);
  bind({{source, left}, {source, right}});
  put(source, "both");
  acltdtBuf one = nullptr;
  acltdtBuf other = nullptr;
  ASSERT_EQ(acltdtDequeue(left, &one, 0), 0);
  ASSERT_EQ(acltdtDequeue(right, &other, 0), 0);
  EXPECT_NE(one, other);
  EXPECT_EQ(text_of(one), "both");
  EXPECT_EQ(text_of(other), "both");
  EXPECT_EQ(acltdtFreeBuf(one), 0);
  EXPECT_EQ(text_of(other), "both") << "each has a reference of its own";
  EXPECT_EQ(acltdtFreeBuf(other), 0);
}

TEST_F(Routes, FormPaths) {
  const uint32_t a = new_queue(4);
  const uint32_t b = new_queue(4);
  const uint32_t c = new_queue(4);
  bind({{b, c}});
  bind({{a, b}});
  put(a, "far");
  EXPECT_EQ(take_text(c), "far");
}

TEST_F(Routes, WaitInTheSourceForRoom) {
  const uint32_t source = new_queue(2);
  const uint32_t target = new_queue(1);
  bind({{source, target}});
  put(source, "1");
  put(source, "2");
  put(source, "3");
  acltdtBuf fourth = buffer_with("4");
  EXPECT_EQ(acltdtEnqueue(source, fourth, 0), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_EQ(take_text(target), "1");
  EXPECT_EQ(acltdtEnqueue(source, fourth, 0), 0) << "one moved on";
  for (const char* text : {"2", "3", "4", "(empty)"}) EXPECT_EQ(take_text(target), text);
}

TEST_F(Routes, WaitUntilEveryTargetHasRoom) {
  const uint32_t source = new_queue(2);
  const uint32_t narrow = new_queue(1);
  const uint32_t wide = new_queue(9);
  bind({{source, narrow}, {source, wide}});
  put(source, "1");
  put(source, "2");
  EXPECT_EQ(take_text(wide), "1");
  EXPECT_EQ(take_text(wide), "(empty)");
  EXPECT_EQ(take_text(narrow), "1");
  EXPECT_EQ(take_text(wide), "2");
  EXPECT_EQ(take_text(narrow), "2");
}

TEST_F(Routes, WakeWhoWaitsAtTheirEnd) {
  const uint32_t source = new_queue(1);
  const uint32_t target = new_queue(1);
  bind({{source, target}});
  std::thread giver([&] { EXPECT_EQ(acltdtEnqueue(source, buffer_with("x"), -1), 0); });
  acltdtBuf buf = nullptr;
  EXPECT_EQ(acltdtDequeue(target, &buf, -1), 0);
  giver.join();
  EXPECT_EQ(acltdtFreeBuf(buf), 0);
}

TEST_F(Routes, ForwardNoMoreWhenTheyAreUnbound) {
  const uint32_t source = new_queue(4);
  const uint32_t target = new_queue(4);
  const List list({{source, target}});
  ASSERT_EQ(acltdtBindQueueRoutes(list.get()), 0);
  ASSERT_EQ(acltdtUnbindQueueRoutes(list.get()), 0);
  EXPECT_EQ(list.status(0), ACL_TDT_QUEUE_ROUTE_UNBIND);
  put(source, "stays");
  EXPECT_EQ(take_text(target), "(empty)");
  EXPECT_EQ(take_text(source), "stays");
}

TEST_F(Routes, CanBeBoundAndUnboundAgain) {
  const uint32_t source = new_queue(4);
  const uint32_t target = new_queue(4);
  const List list({{source, target}});
  EXPECT_EQ(acltdtUnbindQueueRoutes(list.get()), 0);
  EXPECT_EQ(acltdtBindQueueRoutes(list.get()), 0);
  EXPECT_EQ(acltdtBindQueueRoutes(list.get()), 0);
  put(source, "once");
  EXPECT_EQ(take_text(target), "once");
  EXPECT_EQ(take_text(target), "(empty)");
}

TEST_F(Routes, AreBoundTogetherOrNotAtAll) {
  const uint32_t source = new_queue(4);
  const uint32_t target = new_queue(4);
  constexpr uint32_t kNone = 4000000000;
  EXPECT_EQ(acltdtBindQueueRoutes(List({{source, target}, {source, kNone}}).get()), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(acltdtBindQueueRoutes(List({{source, target}, {kNone, target}}).get()), ACL_ERROR_INVALID_QUEUE_ID);
  EXPECT_EQ(acltdtBindQueueRoutes(List({{source, target}, {source, source}}).get()), kRefused);
  put(source, "stays");
  EXPECT_EQ(take_text(target), "(empty)");
}

TEST_F(Routes, DoNotFormCircles) {
  const uint32_t a = new_queue(4);
  const uint32_t b = new_queue(4);
  const uint32_t c = new_queue(4);
  bind({{a, b}, {b, c}});
  EXPECT_EQ(acltdtBindQueueRoutes(List({{c, a}}).get()), kRefused);
  put(a, "through");
  EXPECT_EQ(take_text(c), "through");
}

TEST_F(Routes, EndWithTheirQueues) {
  const uint32_t source = new_queue(4);
  const uint32_t target = new_queue(4);
  bind({{source, target}});
  ASSERT_EQ(acltdtDestroyQueue(target), 0);
  EXPECT_TRUE(query(ACL_TDT_QUEUE_ROUTE_QUERY_SRC, source, 0).empty());
  put(source, "stays");
  EXPECT_EQ(take_text(source), "stays");
}

TEST_F(Routes, CanBeFound) {
  const uint32_t a = new_queue(4);
  const uint32_t b = new_queue(4);
  const uint32_t c = new_queue(4);
  bind({{a, b}, {a, c}, {b, c}});
  EXPECT_EQ(query(ACL_TDT_QUEUE_ROUTE_QUERY_SRC, a, 0), (std::vector<Pair>{{a, b}, {a, c}}));
  EXPECT_EQ(query(ACL_TDT_QUEUE_ROUTE_QUERY_DST, 0, c), (std::vector<Pair>{{a, c}, {b, c}}));
  EXPECT_EQ(query(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST, b, c), (std::vector<Pair>{{b, c}}));
  EXPECT_TRUE(query(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST, c, b).empty());
  EXPECT_TRUE(query(ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL, 0, 0).empty());
}

TEST_F(Routes, ThatAreFoundReplaceWhatTheListHeld) {
  const uint32_t a = new_queue(4);
  const uint32_t b = new_queue(4);
  bind({{a, b}});
  acltdtQueueRouteQueryInfo* info = acltdtCreateQueueRouteQueryInfo();
  const auto mode = ACL_TDT_QUEUE_ROUTE_QUERY_SRC;
  ASSERT_EQ(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, sizeof(mode), &mode), 0);
  const List list({{1, 2}, {3, 4}});
  EXPECT_EQ(acltdtQueryQueueRoutes(info, list.get()), kRefused) << "the source is missing";
  ASSERT_EQ(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, sizeof(a), &a), 0);
  EXPECT_EQ(acltdtQueryQueueRoutes(info, list.get()), 0);
  EXPECT_EQ(list.routes(), (std::vector<Pair>{{a, b}}));
  EXPECT_EQ(list.status(0), ACL_TDT_QUEUE_ROUTE_BIND);
  EXPECT_EQ(acltdtDestroyQueueRouteQueryInfo(info), 0);
}

TEST_F(Routes, ObjectsCheckTheirArguments) {
  acltdtQueueRoute* route = acltdtCreateQueueRoute(1, 2);
  acltdtQueueRouteList* list = acltdtCreateQueueRouteList();
  acltdtQueueRouteQueryInfo* info = acltdtCreateQueueRouteQueryInfo();
  uint32_t value = 0;
  size_t bytes = 0;
  EXPECT_EQ(acltdtGetQueueRouteParam(nullptr, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 4, &bytes, &value), kRefused);
  EXPECT_EQ(acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 3, &bytes, &value), kRefused);
  EXPECT_EQ(acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 4, nullptr, &value), kRefused);
  EXPECT_EQ(acltdtGetQueueRouteParam(route, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 4, &bytes, nullptr), kRefused);
  EXPECT_EQ(acltdtGetQueueRouteParam(route, static_cast<acltdtQueueRouteParamType>(3), 4, &bytes, &value), kRefused);
  EXPECT_EQ(acltdtAddQueueRoute(nullptr, route), kRefused);
  EXPECT_EQ(acltdtAddQueueRoute(list, nullptr), kRefused);
  EXPECT_EQ(acltdtGetQueueRoute(nullptr, 0, route), kRefused);
  EXPECT_EQ(acltdtGetQueueRoute(list, 0, nullptr), kRefused);
  EXPECT_EQ(acltdtGetQueueRoute(list, 0, route), kRefused) << "the list is empty";
  EXPECT_EQ(acltdtGetQueueRouteNum(nullptr), 0U);
  EXPECT_EQ(acltdtBindQueueRoutes(nullptr), kRefused);
  EXPECT_EQ(acltdtUnbindQueueRoutes(nullptr), kRefused);
  EXPECT_EQ(acltdtBindQueueRoutes(list), 0) << "nothing to do";
  EXPECT_EQ(acltdtQueryQueueRoutes(nullptr, list), kRefused);
  EXPECT_EQ(acltdtQueryQueueRoutes(info, nullptr), kRefused);
  EXPECT_EQ(acltdtQueryQueueRoutes(info, list), kRefused) << "the mode is missing";
  value = 3;
  EXPECT_EQ(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, 4, &value), kRefused);
  EXPECT_EQ(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 8, &bytes), kRefused);
  EXPECT_EQ(acltdtSetQueueRouteQueryInfo(info, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 4, nullptr), kRefused);
  EXPECT_EQ(acltdtSetQueueRouteQueryInfo(nullptr, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 4, &value), kRefused);
  EXPECT_EQ(acltdtDestroyQueueRoute(route), 0);
  EXPECT_EQ(acltdtDestroyQueueRoute(route), kRefused);
  EXPECT_EQ(acltdtDestroyQueueRoute(nullptr), kRefused);
  EXPECT_EQ(acltdtDestroyQueueRouteList(list), 0);
  EXPECT_EQ(acltdtDestroyQueueRouteList(nullptr), kRefused);
  EXPECT_EQ(acltdtDestroyQueueRouteQueryInfo(info), 0);
  EXPECT_EQ(acltdtDestroyQueueRouteQueryInfo(nullptr), kRefused);
}

}  // namespace
}  // namespace aclvk::test
