// Reports of libraries to CANN's profiler. No profiler of that kind exists here, so reports are dropped and succeed.
#include <chrono>

#include "api/loaded/loaded.hpp"

std::int32_t MsprofRegisterCallback(std::uint32_t, std::int32_t (*)(std::uint32_t, void*, std::uint32_t)) { return 0; }
std::int32_t MsprofReportApi(std::uint32_t, const void*) { return 0; }
std::int32_t MsprofReportCompactInfo(std::uint32_t, const void*, std::uint32_t) { return 0; }
std::int32_t MsprofReportAdditionalInfo(std::uint32_t, const void*, std::uint32_t) { return 0; }

// FNV-1a of 64 bits, by Fowler, Noll and Vo.
std::uint64_t MsprofGetHashId(const char* text, std::size_t length) {
  if (text == nullptr) return 0;
  std::uint64_t hash = 14695981039346656037U;
  for (std::size_t i = 0; i < length; ++i) {
    hash = (hash ^ static_cast<unsigned char>(text[i])) * 1099511628211U;
  }
  return hash;
}

// Nanoseconds stand for the cycles of a board's counter.
std::uint64_t MsprofSysCycleTime() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}
