// Principals, tokens and limits.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/access/allowance.h"
#include "tocsin/result.h"

namespace tocsin::service {

inline constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30U;

/// Limits of one principal.
struct Limits {
  std::uint32_t sessions = 1000;
  double frames_per_second = 1e6;             ///< of all its sessions, averaged over a second
  std::uint32_t links = 1024;                 ///< of one avatar
  std::uint32_t environments = 16;            ///< loaded by it
  std::uint64_t triangles = 20'000'000;       ///< of one room or shape that it loads
  std::uint64_t shape_triangles = 1'000'000;  ///< of all shapes of one avatar together
  bool may_load = true;                       ///< LoadEnvironment, and UnloadEnvironment of its own
  std::uint32_t uploads = 2;                  ///< rooms being loaded at once
  std::uint64_t disk = 4U * kGibibyte;        ///< bytes of its uploads, kept ones included
  double opens_per_second = 1000.0;  ///< sessions opened or resumed; a second's worth at once
  /// Of these, refused ones. Each costs parsing and a look-up. Beyond it every opening is refused
  /// at once.
  double failures_per_second = 50.0;
  bool may_change = true;              ///< UpdateEnvironment of rooms of its own
  double changes_per_second = 1000.0;  ///< of all its rooms; a second's worth at once

  friend bool operator==(const Limits&, const Limits&) = default;
};

/// What a principal has in use, of its limits. It outlives a change of them. Thread-safe.
struct Usage {
  std::atomic<std::uint32_t> sessions{0};
  std::atomic<std::uint32_t> environments{0};
  std::atomic<std::uint64_t> disk{0};  ///< bytes of its uploads
  Allowance opens;
  Allowance failures;
  Allowance frames;
  Allowance changes;
};

/// An authenticated principal. Shared by all its sessions; thread-safe.
struct Principal {
  std::string name;  ///< of the token, of the client's certificate, or "anyone"
  /// The group of principals that see its shared rooms, and that it meets; empty: itself only.
  std::string shares;
  Limits limits;
  std::shared_ptr<Usage> used = std::make_shared<Usage>();

  /// Takes `count` frames out of its allowance.
  bool take_frames(std::uint64_t count, std::chrono::steady_clock::time_point now) {
    return used->frames.take(count, limits.frames_per_second, now);
  }
  /// Those who meet each other: equal for principals of one group, and else for nobody.
  [[nodiscard]] std::string circle() const {
    return shares.empty() ? "principal " + name : "group " + shares;
  }
};

/// What reading the tokens file again changed.
struct TokensChange {
  std::size_t tokens = 0;   ///< now
  std::size_t added = 0;    ///< names that there were not
  std::size_t changed = 0;  ///< names with another token, group or limits
  std::size_t gone = 0;     ///< names that there are no longer
};

/// The tokens file: {"format":"tocsin.tokens.v1","tokens":[{"name":"studio-a","token":"..." or
/// "sha256":"...","shares":"GROUP","limits":{...}}, ...]}; the fields of `limits` are those of
/// Limits. Thread-safe. docs/service.md, "Access and TLS".
class Access {
 public:
  /// Without tokens: every client is admitted as "anyone", or by the name in its
  /// certificate. Each principal has `limits`.
  explicit Access(const Limits& limits);
  /// `limits`: for fields that a token's own limits leave out. Only hashes of the tokens are kept.
  /// Errors (kInput): file, line or field, and cause: malformed; a field that is not known; a token
  /// that is shorter than 16 characters or could not be sent; a name or token that comes twice; no
  /// tokens; a regular file that others may read (mode). No message holds a token.
  static Result<std::shared_ptr<Access>> load(const std::filesystem::path& tokens,
                                              const Limits& limits);

  /// Reads the tokens file again, for clients that come from now on. Who has a stream keeps it,
  /// with the limits that it was opened with; what it has in use counts on. A token that is gone
  /// admits nobody. Errors: as load(); then nothing changes. (kUsage): there was no tokens file.
  Result<TokensChange> reload(const std::filesystem::path& tokens);

  /// `authorization`: that metadata's value ("Bearer TOKEN"), if there is one; `certificate`: the
  /// name of a client certificate that TLS has verified, else empty. With a tokens file a token is
  /// required, and it alone names the principal. Null: not admitted. The time does not depend on
  /// how similar the tokens are. The same token (or name) gives the same Principal each time.
  [[nodiscard]] std::shared_ptr<Principal> admit(std::optional<std::string_view> authorization,
                                                 std::string_view certificate);
  [[nodiscard]] bool asks_for_tokens() const { return asks_; }

 private:
  /// A token and its principal.
  struct Token {
    std::string sha256;  ///< of its bytes, 64 lower-case hexadecimal digits
    std::shared_ptr<Principal> principal;
  };

  using Tokens = std::vector<Token>;

  /// The tokens of a file, each with a principal of its own. Errors: as load().
  static Result<Tokens> read(const std::filesystem::path& tokens, const Limits& limits);
  /// The principal with that name, made if there is none; null if there are too many.
  std::shared_ptr<Principal> named(const std::string& name);

  Limits limits_;
  bool asks_ = false;
  std::mutex mutex_;
  std::shared_ptr<const Tokens> tokens_;  ///< under mutex_
  /// By name: what principals have in use, those too whose tokens are gone. Under mutex_.
  std::map<std::string, std::shared_ptr<Usage>> usage_;
  /// Principals that others replaced: rooms and queues may still name them. Under mutex_.
  std::vector<std::shared_ptr<Principal>> replaced_;
  std::map<std::string, std::shared_ptr<Principal>> named_;  ///< without tokens; under mutex_
};

}  // namespace tocsin::service
