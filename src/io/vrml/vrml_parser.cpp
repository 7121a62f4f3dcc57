#include "io/vrml/vrml_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/text_file.h"
#include "base/text_scanner.h"
#include "io/import/nesting.h"
#include "io/vrml/vrml_grammar.h"

namespace tocsin::io {
namespace {

using Kind = VrmlToken::Kind;

/// Fields of a PROTO. Every field of an instance is searched among them, so many of both would take
/// quadratic time. Real files have fewer than a hundred.
constexpr std::size_t kMaxParameters = 256;

/// Bytes of a DEF name: each USE copies it, to the name of an object.
constexpr std::size_t kMaxDefName = 256;

/// Empty for VRML97; else what the file is instead.
std::string header_problem(std::string_view text) {
  if (text.starts_with(base::kByteOrderMark)) text.remove_prefix(base::kByteOrderMark.size());
  const std::string_view first = text.substr(0, text.find_first_of("\r\n"));
  if (first == "#VRML V2.0" || first.starts_with("#VRML V2.0 ")) return {};
  if (first.starts_with("\x1f\x8b")) {
    return "is compressed by gzip; unpack it first (gunzip < FILE > room.wrl)";
  }
  if (first.starts_with("#VRML V1")) return "is VRML 1.0, which is not read; convert it to VRML97";
  if (first.starts_with("#X3D")) {
    return "is X3D in its classic encoding, which is not read; convert it to .x3d or VRML97";
  }
  return fmt::format("expected #VRML V2.0 utf8, found {}", base::in_quotes(first));
}

}  // namespace

Result<VrmlParsed> VrmlGrammar::parse() {
  spaces_.emplace_back();
  if (!statements(Kind::kEnd, out_.roots)) return *error_;
  return std::move(out_);
}

bool VrmlGrammar::stop(std::int64_t line, std::string_view cause) {
  if (!error_) error_ = base::input_error(file_, line, cause);
  return false;
}

bool VrmlGrammar::expected(std::string_view what) {
  return stop(fmt::format("expected {}, found {}", what, in_.peek().found()));
}

bool VrmlGrammar::enter() {
  return ++depth_ <= kMaxNesting || stop(fmt::format("nested more than {} deep", kMaxNesting));
}

bool VrmlGrammar::leave() {
  --depth_;
  return true;
}

bool VrmlGrammar::accept_word(std::string_view word) {
  if (!in_.peek().is_word(word)) return false;
  in_.take();
  return true;
}

bool VrmlGrammar::name(std::string_view what, std::string_view& out) {
  const VrmlToken& next = in_.peek();
  if (next.kind != Kind::kWord || next.looks_like_number()) return expected(what);
  out = in_.take().text;
  return true;
}

bool VrmlGrammar::statements(Kind end, std::vector<VrmlRef>& nodes) {
  while (in_.peek().kind != end) {
    bool other = false;
    if (!declaration(other)) return false;
    if (!other && !node(nodes)) return false;
  }
  in_.take();
  return true;
}

bool VrmlGrammar::declaration(bool& found) {
  found = true;
  if (accept_word("PROTO")) return proto();
  if (accept_word("EXTERNPROTO")) return extern_proto();
  if (accept_word("ROUTE")) return route();
  found = false;
  return true;
}

bool VrmlGrammar::route() {
  std::string_view word;
  if (!name("what a ROUTE leads from", word)) return false;
  while (!in_.peek().is_word("TO")) {
    if (in_.peek().kind != Kind::kWord) return expected("the TO of a ROUTE");
    in_.take();
  }
  in_.take();
  if (!name("what a ROUTE leads to", word)) return false;
  for (bool more = word.ends_with('.'); more || in_.peek().text.starts_with('.');) {
    if (in_.peek().kind != Kind::kWord) return expected("what a ROUTE leads to");
    more = in_.take().text == ".";
  }
  return true;
}

bool VrmlGrammar::proto() {
  VrmlProto made;
  if (!name("the name of a PROTO", made.name)) return false;
  // Before the interface: a node from around it must not become the value of a field, as it may
  // contain an IS that means the fields of another PROTO.
  spaces_.emplace_back();
  if (!interface(made)) return false;
  if (!in_.accept(Kind::kOpenBrace)) return expected("{");
  if (!enter()) return false;
  // The PROTO itself may stand in the interface of another one.
  const bool in_interface = std::exchange(in_interface_, false);
  if (!statements(Kind::kCloseBrace, made.body)) return false;
  in_interface_ = in_interface;
  close_space();
  declare(std::move(made));
  return leave();
}

bool VrmlGrammar::extern_proto() {
  VrmlProto made;
  made.external = true;
  if (!name("the name of an EXTERNPROTO", made.name) || !interface(made)) return false;
  VrmlField url;
  constexpr VrmlType kStringList{VrmlType::Form::kString, 1, true};
  if (!value(kStringList, "the address of an EXTERNPROTO", url)) return false;
  declare(std::move(made));
  return true;
}

void VrmlGrammar::declare(VrmlProto made) {
  const auto index = static_cast<std::uint32_t>(out_.protos.size());
  const auto [at, is_new] = protos_.try_emplace(made.name, index);
  if (spaces_.size() > 1) {
    VrmlNameSpace::Hidden hidden{made.name, std::nullopt};
    if (!is_new) hidden.proto = at->second;
    spaces_.back().hidden.push_back(hidden);
  }
  at->second = index;
  out_.protos.push_back(std::move(made));
}

void VrmlGrammar::close_space() {
  std::vector<VrmlNameSpace::Hidden>& hidden = spaces_.back().hidden;
  for (; !hidden.empty(); hidden.pop_back()) {
    if (hidden.back().proto) {
      protos_[hidden.back().type] = *hidden.back().proto;
    } else {
      protos_.erase(hidden.back().type);
    }
  }
  spaces_.pop_back();
}

bool VrmlGrammar::interface(VrmlProto& made) {
  const bool inside = std::exchange(in_interface_, true);
  const bool good = parameters(made);
  in_interface_ = inside;
  return good;
}

bool VrmlGrammar::parameters(VrmlProto& made) {
  if (!in_.accept(Kind::kOpenBracket)) return expected("[");
  while (!in_.accept(Kind::kCloseBracket)) {
    std::string_view access;
    if (!name("eventIn, eventOut, field, exposedField or ]", access)) return false;
    VrmlParameter parameter;
    bool event = false;
    if (!parameter_head(access, parameter, event)) return false;
    parameter.has_value = !event && !made.external;
    if (parameter.has_value && !value(parameter.type, parameter.name, parameter.value)) {
      return false;
    }
    if (event) continue;
    if (made.parameters.size() == kMaxParameters) {
      return stop(fmt::format("a PROTO with more than {} fields", kMaxParameters));
    }
    made.parameters.push_back(parameter);
  }
  return true;
}

bool VrmlGrammar::parameter_head(std::string_view access, VrmlParameter& out, bool& event) {
  event = access == "eventIn" || access == "eventOut";
  if (!event && access != "field" && access != "exposedField") {
    return stop(fmt::format("expected eventIn, eventOut, field or exposedField, found {}",
                            base::in_quotes(access)));
  }
  std::string_view type;
  if (!name("a field type", type)) return false;
  const VrmlFieldSpec* const known = find_vrml_type(type);
  if (known == nullptr)
    return stop(fmt::format("there is no field type {}", base::in_quotes(type)));
  out.type = known->type;
  return name("the name of a field", out.name);
}

bool VrmlGrammar::node(std::vector<VrmlRef>& out) {
  const std::int64_t line = in_.peek().line;
  std::string_view word;
  if (!name("a node", word)) return false;
  if (word == "USE") return use(line, out);
  VrmlNode made;
  made.line = line;
  if (word == "DEF" && (!name("a name after DEF", made.name) || !name("a node type", word))) {
    return false;
  }
  if (made.name.size() > kMaxDefName) {
    return stop(line, fmt::format("a name after DEF longer than {} bytes", kMaxDefName));
  }
  made.type = word;
  if (in_.peek().kind != Kind::kOpenBrace) {
    return expected(fmt::format("a node, so {{ after {}", base::in_quotes(word)));
  }
  if (!enter()) return false;
  in_.take();
  const auto index = static_cast<std::uint32_t>(out_.nodes.size());
  if (!made.name.empty()) spaces_.back().nodes[made.name] = index;
  const VrmlNodeSpec* const spec = look_up(made);
  out_.nodes.push_back(made);
  if (!body(made, spec)) return false;
  out_.nodes[index] = made;
  out.push_back({index, false, line});
  return leave();
}

bool VrmlGrammar::use(std::int64_t line, std::vector<VrmlRef>& out) {
  std::string_view of;
  if (!name("a name after USE", of)) return false;
  const auto at = spaces_.back().nodes.find(of);
  if (at == spaces_.back().nodes.end()) {
    return stop(line, fmt::format("USE of {}, which no DEF before it names", base::in_quotes(of)));
  }
  out.push_back({at->second, true, line});
  return true;
}

const VrmlNodeSpec* VrmlGrammar::look_up(VrmlNode& made) {
  if (const auto at = protos_.find(made.type); at != protos_.end()) {
    made.kind = VrmlKind::kInstance;
    made.proto = at->second;
    return nullptr;
  }
  const VrmlNodeSpec* const spec = find_vrml_node(made.type);
  made.kind = spec == nullptr ? VrmlKind::kUnknown : spec->kind;
  return spec;
}

bool VrmlGrammar::body(VrmlNode& made, const VrmlNodeSpec* spec) {
  std::vector<VrmlField> fields;
  while (!in_.accept(Kind::kCloseBrace)) {
    if (in_.peek().kind == Kind::kEnd) {
      return stop(fmt::format("expected }} of the {} from line {}, found the end of the file",
                              base::in_quotes(made.type), made.line));
    }
    bool other = false;
    if (!declaration(other)) return false;
    if (!other && !field(made, spec, fields)) return false;
  }
  made.first_field = out_.fields.size();
  made.field_count = fields.size();
  out_.fields.insert(out_.fields.end(), fields.begin(), fields.end());
  return true;
}

bool VrmlGrammar::field(const VrmlNode& made, const VrmlNodeSpec* spec,
                        std::vector<VrmlField>& fields) {
  std::string_view word;
  if (!name("a field or }", word)) return false;
  // Of a Script; and some exporters write them into nodes of their own.
  if (word == "eventIn" || word == "eventOut" || word == "field" || word == "exposedField") {
    return own_field(word);
  }
  VrmlField made_field;
  made_field.name = word;
  const std::optional<VrmlType> type = type_of(made, spec, word);
  if (type && type->form != VrmlType::Form::kPassed) {
    const bool again = std::any_of(fields.begin(), fields.end(),
                                   [&](const VrmlField& f) { return f.name == word; });
    if (again) return stop(fmt::format("{} has a value already", word));
    if (!value(*type, word, made_field)) return false;
    fields.push_back(made_field);
    return true;
  }
  if (!any_value(made_field)) return false;
  if (made_field.form == VrmlField::Form::kNodes && made.kind == VrmlKind::kUnknown) {
    fields.push_back(made_field);
  }
  return true;
}

std::optional<VrmlType> VrmlGrammar::type_of(const VrmlNode& made, const VrmlNodeSpec* spec,
                                             std::string_view word) {
  if (made.kind == VrmlKind::kInstance) {
    for (const VrmlParameter& parameter : out_.protos[made.proto].parameters) {
      if (parameter.name == word) return parameter.type;
    }
  } else if (spec != nullptr && !spec->fields.empty()) {
    for (const VrmlFieldSpec& known : spec->fields) {
      if (known.name == word) return known.type;
    }
  } else {
    return std::nullopt;
  }
  if (in_.peek().is_word("IS")) return std::nullopt;  // an event
  if (out_.unknown_fields++ == 0) {
    out_.unknown_field_line = in_.peek().line;
    out_.unknown_field = word;
  }
  return std::nullopt;
}

bool VrmlGrammar::own_field(std::string_view access) {
  VrmlParameter parameter;
  bool event = false;
  if (!parameter_head(access, parameter, event)) return false;
  VrmlField skipped;
  if (in_.peek().is_word("IS")) return is(skipped);
  return event || any_value(skipped);
}

Result<VrmlParsed> parse_vrml_nodes(std::string_view text, std::string_view file) {
  if (const std::string problem = header_problem(text); !problem.empty()) {
    return base::input_error(file, 1, problem);
  }
  return VrmlGrammar(text, file).parse();
}

}  // namespace tocsin::io
