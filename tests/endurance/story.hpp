#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace endurance {

/// What a program does again and again for days.
class Story {
 public:
  Story() = default;
  virtual ~Story() = default;
  Story(const Story&) = delete;
  Story& operator=(const Story&) = delete;

  /// Once more. Waits for the device now and then, as the program would.
  virtual void repeat() = 0;
  /// Waits for all that is under way, gives back what is only lent for some repetitions, and throws unless the results
  /// are right.
  virtual void settle() = 0;
};

struct Chapter {
  std::string name;
  std::string what;          ///< is repeated: "tasks"
  std::int64_t repetitions;  ///< at scale 1
  bool makes_objects;        ///< command pools, buffers or semaphores of Vulkan come and go with the repetitions
  std::unique_ptr<Story> (*begin)();
};

const std::vector<Chapter>& chapters();

std::unique_ptr<Story> eager_tasks();
std::unique_ptr<Story> unwaited_tasks();
std::unique_ptr<Story> host_functions();
std::unique_ptr<Story> replays();
std::unique_ptr<Story> captures();
std::unique_ptr<Story> allocations();
std::unique_ptr<Story> pool_allocations();
std::unique_ptr<Story> objects();
std::unique_ptr<Story> operators();
std::unique_ptr<Story> kernels();

}  // namespace endurance
