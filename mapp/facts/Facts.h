//===-- Facts.h - what one translation unit tells ---------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The plain data that `collect` hands to `classify`: no part of Clang's syntax tree outlives its
// translation unit.  Things that several units share (functions, arrays with external linkage,
// members of structs) are named by a *key*, equal in all of them.
//
// Terms.  A *base* is what an address is counted from: an array, or something that holds a pointer.
// A *scope* is a piece of a function that runs in its own way: a loop, a parallel region, what just
// one thread executes.  A *pointer store* is a pointer being stored somewhere.
//
//===----------------------------------------------------------------------===//
#ifndef MAPP_FACTS_H
#define MAPP_FACTS_H

#include "Diagnostics.h"
#include "Polynomial.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace mapp {

inline constexpr uint32_t None = UINT32_MAX;

/// How a program gets its arrays placed: entries beside their declarations, or memory of MAi's in
/// their stead.  What may stand in a declaration depends on it.
enum class Mode { InPlace, Heap };

/// A line of a source, as messages show it.
struct SourcePosition {
  std::string File;
  unsigned Line = 0;
};

//===-- Values --------------------------------------------------------------===//

enum class FactorKind {
  /// The variable of a loop; Index is its scope. Where that is passed once, what is passed is `Of`
  /// unless the threads share the range out.
  Loop,
  Parameter, ///< an integer parameter of the function; Index is its position
  Symbol,    ///< a variable that does not change where it is used, or NumberOfThreads: Index
  Thread,    ///< omp_get_thread_num()
  Loaded,    ///< read from memory at the address `Of` within `Base`
  Row,       ///< the same for a pointer; tables of pointers are taken to ascend
  Quotient,  ///< `Of` divided by something that does not move; Index is that if it is constant
  Computed,  ///< computed from the factors of `Of` in a way that a form cannot express; Index is
             ///< how many values it can have, from 0 on, where these are few: `step % 2`
  Answer,    ///< returned by the function whose key is Facts::Asked[Index]
  Span       ///< takes every value: a library function ran over the memory
};

/// What omp_get_num_threads() returns, and its like.
inline constexpr uint32_t NumberOfThreads = 0;

struct Factor {
  FactorKind Kind;
  uint32_t Index = None;
  Polynomial Of;
  uint32_t Base = None; ///< Loaded, Row: of the memory it was read from; Symbol: of its variable
  /// Where that is a parameter with a known value: what it is bound to, a base of the program.
  uint32_t Bound = None;
  uint32_t Member = None; ///< Loaded: base of the member, of whatever struct, that it was read from
};

enum class BaseKind {
  Object,    ///< a variable with static storage, or a block of the heap: the array itself
  Parameter, ///< what the pointer parameter `Index` of the function points to
  Pointer,   ///< what a pointer variable or a member points to
  Call,      ///< the pointer that one call returns; `Index` is that of all calls of the function
  Pointee,   ///< what the pointers that lie in the memory of base `Index` point to
  Member,    ///< what the member `Key` of the structs in the memory of base `Index` points to
  Result,    ///< what a function returns pointers to
  Cell,      ///< the pointer variable itself whose base is `Index`
  Private    ///< automatic storage: nothing to place
};

struct Base {
  BaseKind Kind;
  std::string Key;
  uint32_t Index = None;
  bool Automatic = false; ///< a pointer: only the function that it stands in stores there by name
  std::string Like = {};  ///< a block: key of another that holds the same pointers; empty: none
  uint32_t Inner = None;  ///< Member: the inner struct that it is a member of

  /// Only the function that it stands in stores in this pointer by name.
  bool isOwnPointer() const { return Kind == BaseKind::Pointer && Automatic; }
};

/// A struct that lies in another one, or in an array there: `grid` in `problem->grid.values`.
struct InnerStruct {
  std::string Member;    ///< key of the member that it is
  uint32_t Outer = None; ///< the inner struct that has this member; None: what a base leads to
};

/// What an expression evaluates to: an address when it has a base, else a number.
struct Value {
  uint32_t Base = None;
  Polynomial Offset;     ///< bytes from the base, or the number
  int64_t Start = 0;     ///< bytes from the base where the member begins that the source names
  uint32_t Inner = None; ///< an address of this inner struct
};

