//===-- Collect.cpp - phase 1: the facts of a translation unit --*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Collect.h"

#include "Declarations.h"
#include "FunctionWalker.h"
#include "HeapForm.h"
#include "Sites.h"
#include "Unit.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

#include <set>
#include <unordered_map>

using namespace clang;
using namespace mapp;

namespace {

/// What an entry made by MAI_STATIC or MAI_HEAP says.
struct PlacedEntry {
  const VarDecl *Variable;
  std::string Path;             ///< of the member; empty: the variable itself
  const FunctionDecl *Function; ///< null: file scope
  uint64_t Bytes;
};

/// The variable that `E` is a member of, or itself; `Path` gets the names of the members.
const VarDecl *namedObject(const Expr *E, std::string &Path) {
  E = E->IgnoreParens();
  const auto *Member = dyn_cast<MemberExpr>(E);
  if (!Member || Member->isArrow())
    return Member ? nullptr : namedVariable(E);
  const VarDecl *Object = namedObject(Member->getBase(), Path);
  const std::string Name = Member->getMemberDecl()->getName().str();
  if (!Name.empty()) // A struct without a name lends its members to the one around it.
    Path += (Path.empty() ? "" : ".") + Name;
  return Object;
}

/// MAI_HEAP hands over a variable of its own, from which it sets the pointer.
const VarDecl *heapPointer(const VarDecl *Variable) {
  llvm::StringRef Name = Variable->getName();
  if (!Name.consume_front("mai_heap_"))
    return Variable;
  ASTContext &Context = Variable->getASTContext();
  for (const NamedDecl *Named : Context.getTranslationUnitDecl()->lookup(&Context.Idents.get(Name)))
    if (const auto *Pointer = dyn_cast<VarDecl>(Named))
      return Pointer;
  return Variable;
}

std::optional<PlacedEntry> placedEntry(const ASTContext &Context, const VarDecl *Entry,
                                       const FunctionDecl *Function) {
  constexpr unsigned StartMember = 2, BytesMember = 3; // of struct mai_static_array
  const auto *Record = Entry->getType()->getAsRecordDecl();
  const auto *List = dyn_cast_or_null<InitListExpr>(Entry->getInit());
  if (!Record || !List || Record->getName() != "mai_static_array" ||
      List->getNumInits() <= BytesMember)
    return std::nullopt;
  const auto *Address = dyn_cast<UnaryOperator>(List->getInit(StartMember)->IgnoreParenCasts());
  std::string Path;
  const VarDecl *Variable = Address ? namedObject(Address->getSubExpr(), Path) : nullptr;
  Expr::EvalResult Bytes;
  if (!Variable || !List->getInit(BytesMember)->EvaluateAsInt(Bytes, Context))
    return std::nullopt;
  return PlacedEntry{heapPointer(Variable), std::move(Path), Function,
                     Bytes.Val.getInt().getLimitedValue()};
}

/// The entry for which an enumerator stands, `mai_static_a = 1 / (sizeof(a) == 800 && 800)`; on the
/// heap `1 / (sizeof(*(a)) == 80 && sizeof(double[10][10]) == 800)`; more may stand in the middle.
std::optional<PlacedEntry> entryFor(const EnumConstantDecl *Enumerator,
                                    const FunctionDecl *Function) {
  if (!Enumerator->getName().starts_with("mai_static_") || !Enumerator->getInitExpr())
    return std::nullopt;
  const auto *Quotient = dyn_cast<BinaryOperator>(Enumerator->getInitExpr()->IgnoreParenImpCasts());
  const Expr *First = Quotient ? Quotient->getRHS()->IgnoreParenImpCasts() : nullptr, *Last = First;
  while (const auto *Left = dyn_cast_or_null<BinaryOperator>(First))
    First = Left->getLHS()->IgnoreParenImpCasts();
  while (const auto *Right = dyn_cast_or_null<BinaryOperator>(Last))
    Last = Right->getRHS()->IgnoreParenImpCasts();
  const auto *Size = dyn_cast_or_null<UnaryExprOrTypeTraitExpr>(First);
  const auto *Bytes = dyn_cast_or_null<IntegerLiteral>(Last);
  if (!Size || !Bytes || Size->isArgumentType())
    return std::nullopt;
  const Expr *Operand = Size->getArgumentExpr()->IgnoreParens();
  if (const auto *Row = dyn_cast<UnaryOperator>(Operand); Row && Row->getOpcode() == UO_Deref)
    Operand = Row->getSubExpr()->IgnoreParenImpCasts();
  std::string Path;
  const VarDecl *Variable = namedObject(Operand, Path);
  if (!Variable)
    return std::nullopt;
  return PlacedEntry{Variable, std::move(Path), Function, Bytes->getValue().getLimitedValue()};
}

/// Finds entries, and what stands for entries, in a function.
class EntryFinder : public RecursiveASTVisitor<EntryFinder> {
public:
  EntryFinder(const ASTContext &Parsed, const FunctionDecl *In, std::vector<PlacedArray> &Out)
      : Context(Parsed), Function(In), Found(Out) {}

