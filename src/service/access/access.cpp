#include "service/access/access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>

#include "base/lower_case.h"
#include "base/quoted.h"
#include "base/sha256.h"
#include "base/text_file.h"
#include "io/json/json_fields.h"
#include "io/json/json_value.h"
#include "service/access/names.h"

namespace tocsin::service {
namespace {

using io::json_path;
using io::JsonKind;
using io::JsonValue;

constexpr std::string_view kFormat = "tocsin.tokens.v1";
constexpr std::string_view kScheme = "bearer";

/// Bytes: room for 30,000 tokens. A larger file is no tokens file.
constexpr std::size_t kMostFile = std::size_t{8} << 20U;
/// Characters. 16 of 64 letters are 96 bits: fewer can be guessed over a fast network.
constexpr std::size_t kLeastToken = 16;
/// Bytes. gRPC takes 8 KiB of metadata; a longer token could not be sent beside the rest.
constexpr std::size_t kMostToken = 1024;
constexpr std::size_t kHashDigits = 64;
/// Certificate names that are kept with their use of limits. Each takes about 300 bytes. The
/// operator decides who gets a certificate, so only an operator's mistake makes more.
constexpr std::size_t kMostNamed = 10'000;
/// Beyond this a JSON number is not exact.
constexpr double kMostCount = 9007199254740992.0;

/// Reads the document and keeps the first error. Results after an error have no meaning.
class TokensReader : private io::JsonFields {
 public:
  struct Entry {
    std::string name;
    std::string sha256;
    std::string shares;
    Limits limits;
  };

  TokensReader(const std::string& file, const Limits& limits) : JsonFields(file), limits_(limits) {}

  std::vector<Entry> read(const JsonValue& root) {
    std::vector<Entry> out;
    if (!is_object_of(root, std::array<std::string_view, 2>{"format", "tokens"}, "")) return out;
    const std::string format = text(root, "format", "");
    if (format != kFormat) {
      fail("format",
           fmt::format("must be {}, is {}", base::in_quotes(kFormat), base::in_quotes(format)));
    }
    const JsonValue* const tokens = required(root, "tokens", "");
    if (tokens == nullptr || !is_kind(*tokens, JsonKind::kArray, "tokens")) return out;
    if (tokens->items.empty()) fail("tokens", "must not be empty: no client could connect");
    for (std::size_t i = 0; i < tokens->items.size() && !error(); ++i) {
      out.push_back(entry(tokens->items[i], json_path("tokens", i)));
    }
    return out;
  }

  using JsonFields::error;

 private:
  std::string text(const JsonValue& object, std::string_view name, std::string_view path) {
    const JsonValue* const value = required(object, name, path);
    const bool good = value != nullptr && is_kind(*value, JsonKind::kString, json_path(path, name));
    return good ? value->text : std::string();
  }

  Entry entry(const JsonValue& value, const std::string& path) {
    constexpr std::array<std::string_view, 5> kKnown{"name", "token", "sha256", "shares", "limits"};
    Entry out;
    if (!is_object_of(value, kKnown, path)) return out;
    out.name = name(value, "name", path);
    if (!error() && !names_.insert(out.name).second) {
      fail(json_path(path, "name"), fmt::format("{} comes twice", base::in_quotes(out.name)));
    }
    if (value.member("shares") != nullptr) out.shares = name(value, "shares", path);
    out.sha256 = hash(value, path);
    if (!error() && !hashes_.insert(out.sha256).second) {
      fail(path, "the same token comes twice: each client needs a token of its own");
    }
    out.limits = limits_;
    if (const JsonValue* const own = value.member("limits")) {
      read_limits(*own, json_path(path, "limits"), out.limits);
    }
    return out;
  }

  std::string name(const JsonValue& value, std::string_view field, const std::string& path) {
    std::string out = text(value, field, path);
    if (error() || is_name(out)) return out;
    fail(json_path(path, field),
         fmt::format("must be 1 to {} bytes without control characters, is {}", kMostName,
                     base::in_quotes(out)));
    return out;
  }

  /// Hash of the token, given as `token` or `sha256`. Messages never contain its text.
  std::string hash(const JsonValue& value, const std::string& path) {
    const bool clear = value.member("token") != nullptr;
    if (clear == (value.member("sha256") != nullptr)) {
      fail(path, R"(must have one of the fields "token" and "sha256")");
      return {};
    }
    if (!clear) return checked_hash(text(value, "sha256", path), json_path(path, "sha256"));
    const std::string token = text(value, "token", path);
    if (error()) return {};
    const std::string where = json_path(path, "token");
    if (token.size() < kLeastToken || token.size() > kMostToken) {
      fail(where, fmt::format("must have {} to {} characters, has {}", kLeastToken, kMostToken,
                              token.size()));
    }
    const auto is_sent = [](char c) { return c > ' ' && c < 0x7F; };
    if (!std::all_of(token.begin(), token.end(), is_sent)) {
      fail(where, "must be ASCII letters, digits and signs, without blanks");
    }
    return base::sha256_hex(token);
  }