/// What is stored in a variable with static storage, or in a part of one: `n = 64`; or in a member,
/// of whatever struct.
struct StoredNumber {
  std::string Key;              ///< of the variable, or of the member's base
  int64_t At = 0;               ///< bytes from its start
  std::optional<Polynomial> Is; ///< none: what changes as the program runs
  bool Initial = false;         ///< by the variable's initialiser
};

//===-- Control -------------------------------------------------------------===//

enum class ScopeKind {
  Loop,      ///< every thread that gets here runs all of it
  Divided,   ///< a loop whose iterations are divided among the threads
  Parallel,  ///< a parallel region
  OneThread, ///< single, master, masked
  AnyThread, ///< a task or a section: one thread, nobody knows which
  Branch     ///< what runs only where conditions hold
};

/// What a number has to be.
enum class Sign { Zero, NotZero, Negative, NotNegative };

struct Condition {
  Polynomial Number;
  Sign Is;
};

enum class Schedule {
  Static, ///< one contiguous share a thread, in order
  Spread, ///< small pieces, or in an order that only the run decides
  Tasks   ///< as tasks of the whole team, even when just one thread meets the loop
};

/// By which arms of a fork a run comes to a piece of code: of an `if` or a `switch` that each run
/// goes through in one arm only, if its function is called once.
struct Arms {
  uint32_t Fork = None; ///< its number in the unit
  uint64_t Which = 0;   ///< a bit for each
};

struct Scope {
  ScopeKind Kind;
  uint32_t Parent = None;
  SourcePosition Where;
  std::string Function; ///< its name, for messages

  // Loops.
  std::string Variable; ///< its name, for messages
  FactorId Factor = {None, None};
  bool Counted = false; ///< First and End are known
  bool Once = false;    ///< no loop: a value that is tested to be in the range
  Polynomial First;     ///< least value of the variable
  Polynomial End;       ///< one more than the greatest
  int64_t Step = 0;     ///< 0 where it is no constant

  // Divided loops.
  Schedule Order = Schedule::Static;
  std::string OrderText; ///< "schedule(dynamic)", for messages
  int64_t Chunk = 0;     ///< schedule(static, Chunk); 0: another, or not constant

  // Parallel regions.
  std::optional<Polynomial> Team; ///< of a num_threads clause

  // Branches.
  std::vector<Condition> If;    ///< on the function's arguments: all of them hold
  std::vector<Condition> AnyOf; ///< one of them holds, if there are some
  Arms By;
  bool IsSteady = false; ///< it is the same arms in each iteration of the loops around the fork
  bool IsLast = false;   ///< the function ends here: each call of it comes here once at most
  double Share = 1;      ///< of the times that the code around it runs; below 1 where data decide
};

//===-- What functions do ----------------------------------------------------===//

/// Bits: what reads, what writes, and what writes nothing but zeros.
enum class AccessMode { Read = 1, Write = 2, ReadWrite = 3, Clear = 6 };

/// An array type with extents that the run decides, as of a parameter `double x[n + 2][m]`: the
/// bytes of all of x, if they are known, else the empty form; of x[k]; of x[k][j].
using View = std::vector<Polynomial>;

struct Access {
  Value Address;
  AccessMode Mode;
  uint32_t Scope;
  unsigned Line;
  View Through;       ///< empty for other types
  unsigned Words = 1; ///< of 8 bytes, that it moves: of a struct that is copied more than one
};

/// A number in a struct of the caller's own that a call passes, or a pointer to.
struct PassedNumber {
  unsigned Argument;
  int64_t Offset; ///< bytes from where the argument points, or from the start of the struct
  Polynomial Is;
};

struct Call {
  std::string Callee;     ///< key; empty for a call through a pointer ...
  std::string CalleeType; ///< ... to a function of this type
  std::vector<Value> Arguments;
  std::vector<PassedNumber> Numbers = {};
  std::vector<AccessMode> Through; ///< what the prototype lets the callee do with each pointer
  size_t Named = SIZE_MAX;         ///< so many arguments have a parameter, the others a `...`
  uint32_t Scope;
  unsigned Line;
  size_t After;           ///< so many of the function's accesses come before it
  std::string Block = {}; ///< key of the block that it returns; empty: it returns none
  uint32_t Begin = None;  ///< of its text in the main file; None: it cannot be edited
  uint32_t End = None;
};

/// The pointer `From` is stored in `To`.
struct PointerStore {
  uint32_t To;
  Value From;
};