  // NOLINTNEXTLINE(readability-identifier-naming): the base class calls it by this name.
  bool VisitVarDecl(VarDecl *Variable) {
    if (Variable->getName() == "mai_block_" || Variable->getName() == "mai_status_")
      IsCall = Variable->getInit() && isJustCall(Variable->getInit());
    else if (Variable->getName() == "mai_pointer_") // of a statement, see MacroStatement.h
      IsCall = true;
    else if (Variable->getName() == "mai_how_" && IsCall)
      addBlock(Variable->getInit());
    return add(placedEntry(Context, Variable, Function));
  }

  // NOLINTNEXTLINE(readability-identifier-naming)
  bool VisitEnumConstantDecl(EnumConstantDecl *Enumerator) {
    return add(entryFor(Enumerator, Function));
  }

private:
  /// The value is what a call returned, whatever variable it went through.
  static bool isJustCall(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Assignment = dyn_cast<BinaryOperator>(E);
        Assignment && Assignment->getOpcode() == BO_Assign)
      return isJustCall(Assignment->getRHS());
    if (const auto *Comma = dyn_cast<BinaryOperator>(E);
        Comma && Comma->getOpcode() == BO_Comma) // Of a function that returns nothing.
      return isJustCall(Comma->getLHS());
    return isa<CallExpr>(E);
  }

  /// What MAI_PLACED says of a block: first its name.
  void addBlock(const Expr *Init) {
    const auto *List = dyn_cast_or_null<InitListExpr>(Init);
    const auto *Name = List && List->getNumInits() > 0
                           ? dyn_cast<StringLiteral>(List->getInit(0)->IgnoreParenImpCasts())
                           : nullptr;
    if (Name)
      Found.push_back({Name->getString().str(), Function ? Function->getNameAsString() : "", 0});
  }

  bool add(const std::optional<PlacedEntry> &Entry) {
    if (!Entry)
      return true;
    const std::string Name = Entry->Variable->getName().str();
    Found.push_back({Entry->Path.empty() ? Name : memberName(Name, Entry->Path),
                     Function ? Function->getName().str() : "", Entry->Bytes});
    return true;
  }

  const ASTContext &Context;
  const FunctionDecl *Function;
  std::vector<PlacedArray> &Found;
  bool IsCall = false; ///< what the macro that is visited places is just a call's result
};

/// Among constructors of MAi's own priority the order of the link decides.
bool runsBeforeMAi(const FunctionDecl *Function) {
  constexpr int PriorityOfMAi = 101;
  const auto *Constructor = Function->getMostRecentDecl()->getAttr<ConstructorAttr>();
  return Constructor && Constructor->getPriority() <= PriorityOfMAi;
}

