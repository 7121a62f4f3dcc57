#include "io/folder_guard.h"

#include <gtest/gtest.h>

#include <filesystem>

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

TEST(FolderGuard, AnywhereIsAnywhere) {
  EXPECT_TRUE(FolderGuard::anywhere().allows("/etc/passwd"));
}

TEST(FolderGuard, KeepsWithinTheFolderWhereverLinksLead) {
  const test::TestFolder folder;
  const fs::path root = fs::canonical(folder.path());
  fs::create_directories(root / "in");
  fs::create_symlink("..", root / "in/up");
  const FolderGuard guard(root / "in");
  EXPECT_TRUE(guard.allows((root / "in/a").string()));
  EXPECT_TRUE(guard.allows((root / "in/../in/a").string()));
  EXPECT_FALSE(guard.allows((root / "in/up/b").string()));
  EXPECT_FALSE(guard.allows((root / "in/../c").string()));
  EXPECT_FALSE(guard.allows((root / "c").string()));
}

TEST(FolderGuard, OfNoFolderAllowsNothing) {
  const test::TestFolder folder;
  EXPECT_FALSE(FolderGuard(fs::path()).allows((fs::canonical(folder.path()) / "a").string()));
}

}  // namespace
}  // namespace tocsin::io
