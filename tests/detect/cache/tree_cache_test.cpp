// Trees in a folder: built once, read again, and never in the way.
#include "detect/cache/tree_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/cache_file.h"
#include "scene/room/fingerprint.h"
#include "scene/tree/tree_bytes.h"
#include "support/file_size_limit.h"
#include "support/scenes/random_scene.h"
#include "support/scenes/sound_tree.h"
#include "support/test_folder.h"

namespace tocsin::detect {
namespace {

namespace fs = std::filesystem;
using scene::TreeOptions;
using test::same_tree;
using Tree = scene::RoomTree;

Environment random_room(std::uint64_t seed = 1, int triangles = 300) {
  test::RandomLinks random(seed);
  return test::random_room(random, 2, triangles, 5.0);
}

std::string read_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) out.push_back(entry.path().filename());
  std::sort(out.begin(), out.end());
  return out;
}

class TreeCache : public testing::Test {
 protected:
  /// The tree by way of the cache; what it warned of is in warnings_.
  Tree get() { return get(folder_); }
  Tree get(const fs::path& folder) {
    warnings_.clear();
    Tree tree = load_or_build(folder, room_, options_, warnings_);
    EXPECT_TRUE(same_tree(tree, built_));
    return tree;
  }
  /// Makes the cache and gives its file.
  fs::path fill() {
    get();
    EXPECT_EQ(warnings_, std::vector<std::string>{});
    EXPECT_EQ(names_in(folder_), std::vector<std::string>{name_});
    return folder_ / name_;
  }
  /// The next call warns of this; the one after that finds a sound file.
  void expect_mended(const std::string& cause) {
    get();
    EXPECT_EQ(warnings_, std::vector<std::string>{(folder_ / name_).string() + ": " + cause +
                                                  "; the tree was built anew"});
    get();
    EXPECT_EQ(warnings_, std::vector<std::string>{});
    EXPECT_EQ(names_in(folder_), std::vector<std::string>{name_});
  }
  /// Every call warns of this, and what lies there stays.
  void expect_left_alone(const std::string& cause) {
    for (int i = 0; i < 2; ++i) {
      get();
      EXPECT_EQ(warnings_, std::vector<std::string>{(folder_ / name_).string() + ": " + cause +
                                                    "; the tree was built anew"});
    }
    EXPECT_EQ(names_in(folder_), std::vector<std::string>{name_});
  }
  /// The next call warns that the file in this folder cannot be written.
  void expect_not_written(const fs::path& folder, const std::string& cause) {
    get(folder);
    EXPECT_EQ(warnings_, std::vector<std::string>{(folder / name_).string() +
                                                  ": cannot be written: " + cause});
  }

  test::TestFolder test_folder_;
  fs::path folder_ = test_folder_.path() / "trees";
  Environment room_ = random_room();
  TreeOptions options_;
  Tree built_{room_, options_};
  std::string name_ = tree_file_name(options_, scene::fingerprint(room_));
  std::vector<std::string> warnings_;
};

TEST_F(TreeCache, IsWrittenOnceAndThenRead) {
  const fs::path file = fill();
  EXPECT_EQ(read_bytes(file), scene::to_bytes(built_, scene::fingerprint(room_), options_));
  const fs::file_time_type written = fs::last_write_time(file) - std::chrono::hours(1);
  fs::last_write_time(file, written);
  get();
  EXPECT_TRUE(warnings_.empty());
  EXPECT_EQ(fs::last_write_time(file), written);
}

TEST_F(TreeCache, IsWhatCountsOnceItIsThere) {
  // A sound tree that no builder makes: two triangles have changed places.
  std::vector<scene::TriangleBlock> blocks(built_.blocks().begin(), built_.blocks().end());
  std::swap(blocks.front().triangle[0], blocks.back().triangle[0]);
  Tree other({built_.nodes().begin(), built_.nodes().end()}, std::move(blocks), {});
  other.refit(room_);
  write_bytes(fill(), scene::to_bytes(other, scene::fingerprint(room_), options_));
  const Tree read = load_or_build(folder_, room_, options_, warnings_);
  EXPECT_TRUE(warnings_.empty());
  EXPECT_TRUE(same_tree(read, other));
  EXPECT_FALSE(same_tree(read, built_));
}

