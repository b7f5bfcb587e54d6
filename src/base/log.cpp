#include "base/log.hpp"

#include <pthread.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks-inl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/at_fork_lock.hpp"
#include "base/config.hpp"
#include "base/log_deferral.hpp"
#include "base/log_listeners.hpp"
#include "base/log_writer.hpp"
#include "base/mutex.hpp"

namespace aclvk {
namespace {

constexpr std::size_t kFileBytes = 20U << 20;  // docs/configuration.md, ASCEND_HOST_LOG_FILE_NUM

spdlog::level::level_enum level_of(long acl_level) {
  switch (acl_level) {
    case 0: return spdlog::level::debug;
    case 1: return spdlog::level::info;
    case 2: return spdlog::level::warn;
    case 3: return spdlog::level::err;
    default: return spdlog::level::off;
  }
}

/// Creates <ASCEND_PROCESS_LOG_PATH>/debug/plog/plog-<pid>.log, the path that CANN uses.
spdlog::sink_ptr make_file_sink() try {
  const auto files = static_cast<std::size_t>(std::clamp(config().log_files, 1L, 1000L));
  return std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
      fmt::format("{}/debug/plog/plog-{}.log", config().log_path, getpid()), kFileBytes, files - 1);
} catch (const spdlog::spdlog_ex& error) {
  std::fprintf(stderr, "aclvk cannot log to ASCEND_PROCESS_LOG_PATH, and logs to standard error: %s\n", error.what());
  return nullptr;
}

/// The mutex of the console sinks. spdlog's own console mutex cannot be registered with AtForkLock, because each
/// library in the process may have another instance of it.
struct ConsoleMutex {
  using mutex_t = std::mutex;
  static mutex_t& mutex() {
    static auto* mutex = new std::mutex;
    static auto* at_fork = new AtForkLock(*mutex);
    static_cast<void>(at_fork);
    return *mutex;
  }
};

spdlog::sink_ptr make_sink() {
  if (config().log_stdout) return std::make_shared<spdlog::sinks::stdout_sink<ConsoleMutex>>();
  if (!config().log_path.empty()) {
    if (spdlog::sink_ptr file = make_file_sink()) return file;
  }
  return std::make_shared<spdlog::sinks::stderr_sink<ConsoleMutex>>();
}

/// Both loggers and their writer. Never destroyed: a thread that has just read `current` may still use them.
struct Loggers {
  std::shared_ptr<spdlog::logger> log;
  std::shared_ptr<spdlog::logger> run;
  std::unique_ptr<LogWriter> writer;  // null: threads write their own messages
  Loggers* previous = nullptr;        // the replaced one; leak checkers find it from here
};

std::shared_ptr<LogListeners> listeners() {
  // Leaked, like all of the log: destructors of the program may log after our statics are destroyed.
  static auto* const sink = new std::shared_ptr<LogListeners>(std::make_shared<LogListeners>());
  return *sink;
}

// Not registered with spdlog's registry, which a program that uses spdlog itself may share.
std::shared_ptr<spdlog::logger> make_logger(const char* name, const std::vector<spdlog::sink_ptr>& sinks,
                                            LogWriter* writer) {
  std::shared_ptr<spdlog::logger> logger;
  if (writer) {
    logger = std::make_shared<QueueingLogger>(name, sinks, *writer);
  } else {
    logger = std::make_shared<DeferringLogger>(name, sinks.begin(), sinks.end());
  }
  logger->set_level(level_of(config().log_level));
  logger->flush_on(spdlog::level::err);
  return logger;
}

// Errors are written at once, so a process that logs errors only needs no writer thread.
Loggers* make_loggers(bool may_queue) {
  const std::vector<spdlog::sink_ptr> sinks{make_sink(), listeners()};
  for (const auto& sink : sinks) sink->set_pattern("[%Y-%m-%d %H:%M:%S.%e] [%n] [%l] [%P:%t] %v");
  auto made = std::make_unique<Loggers>();
  if (may_queue && level_of(config().log_level) < spdlog::level::err) made->writer = std::make_unique<LogWriter>();
  made->log = make_logger("aclvk", sinks, made->writer.get());
  made->run = make_logger(kRunLogName, sinks, made->writer.get());
  return made.release();
}

std::atomic<Loggers*> current{nullptr};
Mutex change_mutex;

// Writes what is queued and stops the writer: threads then write later messages, of the program's destructors,
// themselves.
void finish_at_exit() {
  Loggers* loggers = current;
  if (!loggers->writer || loggers->writer->stopped()) return;
  loggers->writer->finish();
  loggers->log->flush();
}

// After the flush the writer thread is idle and holds no lock while the process forks.
void flush_before_fork() {
  if (Loggers* now = current) now->log->flush();
}

// A child process has no writer thread.
void replace_in_child() {
  Loggers* previous = current;
  if (!previous) return;
  if (previous->writer) previous->writer->stop();
  Loggers* made = make_loggers(false);
  made->previous = previous;
  current = made;
}

void replace(Loggers* made) REQUIRES(change_mutex) {
  made->previous = current;
  current = made;
}

Loggers& loggers() {
  if (Loggers* now = current.load(std::memory_order_acquire)) return *now;
  static auto* at_fork =
      new AtForkLock(change_mutex);  // atfork handlers that prepare a fork run in reverse order: flush first, then lock
  static_cast<void>(at_fork);
  const NoFork no_fork;
  const LockGuard lock(change_mutex);
  if (!current) {
    replace(make_loggers(true));
    std::atexit(finish_at_exit);
    std::at_quick_exit(finish_at_exit);
    pthread_atfork(flush_before_fork, nullptr, replace_in_child);
  }
  return *current;
}

}  // namespace

spdlog::logger& log() { return *loggers().log; }

spdlog::logger& run_log() { return *loggers().run; }

void flush_log() { log().flush(); }

void reload_log() {
  Loggers& previous = loggers();
  previous.log->flush();
  const NoFork no_fork;
  const LockGuard lock(change_mutex);
  replace(make_loggers(true));
}

std::uint64_t add_log_listener(LogListener listener) {
  loggers();
  return listeners()->add(std::move(listener));
}

void remove_log_listeners() {
  flush_log();
  listeners()->clear();
}

bool remove_log_listener(std::uint64_t number) {
  // The listener still receives lines that are queued.
  flush_log();
  return listeners()->remove(number);
}

}  // namespace aclvk
