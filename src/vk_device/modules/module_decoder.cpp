#include "vk_device/modules/module_decoder.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "vk_device/modules/module_reader.hpp"

namespace aclvk::vk {
namespace {

using Word = std::uint32_t;
using Reader = ModuleReader;

// The inverse of cmake/module_encoder.py, which describes the format. The constants are those of the encoder.
constexpr std::size_t kHeaderWordCount = 5;
enum FirstNumber : std::uint64_t { kVerbatim, kResult, kFunction, kFirstLayout };
enum IdClass : std::uint64_t { kDistance, kDeclared, kVariable, kPlain };
enum Opcode : std::uint16_t {
  kOpFunction = 54,
  kOpFunctionParameter = 55,
  kOpVariable = 59,
  kOpLabel = 248,
};

struct Layout {
  std::uint16_t opcode;
  const char* operands;
};

constexpr Layout kLayouts[] = {
#define LAYOUT(opcode, name, operands) {opcode, operands},
#include "vk_device/modules/instruction_layouts.def"
#undef LAYOUT
};

bool is_variable_length(const char* operands) { return std::strpbrk(operands, "+S") != nullptr; }

bool has_result(const char* operands) { return std::strchr(operands, 'R') != nullptr; }

Word first_word(std::size_t operands, std::uint16_t opcode) { return static_cast<Word>(operands + 1) << 16 | opcode; }

/// The inverse of zigzag() in the encoder.
Word signed_number(std::uint64_t number) { return static_cast<Word>(number >> 1) ^ (number & 1 ? ~Word{0} : 0); }

// FNV-1a (Fowler, Noll, Vo), a word at a time.
Word checksum(const std::vector<Word>& words) {
  Word value = 2166136261U;
  for (const Word word : words) value = (value ^ word) * 16777619U;
  return value;
}

/// An entry of a family's table, and its id in the module that is being decoded.
struct Declaration {
  std::size_t offset;
  bool result;
  Word id;
};

/// Reads past an entry of the table, and returns whether it has a result.
bool skip_declaration(Reader& reader) {
  const std::uint64_t first = reader.number();
  if (first == kFunction) return true;
  if (first == kVerbatim) {
    const std::size_t length = reader.word() >> 16;
    if (length == 0) reader.fail();
    if (length > 1) reader.skip(length - 1);
    return false;
  }
  if (first < kFirstLayout || first - kFirstLayout >= std::size(kLayouts)) {
    reader.fail();
    return false;
  }
  const char* operands = kLayouts[first - kFirstLayout].operands;
  const bool result = has_result(operands);
  const std::size_t count = is_variable_length(operands) ? reader.count() : std::strlen(operands);
  if (count < (result ? 1U : 0U))
    reader.fail();
  else
    reader.skip(count - (result ? 1 : 0));
  return result;
}

class Decoder {
 public:
  Decoder(const EncodedFamily& family, std::size_t offset, std::size_t words)
      : family_(family),
        reader_(family.bytes + std::min(offset, family.count), family.bytes + family.count),
        limit_(words) {
    out_.reserve(words);
    read_table();
  }

  std::vector<Word> module();

 private:
  enum class Ids { kDeclaration, kAnnotation, kFunction };

  bool good() const { return good_ && reader_.good(); }
  void put(Word word);
  void read_table();
  void read_listed(std::size_t count);
  void put_declarations(std::size_t first, std::size_t count);
  void put_instruction(Reader& reader, Ids ids, Word result);
  void put_verbatim(Reader& reader);
  void put_operands(Reader& reader, Ids ids, const char* operands, std::size_t count, Word result);
  void put_id(Reader& reader, Ids ids);
  void put_label(Reader& reader);
  Word enter_function();
  void leave_function();
  void define(std::uint16_t opcode, Word result);

