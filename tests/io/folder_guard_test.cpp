#include "io/folder_guard.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "support/test_folder.h"

namespace tocsin::io {
namespace {

namespace fs = std::filesystem;

TEST(FolderGuard, ComponentsAreCompared) {
  EXPECT_TRUE(lies_in("/a/b", "/a/b"));
  EXPECT_TRUE(lies_in("/a/b", "/a/b/c/d"));
  EXPECT_TRUE(lies_in("/", "/a"));
  EXPECT_FALSE(lies_in("/a/b", "/a"));
  EXPECT_FALSE(lies_in("/a/b", "/a/bc"));
  EXPECT_FALSE(lies_in("/a/b", "/c/a/b"));
  EXPECT_FALSE(lies_in("/a/b", "a/b/c"));
}

TEST(FolderGuard, WithoutOneEverythingIsAllowed) {
  EXPECT_TRUE(FolderGuard::allows("/etc/passwd"));
  EXPECT_FALSE(FolderGuard::refused().has_value());
}

TEST(FolderGuard, KeepsWithinTheFolderAndRemembersTheFirstThatWasNot) {
  const test::TestFolder folder;
  const fs::path root = fs::canonical(folder.path());
  fs::create_directories(root / "in");
  fs::create_symlink("..", root / "in/up");
  {
    const FolderGuard guard(root / "in");
    EXPECT_TRUE(FolderGuard::allows((root / "in/a").string()));
    EXPECT_TRUE(FolderGuard::allows((root / "in/../in/a").string()));
    EXPECT_FALSE(FolderGuard::refused().has_value());
    EXPECT_FALSE(FolderGuard::allows((root / "in/up/b").string()));
    EXPECT_FALSE(FolderGuard::allows((root / "in/../c").string()));
    EXPECT_EQ(FolderGuard::refused(), (root / "in/up/b").string());
    {
      const FolderGuard nothing((fs::path()));
      EXPECT_FALSE(FolderGuard::allows((root / "in/a").string()));
    }
    EXPECT_TRUE(FolderGuard::allows((root / "in/a").string()));
    std::thread other([] { EXPECT_TRUE(FolderGuard::allows("/etc/passwd")); });
    other.join();
  }
  EXPECT_TRUE(FolderGuard::allows((root / "c").string()));
}

}  // namespace
}  // namespace tocsin::io
