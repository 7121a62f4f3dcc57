// The values of fields, of known type and of any.
#include <fmt/format.h>

#include "base/text_scanner.h"
#include "io/vrml/vrml_grammar.h"

namespace tocsin::io {
namespace {

using Kind = VrmlToken::Kind;

}  // namespace

bool VrmlGrammar::is(VrmlField& out) {
  out.line = in_.take().line;
  out.form = VrmlField::Form::kIs;
  if (spaces_.size() < 2 || in_interface_) {
    return stop(out.line, "IS outside of the body of a PROTO");
  }
  return name("the name of a field after IS", out.text);
}

bool VrmlGrammar::value(const VrmlType& type, std::string_view what, VrmlField& out) {
  out.name = what;
  out.line = in_.peek().line;
  if (in_.peek().is_word("IS")) return is(out);
  switch (type.form) {
    case VrmlType::Form::kPassed:
      return any_value(out);
    case VrmlType::Form::kBool:
      return boolean(out);
    case VrmlType::Form::kNumber:
      return numbers(type, out);
    case VrmlType::Form::kString:
      return strings(type, out);
    case VrmlType::Form::kNode:
      return nodes(type, out);
  }
  return true;
}

bool VrmlGrammar::boolean(VrmlField& out) {
  const bool yes = in_.peek().is_word("TRUE");
  if (!yes && !in_.peek().is_word("FALSE")) {
    return stop(fmt::format("{}: expected TRUE or FALSE, found {}", out.name, in_.peek().found()));
  }
  in_.take();
  out.form = VrmlField::Form::kNumbers;
  out.first = out_.numbers.size();
  out.count = 1;
  out_.numbers.push_back(yes ? 1.0 : 0.0);
  return true;
}

bool VrmlGrammar::number(const VrmlField& of) {
  const std::optional<double> read = in_.number();
  if (!read) return stop(fmt::format("{}: {}", of.name, in_.number_problem()));
  out_.numbers.push_back(*read);
  return true;
}

bool VrmlGrammar::numbers(const VrmlType& type, VrmlField& out) {
  out.form = VrmlField::Form::kNumbers;
  out.first = out_.numbers.size();
  if (type.many && in_.accept(Kind::kOpenBracket)) {
    while (!in_.accept(Kind::kCloseBracket)) {
      if (!number(out)) return false;
    }
  } else {
    for (int i = 0; i < type.components; ++i) {
      if (!number(out)) return false;
    }
  }
  out.count = out_.numbers.size() - out.first;
  if (out.count % type.components == 0) return true;
  return stop(out.line, fmt::format("{}: {} numbers are not a multiple of {}", out.name, out.count,
                                    type.components));
}

bool VrmlGrammar::strings(const VrmlType& type, VrmlField& out) {
  out.form = VrmlField::Form::kText;
  const auto one = [&] {
    if (in_.peek().kind != Kind::kString) {
      return stop(fmt::format("{}: expected a string, found {}", out.name, in_.peek().found()));
    }
    const VrmlToken token = in_.take();
    if (out.count++ == 0) out.text = token.text;
    return true;
  };
  if (!type.many || !in_.accept(Kind::kOpenBracket)) return one();
  while (!in_.accept(Kind::kCloseBracket)) {
    if (!one()) return false;
  }
  return true;
}

bool VrmlGrammar::nodes(const VrmlType& type, VrmlField& out) {
  std::vector<VrmlRef> refs;
  if (type.many && in_.peek().kind == Kind::kOpenBracket) {
    if (!enter()) return false;
    in_.take();
    while (!in_.accept(Kind::kCloseBracket)) {
      if (!node(refs)) return false;
    }
    leave();
  } else if (!accept_word("NULL") && !node(refs)) {
    return false;
  }
  keep(refs, out);
  return true;
}

void VrmlGrammar::keep(const std::vector<VrmlRef>& refs, VrmlField& out) {
  out.form = VrmlField::Form::kNodes;
  out.first = out_.refs.size();
  out.count = refs.size();
  out_.refs.insert(out_.refs.end(), refs.begin(), refs.end());
}

bool VrmlGrammar::any_value(VrmlField& out) {
  if (in_.peek().is_word("IS")) return is(out);
  out.line = in_.peek().line;
  std::vector<VrmlRef> refs;
  if (in_.peek().looks_like_number()) {
    while (in_.peek().looks_like_number()) {
      if (!in_.number()) return stop(in_.number_problem());
    }
    return true;
  }
  const bool list = in_.peek().kind == Kind::kOpenBracket;
  if (!list) {
    if (!any_item(refs)) return false;
  } else if (!any_list(refs)) {
    return false;
  }
  if (!refs.empty()) keep(refs, out);
  return true;
}

bool VrmlGrammar::any_list(std::vector<VrmlRef>& refs) {
  if (!enter()) return false;
  in_.take();
  while (!in_.accept(Kind::kCloseBracket)) {
    if (!any_item(refs)) return false;
  }
  return leave();
}

bool VrmlGrammar::any_item(std::vector<VrmlRef>& refs) {
  const VrmlToken& next = in_.peek();
  if (next.kind == Kind::kString || next.is_word("TRUE") || next.is_word("FALSE") ||
      next.is_word("NULL")) {
    in_.take();
    return true;
  }
  if (next.looks_like_number()) return in_.number() ? true : stop(in_.number_problem());
  if (next.kind != Kind::kWord) return expected("a value");
  return node(refs);
}

}  // namespace tocsin::io