struct Function {
  std::string Key;
  std::string Name;
  std::string Type;
  std::string File;
  bool External = false;
  bool AsksForThread = false; ///< it calls omp_get_thread_num() ...
  bool ReturnsThread = false; ///< ... and returns just that
  std::vector<Access> Accesses;
  std::vector<Call> Calls;
  std::vector<PointerStore> PointerStores;
  std::vector<std::string> Blocks; ///< keys of those that it allocates
  std::vector<unsigned> Filled;    ///< positions of parameters: the pointers there are always set
  uint32_t Returned = None; ///< position of the parameter that is the only pointer it returns
};

//===-- Arrays ----------------------------------------------------------------===//

/// Where text can be inserted after a declaration: one of the main file, or the directive that
/// includes it.
struct Site {
  uint32_t NameOffset = 0;  ///< of the declarator's name, or of the included file's
  uint32_t After = 0;       ///< where the declaration or directive has ended
  uint32_t BeginOffset = 0; ///< of the first token of the declaration
  bool MakeStatic = false;  ///< it is automatic, and may be static as well
};

/// How the declaration of an array is turned into that of a pointer.
struct HeapForm {
  Remark Refusal;               ///< why it cannot be, or empty
  std::string ElementType;      ///< as the source spells it
  uint32_t FirstBracket = 0;    ///< offset of the first `[`
  uint32_t FirstBracketEnd = 0; ///< offset after its `]`
  uint32_t LastBracketEnd = 0;
  bool Restrict = false; ///< nothing but subscripts reaches it
  std::string RestrictKeyword;
};

/// An integer expression that may stand in a function's text, and its value.
struct NamedValue {
  std::string Text;
  Polynomial Is;
  bool IsBeside = false; ///< the size does not depend on it
};

/// Which row of a table something is, in expressions that may be repeated; empty: that is not told.
struct RowOfTable {
  std::string Number;
  std::string Count;    ///< of rows
  int64_t Constant = 0; ///< the count, where that is one
};

/// A block of memory that a call returns: what the text around the call is made of.
struct Block {
  struct Argument {
    uint32_t Begin = 0;
    uint32_t End = 0;
    std::string Text; ///< that may be repeated; empty: it may not
    Polynomial Is;
    bool Narrowed = false; ///< the function gets less than its bits
    bool IsSize = false;   ///< the function takes a size_t
    bool IsExact = false;  ///< `Is` is right always, should it be a product of parameters
    bool IsAllUse = false; ///< ... with which the function does nothing else
  };

  std::string Callee; ///< key of the function; empty: one of the C library
  uint32_t Filled =
      None;            ///< position of the argument, &p: the function puts the address into p ...
  bool IsVoid = false; ///< ... and returns nothing
  uint32_t Begin = 0;  ///< of the call's text
  uint32_t End = 0;    ///< ... and its end
  bool Hidden = false; ///< that is a macro's, which makes more than the call
  bool Behind = false; ///< ... and is a statement: the block is placed by another, there
  std::vector<Argument> Arguments; ///< their texts, too, where they are not hidden
  std::vector<unsigned> Sizes;     ///< positions of those whose product is the size ...
  int64_t SizeFactor = 1;          ///< ... times this
  std::string ElementText;         ///< sizeof an element, where it has a name
  uint64_t ScalarBytes = 0;        ///< of what is no array in an element; 0: not known
  bool IsOneElement = false;       ///< it is one array of such
  std::optional<Polynomial> Size;  ///< bytes
  std::vector<NamedValue> Values;  ///< that can be spoken of there; last, without text, the size
  std::string Pointer;             ///< the call returns a status and puts the address here, or
                                   ///< the statement that makes the call does
  std::vector<RowOfTable> Rows;    ///< the block is stored as a row of a table, which is one of ...
  size_t Tables = 0;        ///< so many inside one another get pointers into it, each several ...
  std::string Planes;       ///< ... and the outermost has so many entries; empty: nothing tells
  uint32_t Scope = None;    ///< where it is allocated
  bool HandedOn = false;    ///< the function returns it: its calls are blocks themselves
  bool IsNew = false;       ///< nothing else points into it, and it holds no pointers
  bool MayBeLonger = false; ///< to ask for more bytes changes nothing else
  bool IsOneOfMany = false; ///< a loop allocates it, of whichever function; known in the end
};

