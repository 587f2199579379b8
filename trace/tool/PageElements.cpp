//===-- PageElements.cpp - what pages consist of ----------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PageElements.h"

#include "PageParts.h"
#include "support/Text.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <cstdio>

using namespace maiprof;
using support::escaped;

namespace {

/// A number for an attribute of SVG.
std::string percentNumber(double Share) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.2f", 100 * std::clamp(Share, 0.0, 1.0));
  return Text;
}

/// What a policy lets a page run or show: the text whose hash this is.
std::string hashOf(llvm::StringRef Text) {
  const auto Hash = llvm::SHA256::hash({Text.bytes_begin(), Text.bytes_end()});
  return "'sha256-" + llvm::encodeBase64(Hash) + "'";
}

} // namespace

const char *const maiprof::PageDefinitions =
    "<svg class=\"definitions\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs><pattern "
    "id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect class=\"ground\" width=\"5\" height=\"5\"/><rect "
    "class=\"line\" width=\"1.5\" height=\"5\"/></pattern></defs></svg>\n";

std::string maiprof::pageTop(const std::string &Title, const char *Script) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; " +
         (Script ? "script-src " + hashOf(Script) + "; " : "") + "style-src " + hashOf(PageStyle) +
         "; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         escaped(Title) + "</title>\n<style>" + PageStyle + "</style>\n</head>\n<body>\n";
}

std::string maiprof::code(const std::string &Text) { return "<code>" + escaped(Text) + "</code>"; }

std::string maiprof::bar(double Share, bool IsRemote) {
  return std::string("<svg class=\"bar ") + (IsRemote ? "remote" : "amount") +
         "\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
         "<rect class=\"track\" width=\"100\" height=\"8\"/><rect width=\"" +
         percentNumber(Share) + "\" height=\"8\"/></svg>";
}

std::string maiprof::barCell(double Share, bool IsRemote, const std::string &Text) {
  return "<td>" + bar(Share, IsRemote) + "<span>" + escaped(Text) + "</span></td>";
}

std::string maiprof::shareCell(double Share, bool IsRemote) {
  return barCell(Share, IsRemote, support::percentText(Share));
}