TEST_F(TreeCache, IsSharedByRoomsAndOptions) {
  fill();
  std::vector<std::string> warnings;
  const Environment other = random_room(2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(same_tree(load_or_build(folder_, other, options_, warnings), Tree(other)));
    const TreeOptions small{.leaf_size = 5};
    EXPECT_TRUE(same_tree(load_or_build(folder_, room_, small, warnings), Tree(room_, small)));
    const Environment nothing;
    EXPECT_TRUE(load_or_build(folder_, nothing, options_, warnings).nodes().empty());
    EXPECT_EQ(names_in(folder_).size(), 4U);
  }
  EXPECT_TRUE(warnings.empty());
}

TEST_F(TreeCache, NamesItsFilesAfterWhatTheyHold) {
  EXPECT_EQ(tree_file_name({}, 0x123), "0000000000000123-k6-w8-sah-leaf8-v1.tree");
  EXPECT_EQ(tree_file_name({.leaf_size = 1}, ~std::uint64_t{0}),
            "ffffffffffffffff-k6-w8-sah-leaf1-v1.tree");
}

TEST_F(TreeCache, WithoutAFolderJustBuilds) {
  get({});
  EXPECT_TRUE(warnings_.empty());
  EXPECT_EQ(names_in(test_folder_.path()), std::vector<std::string>{});
}

TEST_F(TreeCache, ThatIsDamagedIsMended) {
  const std::string whole = read_bytes(fill());
  std::string bytes = whole;
  bytes[whole.size() / 2] = static_cast<char>(bytes[whole.size() / 2] ^ 4);
  write_bytes(folder_ / name_, bytes);
  expect_mended("checksum differs");
  write_bytes(folder_ / name_, whole.substr(0, whole.size() / 2));
  expect_mended("checksum differs");
  write_bytes(folder_ / name_, "");
  expect_mended("cut short to 0 bytes");
  write_bytes(folder_ / name_, std::string(5000, 'x'));
  expect_mended("not a tree cache");
  EXPECT_EQ(read_bytes(folder_ / name_), whole);
}

TEST_F(TreeCache, OfAnotherVersionOrRoomUnderThisNameIsMended) {
  std::string bytes = read_bytes(fill());
  const std::uint32_t version = 7;
  std::memcpy(bytes.data() + offsetof(scene::TreeHeader, version), &version, sizeof version);
  scene::seal_tree_bytes(bytes);
  write_bytes(folder_ / name_, bytes);
  expect_mended("written by format version 7, this is 1");

  const Environment other = random_room(2);
  write_bytes(folder_ / name_, scene::to_bytes(Tree(other), scene::fingerprint(other), options_));
  expect_mended("made for another environment");
}

TEST_F(TreeCache, ThatIsFarTooLargeIsNotRead) {
  const fs::path file = fill();
  const std::uint64_t most = scene::largest_tree_bytes(room_.triangles().size());
  std::error_code no_holes;
  fs::resize_file(file, std::uint64_t{1} << 42U, no_holes);  // 4 TiB of nothing
  if (no_holes) fs::resize_file(file, most + 1);
  const std::string size = std::to_string(fs::file_size(file));
  expect_mended("has " + size + " bytes where " + std::to_string(most) + " are the most");
}

TEST_F(TreeCache, LeavesAloneWhatIsNoFile) {
  ASSERT_TRUE(fs::create_directory(folder_));
  const fs::path place = folder_ / name_;
  ASSERT_EQ(::mkfifo(place.c_str(), 0666), 0);
  expect_left_alone("is not a regular file");  // and does not wait for a writer
  fs::remove(place);
  ASSERT_TRUE(fs::create_directory(place));
  expect_left_alone("is not a regular file");
  fs::remove(place);
  fs::create_symlink("/dev/zero", place);
  expect_left_alone("is not a regular file");
  EXPECT_TRUE(fs::is_symlink(place));
}

TEST_F(TreeCache, TakesThePlaceOfALinkToNowhere) {
  ASSERT_TRUE(fs::create_directory(folder_));
  fs::create_symlink("nowhere", folder_ / name_);
  fill();
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder_ / name_)));
}

TEST_F(TreeCache, WithoutAPlaceForItIsAWarning) {
  expect_not_written(test_folder_.path() / "no" / "trees", "No such file or directory");
  EXPECT_EQ(names_in(test_folder_.path()), std::vector<std::string>{});
  const fs::path file = test_folder_.write("file", "x");
  expect_not_written(file, "Not a directory");
  EXPECT_EQ(read_bytes(file), "x");
  expect_not_written(file / "trees", "Not a directory");
}

