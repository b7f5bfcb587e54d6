#include "endurance/counter.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace endurance {

void expect(std::int64_t value, std::int64_t expected, const char* what) {
  if (value == expected) return;
  throw std::runtime_error(std::string(what) + " is " + std::to_string(value) + "; " + std::to_string(expected) +
                           " is expected.");
}

void Counter::add(std::int32_t by, aclrtStream stream) const {
  const Number other(by), alpha(1);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  ACL_CHECK(aclnnInplaceAddsGetWorkspaceSize(tensor(), other.get(), alpha.get(), &bytes, &executor));
  ACL_CHECK(aclnnInplaceAdds(nullptr, bytes, executor, stream));
}

void Counter::set(const Counter& in, std::int32_t by, aclrtStream stream) const {
  const Number other(by), alpha(1);
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  ACL_CHECK(aclnnAddsGetWorkspaceSize(in.tensor(), other.get(), alpha.get(), tensor(), &bytes, &executor));
  ACL_CHECK(aclnnAdds(nullptr, bytes, executor, stream));
}

std::int32_t Counter::value() const {
  std::array<std::int32_t, 8> values{};
  ACL_CHECK(aclrtMemcpy(values.data(), kBytes, memory(), kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (const std::int32_t value : values) expect(value, values[0], "an element of a counter");
  return values[0];
}

}  // namespace endurance