  std::string checked_hash(const std::string& given, const std::string& where) {
    if (error()) return {};
    std::string out = base::lower(given);
    const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (out.size() != kHashDigits || !std::all_of(out.begin(), out.end(), is_digit)) {
      fail(where, fmt::format("must be {} hexadecimal digits", kHashDigits));
    }
    return out;
  }

  void read_limits(const JsonValue& value, const std::string& path, Limits& out) {
    constexpr std::array<std::string_view, 13> kKnown{"sessions",
                                                      "frames_per_second",
                                                      "links",
                                                      "environments",
                                                      "triangles",
                                                      "shape_triangles",
                                                      "may_load",
                                                      "uploads",
                                                      "disk",
                                                      "opens_per_second",
                                                      "failures_per_second",
                                                      "may_change",
                                                      "changes_per_second"};
    if (!is_object_of(value, kKnown, path)) return;
    const auto count = [&](std::string_view name, auto& limit) {
      using Count = std::remove_reference_t<decltype(limit)>;
      constexpr double kMost =
          std::min(kMostCount, static_cast<double>(std::numeric_limits<Count>::max()));
      const std::optional<double> got = number(value, name, path, kMost);
      if (!got) return;
      if (*got != std::floor(*got)) {
        fail(json_path(path, name), fmt::format("must be a whole number, is {}", *got));
      } else {
        limit = static_cast<Count>(*got);
      }
    };
    count("sessions", out.sessions);
    count("links", out.links);
    count("environments", out.environments);
    count("triangles", out.triangles);
    count("shape_triangles", out.shape_triangles);
    count("uploads", out.uploads);
    count("disk", out.disk);
    const auto rate = [&](std::string_view name, double& limit) {
      limit = number(value, name, path, kMostCount).value_or(limit);
    };
    rate("frames_per_second", out.frames_per_second);
    rate("opens_per_second", out.opens_per_second);
    rate("failures_per_second", out.failures_per_second);
    rate("changes_per_second", out.changes_per_second);
    const auto right = [&](std::string_view name, bool& may) {
      const JsonValue* const said = value.member(name);
      if (said == nullptr || !is_kind(*said, JsonKind::kBoolean, json_path(path, name))) return;
      may = said->boolean;
    };
    right("may_load", out.may_load);
    right("may_change", out.may_change);
  }

  std::optional<double> number(const JsonValue& object, std::string_view name,
                               std::string_view path, double most) {
    const JsonValue* const value = object.member(name);
    const std::string where = json_path(path, name);
    if (value == nullptr || !is_kind(*value, JsonKind::kNumber, where)) return std::nullopt;
    if (value->number >= 0.0 && value->number <= most) return value->number;
    fail(where, fmt::format("must be from 0 to {:.0f}, is {}", most, value->number));
    return std::nullopt;
  }

