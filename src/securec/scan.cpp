// Scans with libc's fscanf, one directive at a time. A string directive is passed with the width that fits its array;
// if the input then has a further character that the directive would accept, the array is too small.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <memory>
#include <string>

#include "securec/securec.hpp"

namespace aclvk::securec {
namespace {

/// A conversion that stores a value, and the text before it. The end of a format is a directive without a conversion.
struct Directive {
  std::string text;        // everything before the conversion, including ones that store nothing (%%, %*)
  std::string width;       // digits, or none
  std::string modifiers;   // h, hh, l, ...
  std::string conversion;  // the letter, or the set with its brackets; empty for text alone
};

/// Returns the end of a set, after its closing bracket. A bracket in first position is a member of the set.
const char* end_of_set(const char* at) {
  at += *at == '^' ? 1 : 0;
  at += *at == ']' ? 1 : 0;
  const char* end = std::strchr(at, ']');
  return end ? end + 1 : at + std::strlen(at);
}

/// Returns the next directive and advances `format` past it.
Directive next_directive(const char*& format) {
  Directive result;
  while (*format != '\0') {
    if (*format != '%') {
      result.text += *format++;
      continue;
    }
    const char* const begin = format++;
    const bool stores = *format != '*' && *format != '%';
    format += *format == '*' ? 1 : 0;
    const std::size_t width = std::strspn(format, "0123456789");
    result.width.assign(format, width);
    const std::size_t modifiers = std::strspn(format + width, "hlLqjzt");
    result.modifiers.assign(format + width, modifiers);
    format += width + modifiers;
    if (*format == '\0') break;  // an incomplete directive is ignored
    const char* const letter = format++;
    if (*letter == '[') format = end_of_set(format);
    result.conversion.assign(letter, format);
    // %S is %ls, and %C is %lc (XSI).
    if (*letter == 'S' || *letter == 'C') {
      result.modifiers = "l";
      result.conversion = *letter == 'S' ? "s" : "c";
    }
    if (stores) return result;
    result.text.append(begin, format);
  }
  result.conversion.clear();
  return result;
}

/// One call of a scanf_s function.
class Scan {
 public:
  Scan(std::FILE* stream, va_list arguments) : stream_(stream) { va_copy(arguments_, arguments); }
  ~Scan() { va_end(arguments_); }
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;

  int run(const char* format) {
    while (*format != '\0') {
      if (!scan_directive(next_directive(format))) break;
    }
    return stored_ == 0 && ended_ ? EOF : stored_;
  }

 private:
  /// Scans text and conversions that store nothing.
  bool skip(const std::string& text) {
    int read = -1;
    const int result = std::fscanf(stream_, (text + "%n").c_str(), &read);
    if (read >= 0) read_ += read;
    ended_ = read < 0 && result == EOF;
    return read >= 0;
  }

  bool scan_directive(const Directive& directive) {
    if (!directive.text.empty() && !skip(directive.text)) return false;
    if (directive.conversion.empty()) return true;
    void* const target = va_arg(arguments_, void*);
    switch (directive.conversion[0]) {
      case 'n': return store_count(directive, target);
      case 'c':
      case 's':
      case '[': return store_text(directive, target, va_arg(arguments_, unsigned));
      default: return store(directive, directive.width, target);
    }
  }

  bool store(const Directive& directive, const std::string& width, void* target) {
    int read = 0;
    const std::string format = "%" + width + directive.modifiers + directive.conversion + "%n";
    const int result = std::fscanf(stream_, format.c_str(), target, &read);
    read_ += read;
    ended_ = result == EOF;
    if (result == 1) ++stored_;
    return result == 1;
  }

  bool store_text(const Directive& directive, void* target, unsigned size) {
    // %c stores exactly `wanted` characters and no 0; %s and %[ need a place for the 0.
    const bool one = directive.conversion == "c";
    const std::size_t wanted = directive.width.empty() ? 1 : std::strtoul(directive.width.c_str(), nullptr, 10);
    if (target == nullptr || !is_size(size)) return refuse(directive, nullptr);
    if (one) return wanted > size ? refuse(directive, target) : store(directive, directive.width, target);
    const std::size_t capacity = size - 1;
    if (!directive.width.empty() && wanted <= capacity) return store(directive, directive.width, target);
    if (capacity == 0) return refuse(directive, target);
    if (!store(directive, std::to_string(capacity), target)) return false;
    return has_more(directive) ? refuse(directive, target) : true;
  }

  /// Returns whether the input has a further character that the directive accepts; consumes it.
  bool has_more(const Directive& directive) {
    const std::string set = directive.conversion == "s" ? "[^ \t\n\v\f\r]" : directive.conversion;
    return skip("%*1" + directive.modifiers + set);
  }

  /// Fails for an array that is too small, and empties it.
  bool refuse(const Directive& directive, void* target) {
    if (target && directive.modifiers == "l") *static_cast<wchar_t*>(target) = L'\0';
    if (target && directive.modifiers != "l") *static_cast<char*>(target) = '\0';
    stored_ = 0;
    ended_ = true;
    return false;
  }

  /// Stores the number of characters read so far (%n).
  bool store_count(const Directive& directive, void* target) {
    if (directive.modifiers == "hh")
      *static_cast<signed char*>(target) = static_cast<signed char>(read_);
    else if (directive.modifiers == "h")
      *static_cast<short*>(target) = static_cast<short>(read_);
    else if (directive.modifiers.empty())
      *static_cast<int*>(target) = static_cast<int>(read_);
    else
      *static_cast<long*>(target) = read_;
    return true;
  }

  std::FILE* stream_;
  va_list arguments_;
  int stored_ = 0;
  long read_ = 0;
  bool ended_ = false;
};

}  // namespace
}  // namespace aclvk::securec

int vfscanf_s(FILE* stream, const char* format, va_list arguments) {
  if (stream == nullptr || format == nullptr) return -1;
  return aclvk::securec::Scan(stream, arguments).run(format);
}

int vsscanf_s(const char* buffer, const char* format, va_list arguments) {
  if (buffer == nullptr || format == nullptr) return -1;
  const std::unique_ptr<FILE, int (*)(FILE*)> stream(fmemopen(const_cast<char*>(buffer), std::strlen(buffer), "r"),
                                                     std::fclose);
  return stream ? vfscanf_s(stream.get(), format, arguments) : -1;
}

int vscanf_s(const char* format, va_list arguments) { return vfscanf_s(stdin, format, arguments); }

int sscanf_s(const char* buffer, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int stored = vsscanf_s(buffer, format, arguments);
  va_end(arguments);
  return stored;
}

int fscanf_s(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int stored = vfscanf_s(stream, format, arguments);
  va_end(arguments);
  return stored;
}

int scanf_s(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int stored = vscanf_s(format, arguments);
  va_end(arguments);
  return stored;
}

char* gets_s(char* dest, size_t destMax) {
  if (dest == nullptr || !aclvk::securec::is_size(destMax)) return nullptr;
  std::size_t length = 0;
  int c = std::getchar();
  const bool has_line = c != EOF;
  for (; c != EOF && c != '\n'; c = std::getchar()) {
    if (length < destMax) dest[length++] = static_cast<char>(c);
  }
  const bool fits = has_line && length < destMax;
  dest[fits ? length : 0] = '\0';
  return fits ? dest : nullptr;
}
