//===-- Sites.cpp - where text may be inserted ------------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Sites.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace mapp;

namespace {

/// A lexer that sees a file's characters from `Offset` on, and no macros or directives.
Lexer rawLexer(const Unit &U, FileID File, uint32_t Offset) {
  const llvm::StringRef Text = U.sources().getBufferData(File);
  return Lexer(U.sources().getLocForStartOfFile(File), U.Context.getLangOpts(), Text.begin(),
               Text.begin() + Offset, Text.end());
}

Lexer rawLexer(const Unit &U, uint32_t Offset) {
  return rawLexer(U, U.sources().getMainFileID(), Offset);
}

//===-- In the main file ------------------------------------------------------===//

/// Behind the variable's initialiser, whatever directives stand in it, else at its name.
uint32_t lastOwnOffset(const Unit &U, const VarDecl *Variable, uint32_t Name) {
  const SourceLocation End = Variable->getEndLoc();
  if (!Variable->hasInit() || !End.isFileID() || !U.sources().isWrittenInMainFile(End))
    return Name;
  return std::max(Name, U.sources().getFileOffset(Lexer::getLocForEndOfToken(
                            End, 0, U.sources(), U.Context.getLangOpts())));
}

/// The end of the `;` that ends the declaration of which something stands at `Offset`.
std::optional<uint32_t> afterSemicolon(const Unit &U, uint32_t Offset) {
  Lexer Lex = rawLexer(U, Offset);
  for (int Depth = 0; Depth >= 0;) {
    Token Next;
    Lex.LexFromRawLexer(Next);
    if (Next.is(tok::eof) || (Next.is(tok::hash) && Next.isAtStartOfLine()))
      return std::nullopt;
    if (Next.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
      ++Depth;
    else if (Next.is(tok::r_paren) && Depth == 0)
      continue; // The declarator is in parentheses.
    else if (Next.isOneOf(tok::r_paren, tok::r_square, tok::r_brace))
      --Depth;
    else if (Depth == 0 && Next.is(tok::semi))
      return U.sources().getFileOffset(Next.getLocation()) + 1;
  }
  return std::nullopt;
}

/// Where the macro has been expanded that has made the whole declaration with its `;`; nothing
/// where the declaration goes on behind the macro.
std::optional<uint32_t> afterWholeMacro(const Unit &U, const VarDecl *Variable) {
  const SourceManager &Sources = U.sources();
  const SourceLocation Name = Variable->getLocation(), End = Variable->getEndLoc();
  if (!Name.isMacroID() || !End.isMacroID() ||
      Sources.getExpansionLoc(Name) != Sources.getExpansionLoc(End))
    return std::nullopt;
  const uint32_t After = Sources.getFileOffset(Lexer::getLocForEndOfToken(
      Sources.getExpansionRange(Name).getEnd(), 0, Sources, U.Context.getLangOpts()));
  Lexer Lex = rawLexer(U, After);
  Token Next;
  Lex.LexFromRawLexer(Next);
  if (Next.isOneOf(tok::semi, tok::comma, tok::equal, tok::l_square, tok::l_paren, tok::r_paren) ||
      (Next.is(tok::raw_identifier) && (Next.getRawIdentifier().starts_with("__attribute") ||
                                        Next.getRawIdentifier().contains("asm"))))
    return std::nullopt;
  return After;
}

SiteOrRefusal siteInMainFile(const Unit &U, const VarDecl *Variable, const DeclarationContext &In) {
  if (In.Function && In.Function->isInlined() && In.Function->hasExternalFormalLinkage())
    return {{}, {Topic::InlineFunction, "in an inline function with external linkage"}};
  if (!In.MayFollow)
    return {{}, {Topic::NothingFollows, "no declaration can follow it there"}};
  Site Found;
  Found.NameOffset = offsetOf(U, Variable->getLocation());
  Found.BeginOffset = std::min(offsetOf(U, Variable->getBeginLoc()), Found.NameOffset);
  std::optional<uint32_t> After;
  if (!In.Function)
    After = afterWholeMacro(U, Variable);
  if (!After)
    After = afterSemicolon(U, lastOwnOffset(U, Variable, Found.NameOffset));
  if (!After)
    return {{},
            {Topic::EndHidden, "the end of its declaration is hidden by a macro or a directive"}};
  Found.After = *After;
  return {Found, {}};
}

//===-- In a header -----------------------------------------------------------===//

/// From offset `From` on, `Depth` conditional directives are open, not counting an include guard.
struct Condition {
  uint32_t From;
  int Depth;
};

/// The conditional directives of a file, ascending.
class ConditionReader {
public:
  ConditionReader(const Unit &Parsed, FileID Wanted) : U(Parsed), Lex(rawLexer(U, Wanted, 0)) {}

  std::vector<Condition> read() {
    for (bool First = true;; First = false) {
      const std::optional<Token> Directive = nextDirective();
      if (!Directive)
        return std::move(Found);
      const llvm::StringRef Word = Directive->getRawIdentifier();
      if (Word == "if" || Word == "ifdef" || Word == "ifndef")
        open(Word, First && AtStart);
      else if (Word == "endif" && !Open.empty())
        Open.pop_back();
      else if (Word == "define" && !Open.empty() && Open.back() == Guard::Perhaps)
        Open.back() = Guard::Yes;
      for (Guard &G : Open) // A guard's #define follows at once.
        if (G == Guard::Perhaps && Word != "if" && Word != "ifndef")
          G = Guard::No;
      Found.push_back({U.sources().getFileOffset(Directive->getLocation()),
                       static_cast<int>(llvm::count(Open, Guard::No))});
    }
  }

private:
  enum class Guard { No, Perhaps, Yes };

  void open(llvm::StringRef Word, bool MayGuard) {
    bool Negated = Word == "ifndef";
    if (Word == "if") {
      Token Next;
      Lex.LexFromRawLexer(Next);
      Negated = Next.is(tok::exclaim);
    }
    Open.push_back(MayGuard && Negated ? Guard::Perhaps : Guard::No);
  }

  /// The word behind the next `#`; sets AtStart.
  std::optional<Token> nextDirective() {
    AtStart = true;
    Token Next;
    for (Lex.LexFromRawLexer(Next); Next.isNot(tok::eof); Lex.LexFromRawLexer(Next)) {
      if (Next.isNot(tok::hash) || !Next.isAtStartOfLine()) {
        AtStart = false;
        continue;
      }
      Lex.LexFromRawLexer(Next);
      if (Next.is(tok::raw_identifier))
        return Next;
    }
    return std::nullopt;
  }

  const Unit &U;
  Lexer Lex;
  bool AtStart = true;
  std::vector<Guard> Open;
  std::vector<Condition> Found;
};

bool isConditional(const Unit &U, SourceLocation Location) {
  const FileID File = U.sources().getFileID(Location);
  const uint32_t Offset = U.sources().getFileOffset(Location);
  int Depth = 0;
  for (const Condition &C : ConditionReader(U, File).read())
    if (C.From < Offset)
      Depth = C.Depth;
  return Depth > 0;
}

/// The end of the file name that an #include directive of the main file has at `Offset`; nothing
/// where anything but a comment follows it in the line.
std::optional<uint32_t> afterInclude(llvm::StringRef Text, uint32_t Offset) {
  const char Open = Text[Offset];
  size_t End = Text.find_if_not([](char C) { return llvm::isAlnum(C) || C == '_'; }, Offset);
  if (Open == '"' || Open == '<')
    End = Text.find(Open == '"' ? '"' : '>', Offset + 1) + 1; // npos becomes 0
  const llvm::StringRef Line =
      Text.slice(End, std::min(Text.find('\n', End), Text.size())).trim(" \t\r");
  const bool Comment =
      Line.starts_with("//") || (Line.starts_with("/*") && Line.find("*/", 2) == Line.size() - 2);
  if (End <= Offset || End > Text.size() || Line.ends_with("\\") || !(Line.empty() || Comment))
    return std::nullopt;
  return static_cast<uint32_t>(End);
}

SiteOrRefusal siteOfInclude(const Unit &U, const VarDecl *Variable, const DeclarationContext &In) {
  const std::string Header = U.positionOf(Variable->getLocation()).File;
  if (In.Function)
    return {{}, {Topic::HeaderFunction, "in a function of " + Header + ", which is included"}};
  SourceLocation Location = U.sources().getExpansionLoc(Variable->getLocation());
  for (; !U.sources().isWrittenInMainFile(Location);
       Location = U.sources().getIncludeLoc(U.sources().getFileID(Location))) {
    if (Location.isInvalid())
      return {
          {},
          {Topic::HeaderNoDirective, "declared in " + Header + ", which no directive includes"}};
    if (isConditional(U, Location))
      return {{}, {Topic::HeaderCondition, "declared in " + Header + " under a condition"}};
  }
  const std::optional<uint32_t> After =
      afterInclude(U.Out.Text, U.sources().getFileOffset(Location));
  if (!After)
    return {{},
            {Topic::HeaderLine,
             "declared in " + Header + "; more follows behind the directive that includes it"}};
  Site Found;
  Found.NameOffset = Found.BeginOffset = U.sources().getFileOffset(Location);
  Found.After = *After;
  return {Found, {}};
}

} // namespace

SiteOrRefusal mapp::findSite(const Unit &U, const VarDecl *Variable, const DeclarationContext &In) {
  const SourceLocation Name = U.sources().getExpansionLoc(Variable->getLocation());
  return U.sources().isWrittenInMainFile(Name) ? siteInMainFile(U, Variable, In)
                                               : siteOfInclude(U, Variable, In);
}

uint32_t mapp::offsetOf(const Unit &U, SourceLocation Location) {
  return U.sources().getFileOffset(U.sources().getExpansionLoc(Location));
}

uint32_t mapp::firstToken(const Unit &U) {
  Lexer Lex = rawLexer(U, 0);
  Token First;
  Lex.LexFromRawLexer(First);
  return U.sources().getFileOffset(First.getLocation());
}
