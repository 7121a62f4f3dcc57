// Hostile files must not take more memory than their size times a constant. Counts what operator
// new hands out.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "io/bvh.h"
#include "io/obj.h"

namespace {

std::atomic<std::size_t> live{0};
std::atomic<std::size_t> peak{0};

void* counted_or_null(std::size_t size) {
  void* const p = std::malloc(size);
  if (p == nullptr) return nullptr;
  const std::size_t now = live += malloc_usable_size(p);
  if (now > peak) peak = now;
  return p;
}

void* counted(std::size_t size) {
  void* const p = counted_or_null(size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

void release(void* p) {
  if (p != nullptr) live -= malloc_usable_size(p);
  std::free(p);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return counted_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return counted_or_null(size);
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t /*size*/) noexcept { release(p); }
void operator delete[](void* p, std::size_t /*size*/) noexcept { release(p); }

namespace tocsin::io {
namespace {

/// Most bytes held at a time beyond what was held before.
template <class Call>
std::size_t peak_of(Call call) {
  const std::size_t before = live;
  peak = before;
  call();
  return peak - before;
}

/// `phrase` must come in the error of the parser that the text is meant for; empty if it is to be
/// read.
void expect_bounded(const std::string& text, double factor, std::size_t fixed, const char* what,
                    const std::string& phrase = "") {
  std::size_t bytes = 0;
  std::string message;
  if (text.starts_with("HIERARCHY")) {
    bytes = peak_of([&] { message = parse_bvh(text, "t.bvh", {1.0, UpAxis::kY}).error().message; });
  } else {
    bytes = peak_of([&] { message = parse_obj(text, "t.obj").error().message; });
  }
  const auto size = static_cast<double>(text.size());
  EXPECT_LT(static_cast<double>(bytes), factor * size + static_cast<double>(fixed)) << what;
  EXPECT_EQ(message.empty(), phrase.empty()) << what << ": " << message;
  EXPECT_NE(message.find(phrase), std::string::npos) << what << ": " << message;
  std::printf("%-36s %9zu bytes of text, %5.1f times that\n", what, text.size(),
              static_cast<double>(bytes) / size);
}

std::string repeated(const std::string& what, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += what;
  return text;
}

constexpr const char* kJoint =
    "HIERARCHY\nROOT r {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\nMOTION\n";
constexpr std::size_t kLittle = 8192;

TEST(Memory, ClaimsCostNothing) {
  expect_bounded(std::string(kJoint) + "Frames: 100000000000\nFrame Time: 1\n1\n", 0, kLittle,
                 "announced frames");
  expect_bounded("HIERARCHY\nROOT r {\nOFFSET 0 1 0\nCHANNELS 100000000000 Xrotation\n", 0, kLittle,
                 "announced channels", "expected 100000000000 channel names");
  expect_bounded("v 0 0 0\nf 1 1 4000000000\n", 0, kLittle, "a far index", "does not exist");
}

TEST(Memory, BvhIsBounded) {
  expect_bounded(std::string(kJoint) + "Frames: 500000\nFrame Time: 1\n" + repeated("1\n", 500'000),
                 64, 5 << 20, "short frame lines");
  const std::string root = "HIERARCHY\nROOT r {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n";
  const std::string motion = "}\nMOTION\nFrames: 100000\nFrame Time: 1\n";
  expect_bounded(
      root + repeated("End Site { OFFSET 0 0 0 }\n", 9'000) + motion + repeated("1\n", 100'000), 64,
      8 << 20, "joints without channels", "too many joints without channels");
  expect_bounded(root + repeated("JOINT j{OFFSET 0 0 0\nCHANNELS 1 Xrotation\n", 200'000), 1,
                 4 << 20, "deep nesting", "more than 10000 joints");
  expect_bounded("HIERARCHY\nROOT r {\nOFFSET " + std::string(4'000'000, '9'), 1, kLittle,
                 "a long number", "too large");
  expect_bounded(
      "HIERARCHY\nROOT r {\nOFFSET 0 0 0\nCHANNELS 400000" + repeated(" Xrotation", 400'000), 4,
      kLittle, "many channels", "the end of the file");
}

TEST(Memory, BvhNamesAreBounded) {
  const std::string ends = " {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" +
                           repeated("End Site { OFFSET 0 0 0 }\n", 9'000) +
                           "}\nMOTION\nFrames: 1\nFrame Time: 1\n1\n";
  expect_bounded("HIERARCHY\nROOT " + std::string(4'000'000, 'n') + ends, 1, kLittle, "a long name",
                 "longer than 256 bytes");
  expect_bounded("HIERARCHY\nROOT " + std::string(256, 'n') + ends, 64, kLittle,
                 "the longest name, often repeated");
}

TEST(Memory, ObjIsBounded) {
  const std::string vertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_bounded(vertices + "f" + repeated(" 1", 2'000'000) + "\n", 64, kLittle,
                 "one large polygon");
  expect_bounded(vertices + "f 1 2 3\n" + repeated("g\n", 1'000'000), 64, kLittle,
                 "groups without a name");
  std::string objects = vertices;
  for (int i = 0; i < 200'000; ++i) objects += "o " + std::to_string(i) + "\nf 1 2 3\n";
  expect_bounded(objects, 64, kLittle, "small objects");
  std::string names = vertices + "f 1 2 3\n";
  for (int i = 0; i < 300'000; ++i) names += "o " + std::to_string(i) + "\n";
  expect_bounded(names, 64, kLittle, "names without triangles");
  expect_bounded(repeated("v 0 0 0\n", 500'000) + "f 1 2 3\n", 64, kLittle,
                 "vertices without triangles");
}

}  // namespace
}  // namespace tocsin::io