/// While it lives, the process is nobody in particular, to whom permissions mean something.
class AsNobody {
 public:
  AsNobody() : was_(::geteuid()) { EXPECT_TRUE(was_ != 0 || ::seteuid(65534) == 0); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  ~AsNobody() { EXPECT_TRUE(was_ != 0 || ::seteuid(0) == 0); }

 private:
  uid_t was_;
};

/// Whether a test's folder is open to nobody in particular, as it is below /tmp.
bool nobody_may_look_into(const fs::path& folder) {
  const AsNobody nobody;
  return ::eaccess(folder.c_str(), R_OK | X_OK) == 0;
}

TEST_F(TreeCache, InAReadOnlyFolderIsReadAndNotWritten) {
  const fs::path file = fill();
  if (!nobody_may_look_into(folder_)) GTEST_SKIP() << "TMPDIR is closed to other users";
  fs::permissions(folder_, fs::perms(0555));
  {
    const AsNobody nobody;
    get();
    EXPECT_EQ(warnings_, std::vector<std::string>{});
  }
  fs::permissions(file, fs::perms(0644));
  write_bytes(file, std::string(200, 'x'));
  {
    const AsNobody nobody;
    get();
    EXPECT_EQ(warnings_, (std::vector<std::string>{
                             file.string() + ": not a tree cache; the tree was built anew",
                             file.string() + ": cannot be written: Permission denied"}));
  }
  fs::permissions(folder_, fs::perms(0755));
  EXPECT_EQ(names_in(folder_), std::vector<std::string>{name_});
}

TEST_F(TreeCache, ThatMayNotBeReadIsReplacedIfItCanBe) {
  const fs::path file = fill();
  if (!nobody_may_look_into(folder_)) GTEST_SKIP() << "TMPDIR is closed to other users";
  fs::permissions(folder_, fs::perms(0777));
  fs::permissions(file, fs::perms::none);
  {
    const AsNobody nobody;
    expect_mended("cannot be opened: Permission denied");
  }
  fs::permissions(folder_, fs::perms::none);
  {
    const AsNobody nobody;
    get();
    EXPECT_EQ(warnings_.size(), 2U);
    for (const std::string& warning : warnings_) {
      EXPECT_TRUE(warning.ends_with("Permission denied") ||
                  warning.ends_with("Permission denied; the tree was built anew"))
          << warning;
    }
  }
  fs::permissions(folder_, fs::perms(0755));
}

// The signal that comes with the refusal ends the process, as nobody here ignores it.
constexpr auto kSignal = test::SizeSignal::kAsItWas;

TEST_F(TreeCache, ThatDoesNotFitLeavesNothingBehind) {
  {
    const test::FileSizeLimit limit(1000, kSignal);
    expect_not_written(folder_, "File too large");
  }
  EXPECT_EQ(names_in(folder_), std::vector<std::string>{});
  // The signal is neither waiting nor held back for good.
  sigset_t pending{};
  sigset_t blocked{};
  ASSERT_EQ(sigpending(&pending), 0);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, nullptr, &blocked), 0);
  EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0);
  EXPECT_EQ(sigismember(&blocked, SIGXFSZ), 0);
  // An older file is unharmed by a failure to replace it.
  const fs::path file = fill();
  write_bytes(file, "x");
  {
    const test::FileSizeLimit limit(1000, kSignal);
    get();
    EXPECT_EQ(warnings_.size(), 2U);
  }
  EXPECT_EQ(read_bytes(file), "x");
  expect_mended("cut short to 1 bytes");
}

TEST_F(TreeCache, StepsOverWhatAKilledProcessLeft) {
  ASSERT_TRUE(fs::create_directory(folder_));
  for (int i = 0; i < 30; ++i) {
    write_bytes(folder_ / (name_ + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(i)),
                "left");
  }
  get();
  EXPECT_EQ(warnings_, std::vector<std::string>{});
  EXPECT_EQ(names_in(folder_).size(), 31U);
  EXPECT_EQ(names_in(folder_)[0], name_);
}

TEST_F(TreeCache, BearsManyWritersAndReadersAtOnce) {
  constexpr int kThreads = 4;
  for (int round = 0; round < 10; ++round) {
    fs::remove_all(folder_);
    std::atomic<int> ready{0};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    threads.reserve(kThreads);
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (++ready; ready < kThreads;) std::this_thread::yield();
        for (int turn = 0; turn < 3; ++turn) {
          std::vector<std::string> warnings;
          const Tree tree = load_or_build(folder_, room_, options_, warnings);
          if (!warnings.empty() || !same_tree(tree, built_)) ++wrong;
          const std::string cause = base::write_cache_file(
              folder_, name_, scene::to_bytes(tree, scene::fingerprint(room_), options_));
          if (!cause.empty()) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(names_in(folder_), std::vector<std::string>{name_});
  }
}

}  // namespace
}  // namespace tocsin::detect