/// One declaration of an array that could be placed: a variable, a member of one, or the call that
/// allocates a block.
struct ArrayDeclaration {
  std::string Key;
  std::string Name;
  std::string Object;       ///< a member: key of the variable
  uint64_t Within = 0;      ///< a member: bytes from the variable's start
  uint64_t ObjectBytes = 0; ///< a member: of the variable
  std::string Identifier;   ///< a member: its name as one identifier
  std::string Written;      ///< a member: what means it where its entry stands
  std::string InFunction;   ///< empty at file scope
  SourcePosition Where;
  bool Definition = false;
  bool Tentative = false;
  bool AlreadyPlaced = false;
  Remark Refusal; ///< why it must not be edited, or empty
  uint64_t Bytes = 0;
  uint64_t UnitBytes = 0;        ///< of one row, one element of a 1-D array
  std::vector<uint64_t> Extents; ///< slowest first
  std::string FirstExtent;       ///< its text in the source, where it may be repeated
  Site Edit;
  HeapForm Heap;
  std::optional<Block> Allocated;

  /// A block has this size. One element that is all of it, as of `double (*a)[n][m]`, says nothing
  /// of what is divided: that is what the element is an array of.
  void setBlockBytes(uint64_t Size) {
    Bytes = Size;
    Allocated->IsOneElement |= Bytes == UnitBytes && Allocated->ScalarBytes > 0;
    if (Allocated->IsOneElement)
      UnitBytes = Allocated->ScalarBytes;
  }
};

/// A number of 4 or 8 bytes in a variable with static storage, at file scope, by which loops may
/// count.
struct NumberDeclaration {
  std::string Key;  ///< of the variable
  int64_t At;       ///< bytes from its start
  std::string Name; ///< what means the number: `n`, `grid.n`, `n[0]`
  Site Edit;
};

/// A `#pragma mapp`.
struct Pragma {
  enum class Kind { Unknown, Place, Keep, Off };
  Kind What = Kind::Unknown;
  std::vector<std::string> Names;
  std::string Policy; ///< as minas(7) describes it, or "keep"
  SourcePosition Where;
};

/// A statement of a function's outermost block.
struct BodyStatement {
  uint32_t Begin; ///< None where a macro begins it
  unsigned FirstLine;
  unsigned LastLine;
  bool Declares;
};

/// A function of the main file, and the text between its braces.
struct BodyText {
  std::string Function;
  uint32_t Definition; ///< where the function begins; None where a macro begins it
  uint32_t Begin;
  uint32_t End;
  std::vector<BodyStatement> Statements = {};
};

/// An array that the program hands over to MAi.
struct PlacedArray {
  std::string Name;
  std::string InFunction; ///< empty at file scope
  uint64_t Bytes;
};

//===-- The translation unit ---------------------------------------------------===//

struct Facts {
  uint32_t Unit = 0;
  std::string File;             ///< the main file, as the user named it
  std::string Path;             ///< the main file, absolute
  std::string Text;             ///< its contents
  uint32_t HeaderOffset = None; ///< where mai_static.h is included already
  uint32_t IncludeOffset = 0;   ///< where an #include directive may be inserted
  std::deque<Factor> Factors;
  std::deque<Base> Bases;
  std::deque<InnerStruct> Inners;
  std::deque<Scope> Scopes;
  uint32_t Forks = 0;             ///< so many there are
  std::vector<std::string> Asked; ///< keys of functions whose results numbers depend on
  std::vector<Function> Functions;
  std::vector<std::string> AddressTaken;   ///< keys of functions that pointers may reach
  std::vector<PointerStore> PointerStores; ///< of static initialisers
  std::vector<StoredNumber> Numbers;
  std::vector<NumberDeclaration> Counters; ///< by the first declaration of each variable
  std::vector<ArrayDeclaration> Arrays;
  std::vector<Pragma> Pragmas;
  std::vector<BodyText> Bodies;     ///< in the order of the text
  std::vector<std::string> Headers; ///< that are included, but no system headers; absolute
  std::vector<std::string>
      Passing; ///< keys of functions of other files that return a pointer, and get one
  /// Of those, as far as it is known: position of the pointer that it gives back.
  std::map<std::string, uint32_t> GivenBack;
  bool DeclaresInLoops = true;  ///< for (int i ...): C99 and later
  bool MentionsMAi = false;     ///< an identifier may be one of those that mai_static.h declares
  std::string EarlyConstructor; ///< a function that may run before MAi; empty if there is none
};

} // namespace mapp

#endif // MAPP_FACTS_H
