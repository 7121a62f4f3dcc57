// Where this build's sources and programs are. Only places.cpp knows the paths, so that a cached
// object of any other file serves a clone in another folder.
#pragma once

#include <string>

namespace tocsin::test {

/// The repository's folder, without a slash at its end; or what TOCSIN_TEST_SOURCES names, where
/// tests run elsewhere.
std::string source_dir();

/// The build folder, without a slash at its end.
std::string binary_dir();

/// The command that was built with these tests, or the one that the environment variable
/// TOCSIN_COMMAND names: another build, or an installed one.
std::string command_file();

}  // namespace tocsin::test