/// MAi can read there whenever it wants.
bool mayCount(const ASTContext &Context, const VarDecl *Variable) {
  return Variable->hasGlobalStorage() && Variable->getTLSKind() == VarDecl::TLS_None &&
         !Variable->hasAttr<OMPThreadPrivateDeclAttr>() && !Variable->getLocation().isMacroID() &&
         !Context.getSourceManager().isInSystemHeader(Variable->getLocation());
}

bool isNumber(const ASTContext &Context, QualType Type) {
  if (!Type->isIntegerType() || Type->isBooleanType())
    return false;
  const uint64_t Bits = Context.getTypeSize(Type);
  return Bits == 32 || Bits == 64;
}

/// Calls `Found` with the place and the name of each number of which a variable consists: itself,
/// members of a struct, elements of a short array, and theirs in turn.
/// @param Left how many more may be visited
void visitNumbers(const ASTContext &Context, QualType Type, int64_t At, const std::string &Name,
                  unsigned &Left, llvm::function_ref<void(int64_t At, std::string Name)> Found) {
  constexpr uint64_t Short = 8; // The extents of a grid.
  if (Left == 0)
    return;
  const auto *List = Context.getAsConstantArrayType(Type);
  const RecordDecl *Struct = Type->getAsRecordDecl();
  if (isNumber(Context, Type)) {
    --Left;
    Found(At, Name);
  } else if (List && List->getZExtSize() <= Short)
    for (uint64_t I = 0; I < List->getZExtSize(); ++I) {
      const int64_t Bytes = Context.getTypeSizeInChars(List->getElementType()).getQuantity();
      visitNumbers(Context, List->getElementType(), At + static_cast<int64_t>(I) * Bytes,
                   Name + "[" + std::to_string(I) + "]", Left, Found);
    }
  else if (Struct && Struct->isCompleteDefinition() && !Struct->isUnion())
    for (const FieldDecl *Field : Struct->fields())
      if (!Field->isBitField() && Field->getIdentifier())
        visitNumbers(Context, Field->getType(),
                     At + static_cast<int64_t>(Context.getFieldOffset(Field) / 8),
                     Name + "." + Field->getName().str(), Left, Found);
}

class Collector {
public:
  Collector(ASTContext &Context, bool HeapForms, Facts &Out)
      : U(Context, Out), WantHeapForms(HeapForms) {}

  void run() {
    for (const Decl *D : U.Context.getTranslationUnitDecl()->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(D))
        variable(Variable, {});
      else if (const auto *Definition = dyn_cast<FunctionDecl>(D))
        function(Definition);
    setHeapForms();
    markPlaced();
    U.Out.IncludeOffset = firstToken(U);
    U.Out.DeclaresInLoops = U.Context.getLangOpts().C99;
  }

private:
  void variable(const VarDecl *Variable, const DeclarationContext &In) {
    if (const auto Entry = placedEntry(U.Context, Variable, In.Function)) {
      Placed.push_back(*Entry);
      return;
    }
    if (Variable->getInit() && Variable->hasGlobalStorage()) {
      initialiser(U.variableBase(Variable), None, Variable->getInit());
      initialNumbers(U.key(Variable), Variable->getInit(), 0);
    }
    if (!In.Function && mayCount(U.Context, Variable))
      counters(Variable);
    for (ArrayDeclaration &Array : describe(U, Variable, In)) {
      const bool Whole = Array.Object.empty();
      if (WantHeapForms && Whole && Array.Definition && Array.Refusal.empty() &&
          Array.Heap.Refusal.empty())
        HeapCandidates.emplace_back(U.Out.Arrays.size(), Variable);
      U.Out.Arrays.push_back(std::move(Array));
    }
  }

