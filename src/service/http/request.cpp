#include "service/http/request.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/lower_case.h"

namespace tocsin::service {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

HttpHead refused(int status, std::string cause) {
  return {.status = status, .cause = std::move(cause), .request = {}};
}

/// RFC 9110, "token".
bool is_token(std::string_view text) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  const auto fits = [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || kSigns.find(c) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

/// Visible ASCII, and bytes above it; with blanks if they may be inside.
bool is_visible(std::string_view text, bool blanks) {
  return std::all_of(text.begin(), text.end(), [blanks](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte > 0x20 && byte != 0x7F) || (blanks && (c == ' ' || c == '\t'));
  });
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// A line without its end, and removes it from `rest`, which has an end.
std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find(kLineEnd);
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + kLineEnd.size());
  return line;
}

/// 0: it was read.
HttpHead read_request_line(std::string_view line, bool posts, HttpRequest& out, bool& needs_host) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return refused(400, "the request line is not METHOD TARGET VERSION");
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(method)) return refused(400, "the method is no word");
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return version.starts_with("HTTP/") ? refused(505, "only HTTP/1.1 is spoken here")
                                        : refused(400, "the version is not HTTP/1.1");
  }
  out.posts = posts && method == "POST";
  if (method != "GET" && !out.posts) {
    return refused(405, posts ? "only GET and POST are allowed" : "only GET is allowed");
  }
  if (!target.starts_with('/') || !is_visible(target, false) ||
      target.find('#') != std::string_view::npos) {
    return refused(400, "the target is no path");
  }
  out.path = target.substr(0, target.find('?'));
  needs_host = version == "HTTP/1.1";
  return {};
}

/// 0: it was read.
HttpHead read_field(std::string_view line, HttpRequest& out, bool& has_host) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
    return refused(400, "a header line is not NAME: VALUE");
  }
  const std::string name = base::lower(std::string(line.substr(0, colon)));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!is_visible(value, true)) return refused(400, "a header has control characters");
  if (name == "content-length" || name == "transfer-encoding") {
    return refused(400, "a request here has no body");
  }
  if (name == "host") {
    if (std::exchange(has_host, true)) return refused(400, "Host comes twice");
    if (!is_visible(value, false)) return refused(400, "Host has blanks");
    out.host = value;
  }
  if (name == "authorization") {
    if (out.authorization) return refused(400, "Authorization comes twice");
    out.authorization = value;
  }
  return {};
}

/// 0: nothing is wrong with the part that has come.
HttpHead check_part(std::string_view bytes) {
  if (bytes.size() >= kMostHead) return refused(431, "the request's head is too long");
  // So that nonsense ends at once, and not when its time is over.
  const auto wrong = std::find_if(bytes.begin(), bytes.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n';
  });
  if (wrong != bytes.end()) return refused(400, "the request has control characters");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool feed = bytes[i] == '\n' && (i == 0 || bytes[i - 1] != '\r');
    const bool ret = bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] != '\n';
    if (feed || ret) return refused(400, "a line does not end with CR LF");
  }
  return {};
}

}  // namespace

HttpHead parse_head(std::string_view bytes, bool posts) {
  const std::size_t end = bytes.find(kHeadEnd);
  const bool complete = end != std::string_view::npos;
  // What comes after the head is never looked at: the connection ends with the answer.
  std::string_view rest = complete ? bytes.substr(0, end + kLineEnd.size()) : bytes;
  if (HttpHead wrong = check_part(rest); wrong.status != 0) return wrong;
  if (!complete) return {};
  HttpHead out;
  bool needs_host = false;
  bool has_host = false;
  if (HttpHead wrong = read_request_line(next_line(rest), posts, out.request, needs_host);
      wrong.status != 0) {
    return wrong;
  }
  for (std::size_t count = 0; !rest.empty(); ++count) {
    if (count == kMostHeaders) return refused(431, "the request has too many headers");
    if (HttpHead wrong = read_field(next_line(rest), out.request, has_host); wrong.status != 0) {
      return wrong;
    }
  }
  if (needs_host && !has_host) return refused(400, "Host is missing");
  out.status = 200;
  return out;
}

std::string status_text(int status) {
  constexpr std::array<std::pair<int, const char*>, 11> kReasons{{
      {200, "OK"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {421, "Misdirected Request"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {503, "Service Unavailable"},
      {505, "HTTP Version Not Supported"},
  }};
  const auto* const found = std::find_if(kReasons.begin(), kReasons.end(),
                                         [status](const auto& r) { return r.first == status; });
  return std::to_string(status) + " " + (found == kReasons.end() ? "Error" : found->second);
}

}  // namespace tocsin::service
