// Names of sessions: the secret one, and the one for files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tocsin::service {

/// 128 random bits of the system's, 32 hexadecimal digits. None: the system has none to give.
std::optional<std::string> random_session_id();

/// A name for people and logs: the start of the id's SHA-256, 12 hexadecimal digits. It resumes
/// nothing.
std::string shown_session(const std::string& id);

/// The stem of a record's files: when (UTC), the how many-th session of this server, and a few
/// random digits in case several servers share a folder. Nothing of the id.
std::string record_stem(std::uint64_t number);

}  // namespace tocsin::service
