#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace aclvk::test {

/// What became of a story: the code of the first call that failed, and its text.
struct Outcome {
  int code = 0;
  std::string call;
  /// What must not happen whatever failed: wrong results without an error, or something that cannot be taken down.
  std::string broken;
};

/// A stand-in for the code of functions that answer NULL.
constexpr int kNothingMade = -1;

/// A short program with the library, which stops at the first call that fails and then takes down what it has made. The
/// functions with capital letters below are how its lines are written.
class Story {
 public:
  /// True while the story continues.
  bool step(int code, const char* call) {
    if (code != 0 && outcome_.code == 0) outcome_ = {code, call, ""};
    return code == 0;
  }
  bool expect(bool holds, const char* what) {
    if (!holds && outcome_.broken.empty()) outcome_.broken = std::string("not so: ") + what;
    return holds;
  }
  /// To be called at the end, the last one first.
  void at_end(const char* call, std::function<int()> function) { ends_.push_back({call, std::move(function)}); }
  /// Memory that lives until everything has been taken down.
  template <typename T>
  T* keep(std::size_t count, T value = {}) {
    auto list = std::make_shared<std::vector<T>>(count, value);
    retained_.push_back(list);
    return list->data();
  }

  /// The same for one object.
  template <typename T, typename... Args>
  T& hold(Args&&... args) {
    auto object = std::make_shared<T>(std::forward<Args>(args)...);
    retained_.push_back(object);
    return *object;
  }

  /// Takes down what is there. A call that fails then is made again, for the fault may have met it: the second one has
  /// to succeed, or to find that there is nothing any more.
  Outcome finish();

 private:
  struct End {
    const char* call;
    std::function<int()> function;
  };

  Outcome outcome_;
  std::vector<End> ends_;
  std::vector<std::shared_ptr<void>> retained_;
};

using StoryBody = void (*)(Story& story);

inline Outcome run_story(StoryBody body) {
  Story story;
  body(story);
  return story.finish();
}

}  // namespace aclvk::test

// A call that returns a code.
#define STEP(...) \
  if (!story.step((__VA_ARGS__), #__VA_ARGS__)) return
// A call that returns what it has made, or NULL.
#define MAKE(target, ...) \
  target = (__VA_ARGS__); \
  if (!story.step(target ? 0 : ::aclvk::test::kNothingMade, #__VA_ARGS__)) return
#define AT_END(...) story.at_end(#__VA_ARGS__, [=]() -> int { return (__VA_ARGS__); })
// A result that has to be right when all calls before it have succeeded.
#define RIGHT(...) \
  if (!story.expect((__VA_ARGS__), #__VA_ARGS__)) return