  /// The first declaration is the one that all of the file can rely on.
  void counters(const VarDecl *Variable) {
    if (Variable->getPreviousDecl())
      return;
    unsigned Most = 256; // A short array of short arrays of such may have any number.
    std::optional<SiteOrRefusal> Place; // Most variables have no number.
    visitNumbers(U.Context, Variable->getType(), 0, Variable->getName().str(), Most,
                 [&](int64_t At, std::string Name) {
                   if (!Place)
                     Place = findSite(U, Variable, {});
                   if (Place->Refusal.empty())
                     U.Out.Counters.push_back({U.key(Variable), At, std::move(Name), Place->Where});
                 });
  }

  void function(const FunctionDecl *Definition) {
    if (!Definition->doesThisDeclarationHaveABody() ||
        U.sources().isInSystemHeader(U.sources().getExpansionLoc(Definition->getLocation())))
      return;
    noteBody(Definition);
    Function Out;
    Out.Key = U.key(Definition);
    Out.Name = Definition->getName().str();
    Out.Type = U.typeText(Definition->getType());
    Out.File = U.positionOf(Definition->getLocation()).File;
    Out.External = Definition->hasExternalFormalLinkage();
    if (runsBeforeMAi(Definition))
      U.Out.EarlyConstructor = Out.Name;
    Out.Returned = U.returnedParameter(Definition).value_or(None);
    FunctionWalker Walker(U, Definition, Out);
    Walker.walk();
    U.Out.Functions.push_back(std::move(Out));
    for (const auto &[Variable, InBlock, Statement] : Walker.statics())
      variable(Variable, {Definition, InBlock, Statement});
  }

  void noteBody(const FunctionDecl *Definition) {
    const SourceLocation Open = Definition->getBody()->getBeginLoc();
    const SourceLocation Close = Definition->getBody()->getEndLoc();
    if (!isInMainFile(Open) || !isInMainFile(Close))
      return;
    U.Out.Bodies.push_back({Definition->getName().str(), beginOf(Definition), offsetOf(U, Open) + 1,
                            offsetOf(U, Close)});
    for (const Stmt *S : Definition->getBody()->children())
      if (S)
        U.Out.Bodies.back().Statements.push_back(statement(S));
  }

  BodyStatement statement(const Stmt *S) const {
    const auto *Directive = dyn_cast<OMPExecutableDirective>(S);
    const Stmt *Last = Directive && Directive->hasAssociatedStmt() ? Directive->getRawStmt() : S;
    const SourceLocation Begin = S->getBeginLoc();
    return {isInMainFile(Begin) ? offsetOf(U, Begin) : None, U.line(Begin),
            std::max(U.line(S->getEndLoc()), U.line(Last->getEndLoc())), isa<DeclStmt>(S)};
  }

  bool isInMainFile(SourceLocation At) const {
    return At.isFileID() && U.sources().isWrittenInMainFile(At);
  }

  uint32_t beginOf(const FunctionDecl *Definition) const {
    const SourceLocation Begin = Definition->getBeginLoc();
    return isInMainFile(Begin) ? offsetOf(U, Begin) : None;
  }

  /// The pointers to static arrays in an initialiser of static storage, wherever they stand in it.
  /// @param Array the member whose elements a list is for, if it is one
  void initialiser(uint32_t Base, uint32_t Inner, const Expr *Init,
                   const FieldDecl *Array = nullptr) {
    if (const auto *List = dyn_cast<InitListExpr>(Init)) {
      initialiserList(Base, Inner, List, Array);
      return;
    }
    Expr::EvalResult Address;
    if (!Init->getType()->isPointerType() || !Init->EvaluateAsRValue(Address, U.Context) ||
        !Address.Val.isLValue())
      return;
    const auto *Of = Address.Val.getLValueBase().dyn_cast<const ValueDecl *>();
    if (const auto *Variable = dyn_cast_or_null<VarDecl>(Of))
      U.Out.PointerStores.push_back(
          {Base,
           {U.variableBase(Variable), Polynomial(Address.Val.getLValueOffset().getQuantity())}});
    else if (const auto *Function = dyn_cast_or_null<FunctionDecl>(Of))
      U.takeAddress(Function);
  }

