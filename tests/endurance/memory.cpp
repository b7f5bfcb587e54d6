// Memory that is freed while the device still works on it, and used again.
#include <algorithm>
#include <array>
#include <random>

#include "endurance/counter.hpp"
#include "endurance/story.hpp"

namespace endurance {
namespace {

/// Sizes as programs ask for them: most are small, a few are large.
std::size_t mixed_size(std::mt19937& random) {
  constexpr std::array<std::size_t, 6> kLimits{256, 256, 4096, 4096, 65536, 1 << 18};
  constexpr std::size_t kLarge = 16 << 20;
  return 1 + random() % (random() % 128 == 0 ? kLarge : kLimits[random() % kLimits.size()]);
}

struct Block {
  void* memory = nullptr;
  std::size_t bytes = 0;
  std::uint8_t content = 0;
  std::size_t lane = 0;  ///< the stream that has filled it
};

/// Up to 32 blocks, in any order of coming and going. Each is filled on a stream, copied to its neighbour, and freed
/// without waiting.
class Blocks : public Story {
 public:
  void repeat() override {
    Block& block = blocks_[random_() % blocks_.size()];
    if (block.memory) release(block);
    block = {nullptr, mixed_size(random_), static_cast<std::uint8_t>(random_()), random_() % streams_.size()};
    block.memory = allocate(block.bytes, streams_[block.lane]);
    const acl::Stream& stream = streams_[block.lane];
    ACL_CHECK(aclrtMemsetAsync(block.memory, block.bytes, block.content, block.bytes, stream));
    copy_to_another(block, stream);
    if (++done_ % 256 == 0) wait();
  }
  void settle() override {
    wait();
    for (Block& block : blocks_) {
      if (!block.memory) continue;
      check(block);
      release(block);
    }
    wait();
    tidy();
    wait();  // lets go of what has been given back
  }

 protected:
  virtual void* allocate(std::size_t bytes, aclrtStream stream) = 0;
  virtual void free(void* memory, aclrtStream stream) = 0;
  /// Gives back what is kept for later.
  virtual void tidy() {}

 private:
  void release(Block& block) {
    free(block.memory, streams_[block.lane]);
    block = {};
  }
  void wait() const {
    for (const acl::Stream& stream : streams_) stream.wait();
  }
  /// The other block, if it is of the same stream, has the same content from then on as far as it reaches.
  void copy_to_another(const Block& block, aclrtStream stream) {
    Block& other = blocks_[random_() % blocks_.size()];
    if (!other.memory || &other == &block || other.lane != block.lane || other.bytes > block.bytes) return;
    ACL_CHECK(
        aclrtMemcpyAsync(other.memory, other.bytes, block.memory, other.bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    other.content = block.content;
  }
  void check(const Block& block) {
    bytes_.resize(block.bytes);
    ACL_CHECK(aclrtMemcpy(bytes_.data(), block.bytes, block.memory, block.bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    const auto right = std::count(bytes_.begin(), bytes_.end(), block.content);
    expect(right, static_cast<std::int64_t>(block.bytes), "the number of bytes of a block with its content");
  }

  const std::array<acl::Stream, 3> streams_{};
  std::array<Block, 32> blocks_{};
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(16 << 20);
  std::mt19937 random_{1};
  std::int64_t done_ = 0;
};

class Allocations : public Blocks {
  void* allocate(std::size_t bytes, aclrtStream) override {
    void* memory = nullptr;
    ACL_CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    return memory;
  }
  void free(void* memory, aclrtStream) override { ACL_CHECK(aclrtFree(memory)); }
};

class PoolAllocations : public Blocks {
 public:
  PoolAllocations() {
    aclrtMemPoolProps props{};
    props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    props.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
    ACL_CHECK(aclrtMemPoolCreate(&pool_, &props));
    std::uint64_t kept = std::uint64_t{1} << 30;
    ACL_CHECK(aclrtMemPoolSetAttr(pool_, ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD, &kept));
  }
  ~PoolAllocations() override { aclrtMemPoolDestroy(pool_); }

 private:
  void* allocate(std::size_t bytes, aclrtStream stream) override {
    void* memory = nullptr;
    ACL_CHECK(aclrtMemPoolMallocAsync(&memory, bytes, pool_, stream));
    return memory;
  }
  void free(void* memory, aclrtStream stream) override { ACL_CHECK(aclrtMemPoolFreeAsync(memory, stream)); }
  void tidy() override { ACL_CHECK(aclrtMemPoolTrimTo(pool_, 0)); }

  aclrtMemPool pool_ = nullptr;
};

}  // namespace

std::unique_ptr<Story> allocations() { return std::make_unique<Allocations>(); }
std::unique_ptr<Story> pool_allocations() { return std::make_unique<PoolAllocations>(); }

}  // namespace endurance
