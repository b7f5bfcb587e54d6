#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace aclvk {

/// A vector that stores up to kInline values without an allocation: for lists that are nearly always short, such as
/// shapes, strides and operands. Members are a subset of std::vector's. All values up to the capacity are constructed;
/// one that is removed becomes T(), and one that is moved leaves an object, neither of which may own anything.
/// (boost::container::small_vector would add 138 MB of packages, and its headers do not pass our warnings with gcc 12.)
template <typename T, std::size_t kInline>
class InlineVector {
  static constexpr bool kTrivial = std::is_trivially_copyable_v<T>;
  static_assert(kTrivial || (std::is_nothrow_default_constructible_v<T> && std::is_nothrow_move_assignable_v<T>));

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  InlineVector() = default;
  explicit InlineVector(std::size_t count, T value = T()) { resize(count, value); }
  InlineVector(std::initializer_list<T> values) : InlineVector(values.begin(), values.end()) {}
  InlineVector(const T* first, const T* last) { append(first, last); }
  InlineVector(const InlineVector& other) { copy(other); }
  InlineVector(InlineVector&& other) noexcept { take(other); }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) copy(other);
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~InlineVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return allocated_ ? allocated_.get() : own_.data(); }
  const T* data() const { return allocated_ ? allocated_.get() : own_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t index) { return data()[index]; }
  const T& operator[](std::size_t index) const { return data()[index]; }
  T& front() { return *begin(); }
  const T& front() const { return *begin(); }
  T& back() { return end()[-1]; }
  const T& back() const { return end()[-1]; }

  void clear() noexcept { truncate(0); }
  void assign(const T* first, const T* last) {
    clear();
    append(first, last);
  }
  /// The range must not alias the vector.
  void append(const T* first, const T* last) {
    const auto count = static_cast<std::size_t>(last - first);
    reserve(size_ + count);
    std::copy(first, last, end());
    size_ += count;
  }
  void push_back(T value) {
    if (size_ == capacity_) reserve(2 * capacity_);
    data()[size_++] = std::move(value);
  }
  void resize(std::size_t size, T value = T()) {
    if (size < size_) return truncate(size);
    reserve(size);
    std::fill(end(), data() + size, value);
    size_ = size;
  }
  void erase(const T* position) {
    T* const at = data() + (position - data());
    std::move(at + 1, end(), at);
    truncate(size_ - 1);
  }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    std::unique_ptr<T[]> larger(new T[capacity]);
    std::move(begin(), end(), larger.get());
    allocated_ = std::move(larger);
    capacity_ = capacity;
  }

  friend bool operator==(const InlineVector& a, const InlineVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator!=(const InlineVector& a, const InlineVector& b) { return !(a == b); }

 private:
  // Trivial values beyond the size are not read again, so they stay.
  void truncate(std::size_t size) noexcept {
    if constexpr (!kTrivial) {
      for (T* value = data() + size; value != end(); ++value) *value = T();
    }
    size_ = size;
  }
  void copy(const InlineVector& other) {
    if (!kTrivial || allocated_ || other.allocated_) return assign(other.begin(), other.end());
    own_ = other.own_;  // all kInline: a copy of constant size compiles to a few instructions
    size_ = other.size_;
  }
  // Leaves `other` empty.
  void take(InlineVector& other) noexcept {
    if constexpr (kTrivial) {
      own_ = other.own_;
    } else {
      clear();
      if (!other.allocated_) std::move(other.begin(), other.end(), own_.begin());
    }
    allocated_ = std::move(other.allocated_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, kInline);
  }
  std::size_t size_ = 0;
  std::size_t capacity_ = kInline;
  std::unique_ptr<T[]> allocated_;
  std::array<T, kInline> own_{};
};

}  // namespace aclvk
