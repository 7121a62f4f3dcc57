// Hostile files must not take more memory than their size times a constant. Counts what operator
// new hands out.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "io/acclaim/amc.h"
#include "io/acclaim/asf.h"
#include "io/bvh/bvh.h"
#include "io/obj/obj.h"
#include "io/ply/ply.h"
#include "io/vrml/vrml.h"

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

constexpr const char* kAmcSkeleton =
    ":root order rx\n:bonedata begin name r2 direction 0 1 0 length 1 axis 0 0 0 XYZ end\n"
    ":hierarchy begin\nroot r2\nend\n";

/// `phrase` must come in the error of the parser that the text is meant for; empty if it is to be
/// read.
void expect_bounded(const std::string& text, double factor, std::size_t fixed, const char* what,
                    const std::string& phrase = "") {
  std::size_t bytes = 0;
  std::string message;
  if (text.starts_with("HIERARCHY")) {
    bytes = peak_of([&] { message = parse_bvh(text, "t.bvh", {1.0, UpAxis::kY}).error().message; });
  } else if (text.starts_with(":root")) {
    bytes = peak_of([&] { message = parse_asf(text, "t.asf").error().message; });
  } else if (text.starts_with("1\nr")) {
    const Result<AsfSkeleton> asf = parse_asf(kAmcSkeleton, "t.asf");
    bytes = peak_of([&] { message = parse_amc(text, "t.amc", *asf, {1.0}).error().message; });
  } else if (text.starts_with("ply")) {
    bytes = peak_of([&] { message = parse_ply(text, "t.ply").error().message; });
  } else if (text.starts_with("#VRML")) {
    bytes = peak_of([&] { message = parse_vrml(text, "t.wrl").error().message; });
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

TEST(Memory, AsfIsBounded) {
  const std::string root = ":root order rx\n:bonedata\n";
  const std::string bone = " direction 0 1 0 length 1 axis 0 0 0 XYZ end\n";
  std::string bones;
  for (int i = 0; i < 16'000; ++i) bones += "begin name " + std::to_string(i) + bone;
  std::string tree = ":hierarchy begin\nroot";
  for (int i = 0; i < 16'000; ++i) tree += " " + std::to_string(i);
  expect_bounded(root + bones + tree + "\nend\n", 64, kLittle, "small bones");
  expect_bounded(":root order rx\n:hierarchy begin\nr" + repeated(" r", 500'000), 4, 1 << 20,
                 "many children", "more than 16384 bones");
  expect_bounded(root + "begin name " + std::string(4'000'000, 'n') + bone, 1, kLittle,
                 "a long bone name", "longer than 256 bytes");
  expect_bounded(root + "begin\nlimits" + repeated(" (0 1)", 500'000), 1, kLittle, "many limits",
                 "has no end");
  expect_bounded(root + "begin\n" + repeated("x\n", 500'000), 1, kLittle, "unknown words",
                 "has no end");
}

TEST(Memory, AmcIsBounded) {
  std::string frames = "1\nroot 0\n";
  for (int i = 2; i < 200'000; ++i) frames += std::to_string(i) + "\nroot 0\n";
  expect_bounded(frames, 64, 1 << 20, "short frames");
  expect_bounded("1\nroot " + std::string(4'000'000, '9'), 1, kLittle, "a long angle", "too large");
  expect_bounded("1\nroot 0\n2\n" + std::string(4'000'000, '#'), 64, 5 << 20, "a short first frame",
                 "does not name");
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

std::string ply(const std::string& lines, const std::string& body,
                const std::string& format = "binary_little_endian") {
  return "ply\nformat " + format + " 1.0\n" + lines + "end_header\n" + body;
}

TEST(Memory, PlyIsBounded) {
  const std::string vertices =
      "element vertex 3\nproperty char x\nproperty char y\nproperty char z\n";
  const std::string nine("\0\0\0\1\0\0\0\1\0", 9);
  expect_bounded(ply("element vertex 1000\nproperty float x\nproperty float y\nproperty float z\n",
                     std::string(1000, ' ')),
                 0, kLittle, "announced vertices", "bytes are left");
  expect_bounded(ply(vertices + "element face 1\nproperty list uint char vertex_indices\n",
                     nine + std::string("\0\0\0\x10", 4)),
                 0, kLittle, "an announced polygon", "the file ends within it");
  expect_bounded(ply(vertices + "element face 1\nproperty list uint char vertex_indices\n",
                     nine + std::string("\0\0\x20\0", 4) + std::string(1 << 21, '\1')),
                 64, kLittle, "one large polygon");
  expect_bounded(ply("element vertex 700000\nproperty char x\nproperty char y\nproperty char z\n",
                     std::string(2'100'000, '\1')),
                 64, kLittle, "small vertices", "no triangles");
  expect_bounded(ply(vertices + "element face 500000\nproperty list uchar char vertex_indices\n",
                     nine + repeated(std::string("\3\0\1\2", 4), 500'000)),
                 64, kLittle, "small faces");
  expect_bounded(ply(vertices + repeated("element a 0\n", 300'000), nine), 64, kLittle,
                 "elements in the header", "no triangles");
  expect_bounded(ply("element a 0\n" + repeated("property char a\n", 300'000), ""), 64, kLittle,
                 "properties in the header", "no triangles");
  std::string objects;
  for (int i = 0; i < 200'000; ++i)
    objects += "comment tocsin.object 0 0 " + std::to_string(i) + "\n";
  expect_bounded(ply(objects + vertices, nine), 64, kLittle, "objects in the header",
                 "no triangles");
}

TEST(Memory, VrmlIsBounded) {
  const std::string header = "#VRML V2.0 utf8\n";
  const std::string none = "no triangles";
  // Counts just above powers of two, where lists that double have just done so.
  expect_bounded(header + repeated("A{}", 525'000), 50, kLittle, "empty nodes", none);
  expect_bounded(header + "Group{children[" + repeated("A{}", 525'000) + "]}", 70, kLittle,
                 "empty nodes in a node", none);
  expect_bounded(header + "A{" + repeated("a B{}", 263'000) + "}", 70, kLittle,
                 "fields with empty nodes", none);
  std::string fields;
  std::string values;
  for (char c = 'a'; c <= 'z'; ++c) {
    fields += std::string("field MFFloat ") + c + "[]";
    values += std::string(1, c) + "[]";
  }
  expect_bounded(header + "PROTO A[" + fields + "]{}" + repeated("A{" + values + "}", 20'170), 70,
                 kLittle, "empty fields", none);
  expect_bounded(header + "PROTO A[field MFFloat a[]]{}A{a[" + repeated("1 ", 1'049'000) + "]}", 64,
                 kLittle, "small numbers", none);
  expect_bounded(header + repeated("PROTO A[]{}", 300'000), 64, kLittle, "empty PROTOs", none);
  std::string names;
  for (int i = 0; i < 200'000; ++i) names += "DEF n" + std::to_string(i) + " A{}";
  expect_bounded(header + names, 64, kLittle, "names", none);
  expect_bounded(header + repeated("PROTO A[]{", 499) + repeated("PROTO A[]{}", 200'000), 64,
                 kLittle, "PROTOs in PROTOs", "the end of the file");
}

TEST(Memory, VrmlThatUnfoldsIsBounded) {
  const std::string header = "#VRML V2.0 utf8\n";
  std::string bomb = header + "Switch{choice[DEF N0 Shape{geometry Box{}}";
  for (int i = 1; i <= 30; ++i) {
    const std::string before = "USE N" + std::to_string(i - 1);
    bomb += " DEF N" + std::to_string(i) + " Group{children[" + before + " " + before + "]}";
  }
  expect_bounded(bomb + "]}USE N30", 0, 192U << 20U, "objects that multiply", "262144 objects");
  expect_bounded(header + "DEF a Shape{geometry Box{}}" + repeated("USE a ", 250'000), 0,
                 512U << 20U, "objects that repeat");
}

}  // namespace
}  // namespace tocsin::io