  void initialiserList(uint32_t Base, uint32_t Inner, const InitListExpr *List,
                       const FieldDecl *Array) {
    const auto *Record = List->getType()->getAsRecordDecl();
    for (unsigned I = 0; I < List->getNumInits(); ++I) {
      const Expr *Member = List->getInit(I);
      const FieldDecl *Field = Record ? initialisedField(List, I) : Array;
      if (isa<InitListExpr>(Member))
        initialiser(Base, Record && Field ? U.innerStruct(Inner, Field) : Inner, Member, Field);
      else if (Member->getType()->isPointerType())
        initialiser(Field    ? U.memberBase(Base, Inner, Field)
                    : Record ? Base
                             : U.pointeeBase(Base),
                    None, Member);
    }
  }

  /// The extents of a grid are few numbers; a long list is a table.
  void initialNumbers(const std::string &Key, const Expr *Init, int64_t At) {
    constexpr unsigned Few = 64;
    Expr::EvalResult Number;
    if (const auto *List = dyn_cast<InitListExpr>(Init)) {
      for (unsigned I = 0; List->getNumInits() <= Few && I < List->getNumInits(); ++I)
        initialNumbers(Key, List->getInit(I), At + offsetOfPart(U.Context, List, I));
    } else if (Init->getType()->isIntegerType() && Init->EvaluateAsInt(Number, U.Context) &&
               Number.Val.getInt().getSignificantBits() <= 64) {
      U.Out.Numbers.push_back({Key, At, Polynomial(Number.Val.getInt().getExtValue()), true});
    }
  }

  void setHeapForms() {
    std::vector<const VarDecl *> Variables;
    for (const auto &[Index, Variable] : HeapCandidates)
      Variables.push_back(Variable);
    std::vector<HeapForm> Polynomials = describeHeapForms(U, Variables);
    for (size_t I = 0; I < Polynomials.size(); ++I)
      U.Out.Arrays[HeapCandidates[I].first].Heap = std::move(Polynomials[I]);
  }

  void markPlaced() {
    if (Placed.empty())
      return;
    std::unordered_multimap<std::string, size_t> ByKey;
    for (size_t I = 0; I < U.Out.Arrays.size(); ++I)
      ByKey.emplace(U.Out.Arrays[I].Key, I);
    for (const auto &[Variable, Path, Function, Bytes] : Placed) {
      const std::string Whole = U.key(Variable);
      const std::string Key = Path.empty() ? Whole : memberName(Whole, Path);
      const auto [Begin, End] = ByKey.equal_range(Key);
      for (auto It = Begin; It != End; ++It)
        U.Out.Arrays[It->second].AlreadyPlaced = true;
      if (Begin != End)
        continue;
      ArrayDeclaration Pointer; // What --mode=heap has made of an array.
      Pointer.Key = Key;
      Pointer.Name = Variable->getName().str(); // Of a member there always is an array.
      Pointer.InFunction = Function ? Function->getName().str() : "";
      Pointer.Where = U.positionOf(Variable->getLocation());
      Pointer.Definition = Pointer.AlreadyPlaced = true;
      Pointer.Bytes = Bytes;
      U.Out.Arrays.push_back(std::move(Pointer));
    }
  }

  Unit U;
  bool WantHeapForms;
  std::vector<std::pair<size_t, const VarDecl *>> HeapCandidates; ///< with their places in Arrays
  std::vector<PlacedEntry> Placed;
};

/// Whether an identifier, wherever it was read, may be one of those that mai_static.h declares.
bool mentionsMAi(const IdentifierTable &Identifiers) {
  return llvm::any_of(Identifiers, [](const auto &Entry) {
    const llvm::StringRef Name = Entry.getKey();
    return Name.starts_with_insensitive("mai_") || Name.ends_with("___mai_arrays");
  });
}

