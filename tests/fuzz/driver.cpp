// Runs a fuzz target where there is no libFuzzer: every file of a corpus as it is, then as many mutations of them as
// are asked for, always the same for one seed. An input that ends the process is kept.
//
//     aclvk_fuzz_config [--runs N] [--seed N] [--findings FOLDER] FILE|FOLDER...
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>

#include "finding.hpp"
#include "mutation.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// A target that knows more about its inputs changes them itself.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                                     std::size_t most, unsigned seed);

namespace fs = std::filesystem;

namespace aclvk::fuzz {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr unsigned kPatienceSeconds = 60;

Input current;
std::string findings_path;

// Only what may be called in a signal handler.
void keep_input(int signal) {
  const int file = ::open(findings_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && ::write(file, current.data(), current.size()) >= 0) ::close(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void watch_for_the_end() {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM}) std::signal(signal, keep_input);
}

Input bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The files, those of folders in the order of their names.
std::vector<fs::path> files_of(const std::vector<std::string>& places) {
  std::vector<fs::path> files;
  for (const fs::path place : places) {
    if (!fs::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    std::vector<fs::path> inside;
    for (const auto& entry : fs::directory_iterator(place)) inside.push_back(entry.path());
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

void run(Input input) {
  current = std::move(input);
  ::alarm(kPatienceSeconds);  // nothing may wait for ever
  LLVMFuzzerTestOneInput(current.data(), current.size());
  ::alarm(0);
}

Input mutation_of(const std::vector<Input>& corpus, std::mt19937_64& random) {
  Input input = corpus[random() % corpus.size()];
  const Input& other = corpus[random() % corpus.size()];
  if (!LLVMFuzzerCustomMutator || random() % 4 == 0) return mutated(std::move(input), other, random);
  const std::size_t size = input.size();
  input.resize(std::max<std::size_t>(2 * size, 64));
  input.resize(LLVMFuzzerCustomMutator(input.data(), size, input.size(), static_cast<unsigned>(random())));
  return input;
}

}  // namespace

void check_allocation(std::size_t bytes) {
  expect(bytes <= kMostBytes, "The library asks the host for {} bytes at once.", bytes);
}

}  // namespace aclvk::fuzz

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// What no argument of a small program may make the library ask for. Sanitizers have a limit of their own.
void* operator new(std::size_t bytes) {
  aclvk::fuzz::check_allocation(bytes);
  if (void* memory = std::malloc(std::max<std::size_t>(bytes, 1))) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

int main(int count, char** arguments) {
  using namespace aclvk::fuzz;
  unsigned runs = 0;
  std::uint64_t seed = 1;
  std::string folder = ".";
  std::vector<std::string> places;
  CLI::App app("Runs a fuzz target over a corpus and over mutations of it.");
  app.add_option("--runs", runs, "How many mutations");
  app.add_option("--seed", seed, "Of the mutations");
  app.add_option("--findings", folder, "Where an input is kept that ends the process");
  app.add_option("inputs", places, "Files and folders")->required();
  CLI11_PARSE(app, count, arguments);

  findings_path = (fs::path(folder) / (fs::path(arguments[0]).filename().string() + ".finding")).string();
  watch_for_the_end();
  std::vector<Input> corpus;
  for (const fs::path& file : files_of(places)) run(corpus.emplace_back(bytes_of(file)));
  expect(!corpus.empty(), "There is no input in {}.", fmt::join(places, ", "));
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < runs; ++i) run(mutation_of(corpus, random));
  fmt::print("{} inputs and {} mutations of them.\n", corpus.size(), runs);
  return 0;
}