  const Limits& limits_;
  std::set<std::string> names_;
  std::set<std::string> hashes_;
};

/// Empty, or why others than the file's owner could read the tokens. Only regular files are
/// checked: a pipe (from a keyring) is the operator's choice.
std::string mode_fault(const std::filesystem::path& file) {
  using std::filesystem::perms;
  std::error_code none;
  const std::filesystem::file_status status = std::filesystem::status(file, none);
  if (status.type() != std::filesystem::file_type::regular) return {};
  const perms mode = status.permissions();
  if ((mode & (perms::group_read | perms::others_read)) == perms::none) return {};
  return fmt::format("others may read the tokens (mode {:03o}; try: chmod 600 {})",
                     static_cast<unsigned>(mode) & 0777U, file.string());
}

/// A syntax error without the text that was found there, which may be a token. `file:line:column:
/// cause`.
Error without_text(Error error, const std::string& file) {
  const std::size_t place = file.size() + 1;
  const bool has_line =
      place < error.message.size() && error.message[place] >= '0' && error.message[place] <= '9';
  if (!has_line) return error;
  const std::size_t cause = error.message.find(": ", place);
  return {error.code, error.message.substr(0, cause) + ": is not valid JSON"};
}

/// TOKEN of "Bearer TOKEN" (RFC 6750); none if it is something else.
std::optional<std::string_view> bearer_token(std::string_view authorization) {
  if (authorization.size() <= kScheme.size()) return std::nullopt;
  const std::string scheme = base::lower(std::string(authorization.substr(0, kScheme.size())));
  if (scheme != kScheme || authorization[kScheme.size()] != ' ') return std::nullopt;
  authorization.remove_prefix(kScheme.size());
  const std::size_t start = authorization.find_first_not_of(' ');
  if (start == std::string_view::npos) return std::nullopt;
  authorization.remove_prefix(start);
  if (authorization.size() > kMostToken) return std::nullopt;
  return authorization;
}

/// Compares every digit, even after a difference, so the time reveals nothing.
bool same_hash(std::string_view a, std::string_view b) {
  unsigned different = 0;
  for (std::size_t i = 0; i < kHashDigits; ++i) {
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return different == 0;
}

std::shared_ptr<Principal> make_principal(const std::string& name, const Limits& limits) {
  auto out = std::make_shared<Principal>();
  out->name = name;
  out->limits = limits;
  return out;
}

}  // namespace

Access::Access(const Limits& limits) : limits_(limits) {}

Result<Access::Tokens> Access::read(const std::filesystem::path& tokens, const Limits& limits) {
  const std::string shown = tokens.string();
  if (const std::string fault = mode_fault(tokens); !fault.empty()) {
    return {ErrorCode::kInput, fmt::format("{}: {}", shown, fault)};
  }
  const Result<std::string> bytes = base::read_file(tokens, kMostFile);
  if (!bytes.ok()) return bytes.error();
  const Result<JsonValue> root = io::parse_json(bytes.value(), shown);
  if (!root.ok()) return without_text(root.error(), shown);
  TokensReader reader(shown, limits);
  const std::vector<TokensReader::Entry> entries = reader.read(root.value());
  if (reader.error()) return *reader.error();
  Tokens out;
  for (const auto& entry : entries) {
    out.push_back({entry.sha256, make_principal(entry.name, entry.limits)});
    out.back().principal->shares = entry.shares;
  }
  return out;
}

Result<std::shared_ptr<Access>> Access::load(const std::filesystem::path& tokens,
                                             const Limits& limits) {
  auto access = std::make_shared<Access>(limits);
  access->asks_ = true;
  access->tokens_ = std::make_shared<const Tokens>();
  const auto loaded = access->reload(tokens);
  if (!loaded.ok()) return loaded.error();
  return access;
}

Result<TokensChange> Access::reload(const std::filesystem::path& tokens) {
  if (!asks_) return {ErrorCode::kUsage, "there was no tokens file"};
  Result<Tokens> read_now = read(tokens, limits_);
  if (!read_now.ok()) return read_now.error();
  Tokens now = std::move(read_now).value();
  const std::scoped_lock lock(mutex_);
  std::map<std::string_view, const Token*> before;  // those that no other has replaced
  for (const Token& old : *tokens_) before.emplace(old.principal->name, &old);
  TokensChange change{.tokens = now.size(), .gone = before.size()};
  for (Token& token : now) {
    Principal& principal = *token.principal;
    principal.used = usage_.try_emplace(principal.name, principal.used).first->second;
    const auto found = before.find(principal.name);
    if (found == before.end()) {
      ++change.added;
      continue;
    }
    --change.gone;
    const Token& old = *found->second;
    const bool same =
        old.principal->limits == principal.limits && old.principal->shares == principal.shares;
    if (!same || old.sha256 != token.sha256) ++change.changed;
    if (!same) continue;
    token.principal = old.principal;
    before.erase(found);
  }
  for (const auto& [name, old] : before) replaced_.push_back(old->principal);
  tokens_ = std::make_shared<const Tokens>(std::move(now));
  return change;
}

std::shared_ptr<Principal> Access::admit(std::optional<std::string_view> authorization,
                                         std::string_view certificate) {
  if (!asks_for_tokens()) return named(std::string(certificate.empty() ? kAnyone : certificate));
  const auto token = bearer_token(authorization.value_or(std::string_view()));
  if (!token) return nullptr;
  const std::string hash = base::sha256_hex(*token);
  const std::shared_ptr<const Tokens> tokens = [this] {
    const std::scoped_lock lock(mutex_);
    return tokens_;
  }();
  const Token* found = nullptr;
  for (const Token& entry : *tokens) {
    const bool same = same_hash(entry.sha256, hash);
    found = same ? &entry : found;
  }
  return found == nullptr ? nullptr : found->principal;
}

std::shared_ptr<Principal> Access::named(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  const auto found = named_.find(name);
  if (found != named_.end()) return found->second;
  if (named_.size() >= kMostNamed) {
    std::erase_if(named_, [](const auto& entry) {
      return entry.second.use_count() == 1 && entry.second->used->environments == 0;
    });
  }
  if (named_.size() >= kMostNamed) return nullptr;
  return named_.emplace(name, make_principal(name, limits_)).first->second;
}

}  // namespace tocsin::service