/// Where in the main file mai_static.h comes in, however deep in other headers.
uint32_t headerOffset(const Preprocessor &PP) {
  const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo("MAI_STATIC"));
  if (!Macro)
    return None;
  const SourceManager &Sources = PP.getSourceManager();
  SourceLocation Location = Macro->getDefinitionLoc();
  while (Location.isValid() && !Sources.isWrittenInMainFile(Location))
    Location = Sources.getIncludeLoc(Sources.getFileID(Location));
  // From the command line: before everything.
  return Location.isValid() ? Sources.getFileOffset(Location) : 0;
}

/// The tokens that a macro stands for at a location, without parentheses; empty where there is
/// none.
std::string expansionAt(Preprocessor &PP, llvm::StringRef Macro, SourceLocation Location) {
  const IdentifierInfo *Name = PP.getIdentifierInfo(Macro);
  const MacroInfo *Info = Name->hadMacroDefinition()
                              ? PP.getMacroDefinitionAtLoc(Name, Location).getMacroInfo()
                              : nullptr;
  std::string Text;
  if (Info && Info->isObjectLike())
    for (const Token &T : Info->tokens())
      if (!T.isOneOf(tok::l_paren, tok::r_paren))
        Text += PP.getSpelling(T);
  return Text;
}

/// After `#define u common.u` the text common.u means something else, and u means the member.
void setWritten(Preprocessor &PP, ArrayDeclaration &Array) {
  const SourceManager &Sources = PP.getSourceManager();
  const llvm::StringRef Member = llvm::StringRef(Array.Name).rsplit('.').second;
  const SourceLocation Entry = Sources.getLocForStartOfFile(Sources.getMainFileID())
                                   .getLocWithOffset(static_cast<int>(Array.Edit.After));
  if (expansionAt(PP, Member, Entry) == Array.Name)
    Array.Written = Member.str();
}

/// The files that the main file includes, but not the system's.
std::vector<std::string> ownHeaders(const SourceManager &Sources) {
  std::set<std::string> Headers;
  for (unsigned I = 0; I < Sources.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = Sources.getLocalSLocEntry(I);
    if (!Entry.isFile() || SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()) ||
        Entry.getFile().getIncludeLoc().isInvalid()) // The main file, and what is built in.
      continue;
    const auto File = Entry.getFile().getContentCache().OrigEntry;
    if (!File)
      continue;
    llvm::SmallString<128> Path(File->getName());
    Sources.getFileManager().makeAbsolutePath(Path);
    Headers.insert(Path.str().str());
  }
  return {Headers.begin(), Headers.end()};
}

} // namespace

void mapp::collect(CompilerInstance &Compiler, bool WantHeapForms, Facts &Out) {
  const SourceManager &Sources = Compiler.getSourceManager();
  Out.Text = Sources.getBufferData(Sources.getMainFileID()).str();
  Out.Headers = ownHeaders(Sources);
  Out.MentionsMAi = mentionsMAi(Compiler.getPreprocessor().getIdentifierTable());
  Out.HeaderOffset = headerOffset(Compiler.getPreprocessor());
  Collector(Compiler.getASTContext(), WantHeapForms, Out).run();
  for (ArrayDeclaration &Array : Out.Arrays)
    if (!Array.Object.empty() && Array.Refusal.empty())
      setWritten(Compiler.getPreprocessor(), Array);
}

std::vector<PlacedArray> mapp::placedArrays(CompilerInstance &Compiler) {
  ASTContext &Context = Compiler.getASTContext();
  std::vector<PlacedArray> Found;
  EntryFinder AtFileScope(Context, nullptr, Found);
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (auto *Function = dyn_cast<FunctionDecl>(D)) {
      if (Function->doesThisDeclarationHaveABody())
        EntryFinder(Context, Function, Found).TraverseDecl(Function);
    } else if (auto *Variable = dyn_cast<VarDecl>(D)) {
      AtFileScope.VisitVarDecl(Variable);
    } else if (isa<EnumDecl>(D)) {
      AtFileScope.TraverseDecl(D);
    }
  return Found;
}
