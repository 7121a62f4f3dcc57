// The heads of HTTP requests: what is read, and what is refused because two readers could take it
// differently.
#include "service/http/request.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tocsin::request_test {
namespace {

using service::HttpHead;
using service::parse_head;

std::string get(const std::string& fields) {
  return "GET /metrics HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n";
}

TEST(HttpRequest, ReadsWhatItAsksFor) {
  const HttpHead head = parse_head(
      "GET /v1/events?room=hall HTTP/1.1\r\nhOsT: localhost:9464\r\nAccept: */*\r\n"
      "Authorization:  Bearer abc \t\r\n\r\n");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.request.path, "/v1/events");
  EXPECT_EQ(head.request.host, "localhost:9464");
  EXPECT_EQ(head.request.authorization, "Bearer abc");
  EXPECT_FALSE(parse_head(get("")).request.authorization);
  EXPECT_EQ(parse_head("GET / HTTP/1.0\r\n\r\n").status, 200) << "1.0 needs no Host";
}

/// Only where a server allows it. It has no body, either.
TEST(HttpRequest, ReadsPostsWhereTheyAreAllowed) {
  const std::string post = "POST /sessions/5d0c/end HTTP/1.1\r\nHost: a\r\n";
  EXPECT_EQ(parse_head(post + "\r\n").status, 405);
  EXPECT_EQ(parse_head(post + "\r\n", true).status, 200);
  EXPECT_TRUE(parse_head(post + "\r\n", true).request.posts);
  EXPECT_EQ(parse_head(post + "Content-Length: 2\r\n\r\n", true).status, 400);
  EXPECT_FALSE(parse_head(get(""), true).request.posts);
  EXPECT_EQ(parse_head("PUT / HTTP/1.1\r\nHost: a\r\n\r\n", true).status, 405);
}

TEST(HttpRequest, WaitsForTheRest) {
  const std::string whole = get("Accept: */*\r\n");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(parse_head(whole.substr(0, i)).status, 0) << i;
  }
  EXPECT_EQ(parse_head(whole).status, 200);
  EXPECT_EQ(parse_head(whole + "GET /x HTTP/1.1\r\n").status, 200) << "what follows is not read";
}

struct Refused {
  const char* name;
  std::string bytes;
  int status;
  const char* phrase;
};

TEST(HttpRequest, RefusesWhatMayBeReadInTwoWays) {
  const std::string line = "GET /metrics HTTP/1.1\r\nHost: a\r\n";
  const std::vector<Refused> all{
      {"a length", get("Content-Length: 5\r\n"), 400, "no body"},
      {"a length of nothing", get("Content-Length: 0\r\n"), 400, "no body"},
      {"two lengths", get("Content-Length: 5\r\nContent-Length: 6\r\n"), 400, "no body"},
      {"chunks", get("Transfer-Encoding: chunked\r\n"), 400, "no body"},
      {"chunks, odd letters", get("tRANSFER-eNCODING: xchunked\r\n"), 400, "no body"},
      {"a blank before the colon", get("Content-Length : 5\r\n"), 400, "NAME: VALUE"},
      {"a folded line", get("X: a\r\n Content-Length: 5\r\n"), 400, "NAME: VALUE"},
      {"no colon", get("Content-Length\r\n"), 400, "NAME: VALUE"},
      {"no name", get(": 5\r\n"), 400, "NAME: VALUE"},
      {"a bare line feed", "GET / HTTP/1.1\nHost: a\n\n", 400, "CR LF"},
      {"a bare return", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400, "CR LF"},
      {"a line feed in a field", line + "X: a\nY: b\r\n\r\n", 400, "CR LF"},
      {"a zero", line + std::string("X: a\0b\r\n\r\n", 10), 400, "control"},
      {"DEL", line + "X: \x7f\r\n\r\n", 400, "control"},
      {"two hosts", line + "Host: b\r\n\r\n", 400, "twice"},
      {"a host of two", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "blanks"},
      {"no host", "GET / HTTP/1.1\r\n\r\n", 400, "missing"},
      {"two tokens", line + "Authorization: a\r\nAuthorization: b\r\n\r\n", 400, "twice"},
      {"an empty line first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "request line"},
      {"a whole address", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, "no path"},
      {"a blank in the path", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400, "no path"},
      {"a fragment", "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n", 400, "no path"},
      {"no version", "GET /\r\nHost: a\r\n\r\n", 400, "request line"},
      {"a version of nothing", "GET / FOO/1.1\r\nHost: a\r\n\r\n", 400, "version"},
      {"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "HTTP/1.1"},
      {"POST", "POST / HTTP/1.1\r\nHost: a\r\n\r\n", 405, "GET"},
      {"HEAD", "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", 405, "GET"},
      {"get", "get / HTTP/1.1\r\nHost: a\r\n\r\n", 405, "GET"},
      {"a TLS hello", "\x16\x03\x01", 400, "control"},
      {"a feed at once", "\n", 400, "CR LF"},
      {"an endless head", line + std::string(service::kMostHead, 'a'), 431, "too long"},
      {"a long whole head", get("X: " + std::string(service::kMostHead, 'a') + "\r\n"), 431,
       "long"},
  };
  for (const Refused& one : all) {
    const HttpHead head = parse_head(one.bytes);
    EXPECT_EQ(head.status, one.status) << one.name << ": " << head.cause;
    EXPECT_NE(head.cause.find(one.phrase), std::string::npos) << one.name << ": " << head.cause;
  }
}

TEST(HttpRequest, BoundsHowManyHeadersThereAre) {
  std::string fields;  // and Host
  for (std::size_t i = 1; i < service::kMostHeaders; ++i) fields += "X: 1\r\n";
  EXPECT_EQ(parse_head(get(fields)).status, 200);
  EXPECT_EQ(parse_head(get(fields + "X: 1\r\n")).status, 431);
}

}  // namespace
}  // namespace tocsin::request_test