  EncodedFamily family_;
  Reader reader_;
  std::size_t limit_;
  bool good_ = true;
  std::vector<Word> out_;
  std::vector<Declaration> table_;
  std::vector<std::size_t> listed_;    // indices in the table of the module's declarations and functions
  std::size_t next_function_ = 0;      // in listed_
  Word last_ = 0;                      // result, or id of an annotation
  std::vector<Word> variables_;        // of the function
  std::vector<Word> labels_;           // of the function
  std::vector<std::size_t> branches_;  // words that are the index of a label until the function has ended
};

void Decoder::put(Word word) {
  if (out_.size() < limit_) {
    out_.push_back(word);
  } else {
    good_ = false;
  }
}

void Decoder::read_table() {
  Reader reader(family_.bytes, family_.bytes + family_.count);
  const std::size_t count = reader.count();
  table_.reserve(count);
  for (std::size_t i = 0; i < count && reader.good(); ++i) {
    const auto offset = static_cast<std::size_t>(reader.at() - family_.bytes);
    const bool result = skip_declaration(reader);
    table_.push_back({offset, result, 0});
  }
  good_ = reader.good();
}

// Reads the list of the module's declarations: each is an index in the table, as a distance from the index that follows
// the previous one. Its id follows the previous id, or bit 0 of the number says that a distance from there is stored.
void Decoder::read_listed(std::size_t count) {
  Word expected = 0;
  listed_.reserve(count);
  for (std::size_t i = 0; i < count && good(); ++i) {
    const std::uint64_t number = reader_.number();
    const Word index = expected + signed_number(number >> 1);
    if (index >= table_.size()) {
      good_ = false;
      return;
    }
    if (table_[index].result) {
      last_ += 1 + (number & 1 ? signed_number(reader_.number()) : 0);
      table_[index].id = last_;
    }
    listed_.push_back(index);
    expected = index + 1;
  }
}

void Decoder::put_declarations(std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count && good(); ++i) {
    const Declaration& declaration = table_[listed_[i]];
    Reader reader(family_.bytes + declaration.offset, family_.bytes + family_.count);
    put_instruction(reader, Ids::kDeclaration, declaration.id);
    good_ = good_ && reader.good();
  }
}

// The list precedes all instructions, so that each of them can name any declaration. Ids of annotations are distances
// from each other, not from results, so they have a `last_` of their own.
std::vector<Word> Decoder::module() {
  for (std::size_t i = 0; i < kHeaderWordCount; ++i) put(reader_.word());
  const std::size_t before = reader_.count();
  const std::size_t after = reader_.count();
  const std::size_t functions = reader_.count();
  const std::size_t annotations = reader_.count();
  read_listed(before + after + functions);
  next_function_ = before + after;
  put_declarations(0, before);
  const Word last = std::exchange(last_, 0);
  for (std::size_t i = 0; i < annotations && good(); ++i) put_instruction(reader_, Ids::kAnnotation, 0);
  last_ = last;
  put_declarations(before, after);
  const std::size_t instructions = reader_.count();
  for (std::size_t i = 0; i < instructions && good(); ++i) put_instruction(reader_, Ids::kFunction, last_ + 1);
  leave_function();
  const bool same = reader_.word() == checksum(out_) && out_.size() == limit_;
  return good() && same ? std::move(out_) : std::vector<Word>{};
}

void Decoder::put_instruction(Reader& reader, Ids ids, Word result) {
  std::uint64_t first = reader.number();
  if (first == kResult && ids == Ids::kFunction) {
    result += signed_number(reader.number());
    first = reader.number();
  }
  if (first == kVerbatim) return put_verbatim(reader);
  if (first < kFirstLayout || first - kFirstLayout >= std::size(kLayouts)) return reader.fail();
  const Layout& layout = kLayouts[first - kFirstLayout];
  const std::size_t count = is_variable_length(layout.operands) ? reader.word() : std::strlen(layout.operands);
  if (count > limit_) return reader.fail();
  if (layout.opcode == kOpFunction) result = enter_function();
  put(first_word(count, layout.opcode));
  put_operands(reader, ids, layout.operands, count, result);
  if (ids == Ids::kFunction && has_result(layout.operands)) define(layout.opcode, result);
}

void Decoder::put_verbatim(Reader& reader) {
  const Word word = reader.word();
  put(word);
  for (std::size_t i = 1; i < word >> 16 && good(); ++i) put(reader.word());
}

// The letters of `operands` are those of instruction_layouts.def. A string ends at the first word with a zero in its
// last byte.
void Decoder::put_operands(Reader& reader, Ids ids, const char* operands, std::size_t count, Word result) {
  const char* repeated = nullptr;
  for (std::size_t i = 0; i < count && good() && reader.good(); ++i) {
    if (*operands == '+') repeated = ++operands;
    if (*operands == '\0') operands = repeated;
    if (!operands) return reader.fail();
    const char letter = *operands;
    if (letter == 'R') {
      put(result);
    } else if (letter == 'B') {
      put_label(reader);
    } else if (letter == 'T' || letter == 'I') {
      put_id(reader, ids);
    } else {
      put(reader.word());
    }
    const bool inside_string = letter == 'S' && good() && out_.back() >> 24 != 0;
    if (!inside_string) ++operands;
  }
}

void Decoder::put_id(Reader& reader, Ids ids) {
  const std::uint64_t number = reader.number();
  const auto value = static_cast<Word>(number >> 2);
  switch (static_cast<IdClass>(number & 3)) {
    case kDistance:
      if (ids == Ids::kAnnotation) return put(last_ += signed_number(value));
      return put(last_ - signed_number(value));
    case kDeclared: return value < table_.size() ? put(table_[value].id) : reader.fail();
    case kVariable: return value < variables_.size() ? put(variables_[value]) : reader.fail();
    case kPlain: return put(value);
  }
}

void Decoder::put_label(Reader& reader) {
  // A branch may lead to a block that has not been defined: the word holds the index of the label until
  // leave_function().
  const std::uint64_t number = reader.number();
  if (number & 1) return put(static_cast<Word>(number >> 1));
  branches_.push_back(out_.size());
  put(static_cast<Word>(labels_.size()) + signed_number(number >> 1));
}

/// Returns the id of the function.
Word Decoder::enter_function() {
  leave_function();
  variables_.clear();
  labels_.clear();
  good_ = good_ && next_function_ < listed_.size();
  return good_ ? table_[listed_[next_function_++]].id : 0;
}

/// Replaces the indices of labels by their ids.
void Decoder::leave_function() {
  for (const std::size_t at : branches_) {
    good_ = good_ && at < out_.size() && out_[at] < labels_.size();
    if (!good_) return;
    out_[at] = labels_[out_[at]];
  }
  branches_.clear();
}

void Decoder::define(std::uint16_t opcode, Word result) {
  if (opcode == kOpFunction) return;
  last_ = result;
  if (opcode == kOpVariable || opcode == kOpFunctionParameter) variables_.push_back(result);
  if (opcode == kOpLabel) labels_.push_back(result);
}

}  // namespace

std::vector<std::uint32_t> decode_module(const EncodedFamily& family, std::size_t offset, std::size_t words) {
  return Decoder(family, offset, words).module();
}

}  // namespace aclvk::vk
