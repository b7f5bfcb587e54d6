// securec.h: copies and text within bounds. Each destination lies between bytes that must stay as they are.
#include "securec.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>

namespace {

constexpr char kBeside = '#';

/// Memory of `size` bytes with others on both sides.
class Destination {
 public:
  explicit Destination(std::size_t size) : bytes_(size + 16, kBeside), size_(size) { std::memset(data(), 'x', size); }
  Destination(std::size_t size, const std::string& content) : Destination(size) {
    std::memcpy(data(), content.c_str(), content.size() + 1);
  }
  ~Destination() {
    EXPECT_EQ(bytes_.substr(0, 8), std::string(8, kBeside));
    EXPECT_EQ(bytes_.substr(8 + size_), std::string(8, kBeside));
  }
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

  char* data() { return &bytes_[8]; }
  std::string all() const { return bytes_.substr(8, size_); }
  std::string text() const { return bytes_.c_str() + 8; }

 private:
  std::string bytes_;
  std::size_t size_;
};

const std::string kZeros8(8, '\0');
constexpr std::size_t kTooLarge = std::size_t{1} << 32;

template <class Copy>
void copies_within_bounds(Copy copy) {
  Destination place(8);
  EXPECT_EQ(copy(place.data(), 8, "abcdefgh", 8), EOK);
  EXPECT_EQ(place.all(), "abcdefgh");
  EXPECT_EQ(copy(place.data(), 8, "1234", 3), EOK);
  EXPECT_EQ(place.all(), "123defgh");
  EXPECT_EQ(copy(place.data(), 8, "1234", 0), EOK);
  EXPECT_EQ(copy(place.data(), 8, place.data(), 8), EOK);
  EXPECT_EQ(copy(place.data(), 0, "1234", 4), ERANGE);
  EXPECT_EQ(copy(place.data(), kTooLarge, "1234", 4), ERANGE);
  EXPECT_EQ(place.all(), "123defgh");
  EXPECT_EQ(copy(nullptr, 8, "1234", 4), EINVAL);
  EXPECT_EQ(copy(place.data(), 8, "123456789", 9), ERANGE_AND_RESET);
  EXPECT_EQ(place.all(), kZeros8);
  std::memset(place.data(), 'x', 8);
  EXPECT_EQ(copy(place.data(), 8, nullptr, 4), EINVAL_AND_RESET);
  EXPECT_EQ(place.all(), kZeros8);
}

TEST(Securec, CopiesStayWithinBounds) { copies_within_bounds(memcpy_s); }
TEST(Securec, MovesStayWithinBounds) { copies_within_bounds(memmove_s); }

TEST(Securec, CopiesRefuseOverlapAndMovesDoNot) {
  for (const auto& [to, from] : {std::pair(0, 3), std::pair(3, 0)}) {
    Destination place(8, "abcdefg");
    EXPECT_EQ(memmove_s(place.data() + to, 5, place.data() + from, 4), EOK);
    EXPECT_EQ(place.all().substr(to, 4), std::string("abcdefg").substr(from, 4));
    EXPECT_EQ(memcpy_s(place.data() + to, 5, place.data() + from, 4), EOVERLAP_AND_RESET);
    EXPECT_EQ(place.all().substr(to, 5), std::string(5, '\0'));
  }
  Destination place(8, "abcdefg");
  EXPECT_EQ(memcpy_s(place.data() + 4, 4, place.data(), 4), EOK);
  EXPECT_EQ(place.all(), "abcdabcd");
}

TEST(Securec, FillsStayWithinBounds) {
  Destination place(8);
  EXPECT_EQ(memset_s(place.data(), 8, 'a', 3), EOK);
  EXPECT_EQ(place.all(), "aaaxxxxx");
  EXPECT_EQ(memset_s(place.data(), 8, 'b', 0), EOK);
  EXPECT_EQ(memset_s(place.data(), 0, 'b', 1), ERANGE);
  EXPECT_EQ(memset_s(place.data(), kTooLarge, 'b', 1), ERANGE);
  EXPECT_EQ(memset_s(nullptr, 8, 'b', 1), EINVAL);
  EXPECT_EQ(place.all(), "aaaxxxxx");
  EXPECT_EQ(memset_s(place.data(), 8, 'c', 9), ERANGE_AND_RESET);
  EXPECT_EQ(place.all(), "cccccccc");
}

/// What all four string functions answer; `begun` is what stands in the destination.
template <class Write>
void strings_within_bounds(const std::string& begun, Write write) {
  const std::string rest(7 - begun.size(), 'r');
  Destination place(8, begun);
  EXPECT_EQ(write(place.data(), 8, rest.c_str()), EOK);
  EXPECT_EQ(place.text(), begun + rest);
  EXPECT_EQ(write(place.data(), 0, "a"), ERANGE);
  EXPECT_EQ(write(place.data(), kTooLarge, "a"), ERANGE);
  EXPECT_EQ(place.text(), begun + rest);
  EXPECT_EQ(write(nullptr, 8, "a"), EINVAL);
  EXPECT_EQ(write(place.data(), 8, nullptr), EINVAL_AND_RESET);
  EXPECT_EQ(place.text(), "");
  Destination full(8, begun);
  EXPECT_EQ(write(full.data(), 8, (rest + "r").c_str()), ERANGE_AND_RESET);
  EXPECT_EQ(full.text(), "");
  Destination empty(8, begun);
  EXPECT_EQ(write(empty.data(), 8, ""), EOK);
  EXPECT_EQ(empty.text(), begun);
}

TEST(Securec, StringsAreCopiedWithinBounds) {
  strings_within_bounds("", strcpy_s);
  strings_within_bounds("", [](char* to, std::size_t size, const char* from) { return strncpy_s(to, size, from, 99); });
}

TEST(Securec, StringsAreJoinedWithinBounds) {
  for (const char* begun : {"", "abc"}) {
    strings_within_bounds(begun, strcat_s);
    strings_within_bounds(begun,
                          [](char* to, std::size_t size, const char* from) { return strncat_s(to, size, from, 99); });
  }
}

TEST(Securec, PartsOfStringsAreCopiedAndJoined) {
  Destination place(8);
  EXPECT_EQ(strncpy_s(place.data(), 8, "abcdefghij", 4), EOK);
  EXPECT_EQ(strncat_s(place.data(), 8, "12345678", 3), EOK);
  EXPECT_EQ(place.text(), "abcd123");
  EXPECT_EQ(strncat_s(place.data(), 8, "9", 0), EOK);
  EXPECT_EQ(strncat_s(place.data(), 8, "9", 1), ERANGE_AND_RESET);
  EXPECT_EQ(strncpy_s(place.data(), 8, "abc", 0), EOK);
  EXPECT_EQ(place.text(), "");
  EXPECT_EQ(strncpy_s(place.data(), 8, "abc", kTooLarge), ERANGE_AND_RESET);
  EXPECT_EQ(strncat_s(place.data(), 8, "abc", kTooLarge), ERANGE_AND_RESET);
}

TEST(Securec, TheFirstCharactersNeedNoEnd) {
  const std::array<char, 3> open{'a', 'b', 'c'};
  Destination place(8);
  EXPECT_EQ(strncpy_s(place.data(), 8, open.data(), 3), EOK);
  EXPECT_EQ(strncat_s(place.data(), 8, open.data(), 3), EOK);
  EXPECT_EQ(place.text(), "abcabc");
}

TEST(Securec, AStringWithoutEndIsNotJoined) {
  Destination place(4);
  EXPECT_EQ(strcat_s(place.data(), 4, "a"), EINVAL_AND_RESET);
  EXPECT_EQ(place.text(), "");
  std::memset(place.data(), 'x', 4);
  EXPECT_EQ(strncat_s(place.data(), 4, "a", 1), EINVAL_AND_RESET);
  EXPECT_EQ(place.text(), "");
}

TEST(Securec, StringsThatOverlapAreRefused) {
  Destination place(16, "abcdef");
  EXPECT_EQ(strcpy_s(place.data(), 16, place.data()), EOK);
  EXPECT_EQ(place.text(), "abcdef");
  EXPECT_EQ(strcpy_s(place.data() + 6, 10, place.data()), EOVERLAP_AND_RESET);  // its 0 would go
  EXPECT_EQ(place.text(), "abcdef");
  EXPECT_EQ(strncpy_s(place.data() + 6, 10, place.data(), 6), EOK);
  EXPECT_EQ(place.text(), "abcdefabcdef");
  EXPECT_EQ(strcpy_s(place.data(), 16, place.data() + 2), EOVERLAP_AND_RESET);
  EXPECT_EQ(strcpy_s(place.data(), 16, "ab"), EOK);
  EXPECT_EQ(strcat_s(place.data(), 16, place.data()), EOVERLAP_AND_RESET);
  EXPECT_EQ(place.text(), "");
}

TEST(Securec, TokensComeOneAfterAnother) {
  std::string text = ",a,,bc;d";
  char* context = nullptr;
  EXPECT_STREQ(strtok_s(text.data(), ",;", &context), "a");
  EXPECT_STREQ(strtok_s(nullptr, ",", &context), "bc;d");
  EXPECT_EQ(strtok_s(nullptr, ",", &context), nullptr);
  EXPECT_EQ(strtok_s(text.data(), nullptr, &context), nullptr);
  EXPECT_EQ(strtok_s(text.data(), ",", nullptr), nullptr);
  context = nullptr;
  EXPECT_EQ(strtok_s(nullptr, ",", &context), nullptr);
}

TEST(Securec, TextStaysWithinBounds) {
  Destination place(8);
  EXPECT_EQ(sprintf_s(place.data(), 8, "%s%d", "abc", 1234), 7);
  EXPECT_EQ(place.text(), "abc1234");
  EXPECT_EQ(sprintf_s(place.data(), 8, "%s%d", "abc", 12345), -1);
  EXPECT_EQ(place.text(), "");
  EXPECT_EQ(sprintf_s(nullptr, 8, "%d", 1), -1);
  EXPECT_EQ(sprintf_s(place.data(), 0, "%d", 1), -1);
  EXPECT_EQ(sprintf_s(place.data(), kTooLarge, "%d", 1), -1);
  strcpy_s(place.data(), 8, "abc");
  const char* none = nullptr;
  EXPECT_EQ(sprintf_s(place.data(), 8, none, 0), -1);
  EXPECT_EQ(place.text(), "");
}

TEST(Securec, TextIsCutWhereTheCallerSays) {
  Destination place(8);
  EXPECT_EQ(snprintf_s(place.data(), 8, 7, "%d", 1234567), 7);
  EXPECT_EQ(place.text(), "1234567");
  EXPECT_EQ(snprintf_s(place.data(), 8, 4, "%d", 1234567), -1);
  EXPECT_EQ(place.text(), "1234");
  EXPECT_EQ(snprintf_s(place.data(), 8, 7, "%d", 12345678), -1);
  EXPECT_EQ(place.text(), "1234567");
  EXPECT_EQ(snprintf_s(place.data(), 8, 8, "%d", 12345678), -1);
  EXPECT_EQ(place.text(), "");
  EXPECT_EQ(snprintf_s(place.data(), 8, 0, "%s", ""), 0);
  EXPECT_EQ(snprintf_s(nullptr, 8, 4, "%d", 1), -1);
  EXPECT_EQ(snprintf_s(place.data(), 0, 4, "%d", 1), -1);
  EXPECT_EQ(snprintf_s(place.data(), 8, kTooLarge, "%d", 1), -1);
}

TEST(Securec, TextWritesNowhereElse) {
  Destination place(16);
  int written = 5;
  EXPECT_EQ(sprintf_s(place.data(), 16, "ab%n", &written), -1);
  EXPECT_EQ(sprintf_s(place.data(), 16, "%d%%%hhn", 1, reinterpret_cast<signed char*>(&written)), -1);
  EXPECT_EQ(written, 5);
  EXPECT_EQ(place.text(), "");
  EXPECT_EQ(sprintf_s(place.data(), 16, "%%n %5.1f%c", 2.5, 'n'), 9);
  EXPECT_EQ(place.text(), "%n   2.5n");
}

TEST(Securec, NumbersAndTextAreRead) {
  int number = 0;
  double real = 0;
  long long wide = 0;
  Destination word(6);
  Destination letters(2);
  Destination set(4);
  int read = 0;
  EXPECT_EQ(sscanf_s(" 12, 2.5 hello -zy99 ]a]b%7", "%d, %lf%s -%2c%n%*d %3[]a]b%%%lld", &number, &real, word.data(),
                     6U, letters.data(), 2U, &read, set.data(), 4U, &wide),
            6);
  EXPECT_EQ(number, 12);
  EXPECT_EQ(real, 2.5);
  EXPECT_EQ(word.text(), "hello");
  EXPECT_EQ(letters.all(), "zy");
  EXPECT_EQ(read, 18);
  EXPECT_EQ(set.text(), "]a]");
  EXPECT_EQ(wide, 7);
}

TEST(Securec, TextThatDoesNotFitIsNotRead) {
  for (const char* format : {"%s", "%[a-z]", "%9s", "%9[^0-9]"}) {
    Destination word(4);
    EXPECT_EQ(sscanf_s("abc", format, word.data(), 4U), 1) << format;
    EXPECT_EQ(word.text(), "abc");
    EXPECT_EQ(sscanf_s("abcd", format, word.data(), 4U), -1) << format;
    EXPECT_EQ(word.text(), "");
    EXPECT_EQ(sscanf_s("abc", format, word.data(), 0U), -1);
    EXPECT_EQ(sscanf_s("abc", format, nullptr, 4U), -1);
    std::memset(word.data(), 'x', 4);
    EXPECT_EQ(sscanf_s("abc", format, word.data(), 1U), -1);
    EXPECT_EQ(word.text(), "");
  }
  Destination word(4);
  EXPECT_EQ(sscanf_s("abcd", "%3s", word.data(), 4U), 1);
  EXPECT_EQ(word.text(), "abc");
  EXPECT_EQ(sscanf_s("abcd", "%5c", word.data(), 4U), -1);
  EXPECT_EQ(sscanf_s("abcd", "%4c", word.data(), 4U), 1);
  EXPECT_EQ(word.all(), "abcd");
}

TEST(Securec, WideTextIsRead) {
  std::array<wchar_t, 4> word{L'x', L'x', L'x', L'#'};
  EXPECT_EQ(sscanf_s("ab", "%ls", word.data(), 3U), 1);
  EXPECT_EQ(std::wstring(word.data()), L"ab");
  EXPECT_EQ(sscanf_s("abc", "%ls", word.data(), 3U), -1);
  EXPECT_EQ(word[0], L'\0');
  EXPECT_EQ(word[3], L'#');
}

TEST(Securec, WideTextOfTheOldConversionsHasItsSize) {
  std::array<wchar_t, 4> word{L'x', L'x', L'x', L'#'};
  int number = 0;
  EXPECT_EQ(sscanf_s("ab 7", "%S%d", word.data(), 3U, &number), 2);
  EXPECT_EQ(std::wstring(word.data()), L"ab");
  EXPECT_EQ(number, 7);
  EXPECT_EQ(sscanf_s("abcdef", "%S", word.data(), 3U), -1);
  EXPECT_EQ(word[0], L'\0');
  EXPECT_EQ(sscanf_s("cd", "%2C", word.data(), 2U), 1);
  EXPECT_EQ(word[0], L'c');
  EXPECT_EQ(word[1], L'd');
  EXPECT_EQ(sscanf_s("cd", "%2C", word.data(), 1U), -1);
  EXPECT_EQ(word[3], L'#');
}

TEST(Securec, ReadingEndsWhereTheInputDiffers) {
  int a = 0;
  int b = 0;
  EXPECT_EQ(sscanf_s("1 x", "%d%d", &a, &b), 1);
  EXPECT_EQ(sscanf_s("1,2", "%d;%d", &a, &b), 1);
  EXPECT_EQ(sscanf_s("x", "%d", &a), 0);
  EXPECT_EQ(sscanf_s("1", "%d%d", &a, &b), 1);
  EXPECT_EQ(sscanf_s("  ", "%d", &a), -1);
  EXPECT_EQ(sscanf_s("", "%d", &a), -1);
  EXPECT_EQ(sscanf_s("", ""), 0);
  EXPECT_EQ(sscanf_s("1", "%d%", &a), 1);
  EXPECT_EQ(sscanf_s(nullptr, "%d", &a), -1);
  EXPECT_EQ(sscanf_s("1", nullptr), -1);
}

using File = std::unique_ptr<FILE, int (*)(FILE*)>;

File file_with(const char* text) {
  File file(std::tmpfile(), std::fclose);
  std::fputs(text, file.get());
  std::rewind(file.get());
  return file;
}

TEST(Securec, FilesAreRead) {
  const File file = file_with("one 1\ntwo 22\nthree 333\n");
  Destination word(4);
  int number = 0;
  EXPECT_EQ(fscanf_s(file.get(), "%s%d", word.data(), 4U, &number), 2);
  EXPECT_EQ(fscanf_s(file.get(), "%s%d", word.data(), 4U, &number), 2);
  EXPECT_EQ(word.text(), "two");
  EXPECT_EQ(number, 22);
  EXPECT_EQ(fscanf_s(file.get(), "%s%d", word.data(), 4U, &number), -1);
  EXPECT_EQ(fscanf_s(nullptr, "%d", &number), -1);
}

/// stdin is another file while it lives.
class Input {
 public:
  explicit Input(const char* text) : file_(file_with(text)), usual_(stdin) { stdin = file_.get(); }
  ~Input() { stdin = usual_; }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

 private:
  File file_;
  FILE* usual_;
};

TEST(Securec, StandardInputIsRead) {
  const Input input("17 abc\nline\n\nlonger\nlast");
  int number = 0;
  Destination word(5);
  EXPECT_EQ(scanf_s("%d%s\n", &number, word.data(), 5U), 2);
  EXPECT_EQ(number, 17);
  EXPECT_EQ(word.text(), "abc");
  EXPECT_EQ(gets_s(word.data(), 5), word.data());
  EXPECT_EQ(word.text(), "line");
  EXPECT_EQ(gets_s(word.data(), 5), word.data());
  EXPECT_EQ(word.text(), "");
  EXPECT_EQ(gets_s(word.data(), 5), nullptr);
  EXPECT_EQ(word.text(), "");
  EXPECT_EQ(gets_s(nullptr, 5), nullptr);
  EXPECT_EQ(gets_s(word.data(), 0), nullptr);
  EXPECT_EQ(gets_s(word.data(), 5), word.data());
  EXPECT_EQ(word.text(), "last");
  EXPECT_EQ(gets_s(word.data(), 5), nullptr);
}

}  // namespace
