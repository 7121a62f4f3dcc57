// Work on untrusted input in a child process, so that a crash, a hang or excessive memory use ends
// the child and becomes an error here.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tocsin/result.h"

namespace tocsin::base {

/// What a child may take, and how its failures are told.
struct LimitedWork {
  std::string file;                ///< its input: begins every message
  std::string worker;              ///< the name of the code that works: "assimp"
  std::chrono::milliseconds time;  ///< wall clock
  std::uint64_t memory_bytes = 0;  ///< address space beyond what this process has now
};

/// Takes a child's result, in pieces. A result that does not fit fails the run (kResource).
class ChildOutput {
 public:
  explicit ChildOutput(int descriptor) : descriptor_(descriptor) {}
  void write(std::string_view bytes);
  /// False if a write failed. Then the rest is dropped.
  bool flush();

 private:
  void write_out(std::string_view bytes);
  int descriptor_;
  bool failed_ = false;
  std::string buffer_;
};

/// A child's result: memory that the child filled and that this process now reads in place.
class ChildBytes {
 public:
  ChildBytes() = default;
  ChildBytes(void* data, std::size_t size) : data_(data), size_(size) {}
  ChildBytes(ChildBytes&& other) noexcept;
  ChildBytes& operator=(ChildBytes&& other) noexcept;
  ChildBytes(const ChildBytes&) = delete;
  ChildBytes& operator=(const ChildBytes&) = delete;
  ~ChildBytes();
  [[nodiscard]] std::string_view view() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Runs `body` in a child process under limits and returns its output.
///
/// The child is a fork: it sees this process's memory as it is and changes only its own copy. It
/// has no other open files, no terminal, writes no core, runs no exit handlers and flushes none of
/// our streams; it is killed if the calling thread ends. Calls from several threads run in
/// parallel. The process may handle SIGCHLD in any way. But if other code waits for the child, the
/// signal of a crash is not known.
///
/// Only the calling thread exists in the child, so a lock that another thread holds at that moment
/// stays locked there. The C library handles its own locks (malloc). `body` must not use anything
/// else that other threads of this process lock. Therefore assimp is never called outside of a
/// child: then no thread holds its locks. If a lock is held nevertheless, the child waits until the
/// time limit ends it.
///
/// Under AddressSanitizer and ThreadSanitizer the memory is not limited (they reserve terabytes of
/// address space), their reports are let through, and calls while other threads allocate are not
/// safe: their allocators, unlike the C library's, may be left locked (the time limit ends that).
///
/// Errors: what `body` returns; kInput, naming the file and the worker: it crashed (with the
/// signal), took longer, needs more memory; kResource: no process could be started, or its result
/// did not fit (a hard limit on the size of files counts for it too).
Result<ChildBytes> run_limited(const LimitedWork& work,
                               const std::function<Status(ChildOutput&)>& body);

}  // namespace tocsin::base
