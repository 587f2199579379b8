//===-- SourceText.cpp - what sources call what they allocate ---*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "SourceText.h"

#include "BoundText.h"
#include "ClassText.h"
#include "FortranText.h"
#include "LocalText.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>

using namespace maiprof;

namespace {

/// By its suffix, such as .f90.
bool isFortran(const std::string &File) {
  const size_t Suffix = File.rfind('.');
  return Suffix != std::string::npos && Suffix + 1 < File.size() &&
         (File[Suffix + 1] == 'f' || File[Suffix + 1] == 'F');
}

bool isWord(char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_'; }

/// A name in a line of the source.
struct Named {
  std::string Name;
  size_t At = 0; ///< where it begins
};

std::string wordAt(const std::string &Line, size_t Begin) {
  size_t End = Begin;
  while (End < Line.size() && isWord(Line[End]))
    ++End;
  return Line.substr(Begin, End - Begin);
}

/// The parenthesis that a column lies in; the line's length where it lies in none.
size_t openerBefore(const std::string &Line, size_t Column) {
  int Depth = 0;
  for (size_t I = Column; I-- > 0;) {
    Depth += Line[I] == ')' || Line[I] == '}' ? 1 : 0;
    if ((Line[I] == '(' || Line[I] == '{') && Depth-- == 0)
      return I;
  }
  return Line.size();
}

/// Where the name in front of a parenthesis begins.
size_t nameBefore(const std::string &Line, size_t Opener) {
  size_t Begin = Opener;
  while (Begin > 0 && isWord(Line[Begin - 1]))
    --Begin;
  return Begin;
}

/// The member that begins there in a constructor's list; empty where none does.
std::string memberAt(const std::string &Line, size_t Begin) {
  const std::string Name = wordAt(Line, Begin);
  const size_t End = Begin + Name.size();
  const size_t Before = Line.find_last_not_of(' ', Begin - (Begin > 0 ? 1 : 0));
  const bool IsFirst = Begin == 0 || Before == std::string::npos;
  if (Name.empty() || End >= Line.size() || (Line[End] != '(' && Line[End] != '{') ||
      (!IsFirst && Line[Before] != ':' && Line[Before] != ','))
    return "";
  return Name;
}

/// "Grid::Grid", "Grid<int>::Grid".
bool isConstructor(const std::string &Function, size_t Separator) {
  const std::string Name = Function.substr(Separator + 2);
  const std::string Class = Function.substr(0, Function.find('<'));
  const size_t Last =
      Class.rfind("::", Class.size() == Function.size() ? Separator - 1 : Class.size());
  const std::string Own = Class.substr(Last == std::string::npos ? 0 : Last + 2);
  return Own == Name || Own == Name + "::" + Name;
}

/// The member that a constructor begins with at a column, as in "Grid() : field(n) {}", or that
/// gets what is allocated there, as in "Grid() : field(new double[n]) {}"; another constructor is
/// no member.
std::string initialised(const std::string &Line, const Place &At) {
  const size_t Column = At.Column - size_t(1);
  const size_t Class = At.Function.rfind("::");
  if (At.Column == 0 || Column >= Line.size() || Class == std::string::npos ||
      !isConstructor(At.Function, Class))
    return "";
  std::string Member = memberAt(Line, Column);
  for (size_t Opener = openerBefore(Line, Column); Member.empty() && Opener < Line.size();
       Opener = openerBefore(Line, Opener))
    Member = memberAt(Line, nameBefore(Line, Opener));
  const bool IsMember = !Member.empty() && Member != At.Function.substr(Class + 2);
  return IsMember ? At.Function.substr(0, Class) + "::" + Member : "";
}

/// Such as "domain.field" or "list" of "list[i]".
std::string expressionBefore(const std::string &Line, size_t End) {
  size_t Begin = End;
  int Depth = 0;
  for (; Begin > 0; --Begin) {
    const char C = Line[Begin - 1];
    Depth += C == ']' ? 1 : C == '[' ? -1 : 0;
    const bool IsArrow = C == '>' && Begin >= 2 && Line[Begin - 2] == '-';
    if (Depth < 0 || (Depth == 0 && !isWord(C) && C != '.' && C != '[' && C != ':' && !IsArrow &&
                      !(C == '-' && Line[Begin] == '>')))
      break;
  }
  std::string Text;
  for (size_t I = Begin; I < End; ++I) {
    Depth += Line[I] == '[' ? 1 : Line[I] == ']' ? -1 : 0;
    if (Depth == 0 && Line[I] != ']')
      Text += Line[I] == '>' ? std::string() : Line[I] == '-' ? "." : std::string(1, Line[I]);
  }
  return Text.starts_with("this.") ? Text.substr(5) : Text;
}

/// The object whose function is called at a column, as in "field.resize(n)": gcc means the
/// parenthesis, clang the function.
std::string owner(const std::string &Line, unsigned Column) {
  size_t At = Column - size_t(1);
  if (Column == 0 || At >= Line.size())
    return "";
  while (At > 0 && (isWord(Line[At]) || Line[At] == '(') && isWord(Line[At - 1]))
    --At;
  if (At >= 2 && Line[At - 1] == '>' && Line[At - 2] == '-')
    return expressionBefore(Line, At - 2);
  return At >= 1 && Line[At - 1] == '.' ? expressionBefore(Line, At - 1) : "";
}

/// The names in a list such as "a(n), b(n, 1.0)", which ends with the statement, the line or a
/// parenthesis.
std::vector<Named> listed(const std::string &Line, size_t From) {
  std::vector<Named> Names;
  bool IsNext = true;
  int Depth = 0;
  for (size_t I = From; I < Line.size(); ++I) {
    const char C = Line[I];
    Depth += C == '(' || C == '{' || C == '[' ? 1 : C == ')' || C == '}' || C == ']' ? -1 : 0;
    if (Depth < 0 || (Depth == 0 && C == ';'))
      break;
    if (Depth == 0 && C == ',')
      IsNext = true;
    if (Depth > 0 || !IsNext || !isWord(C))
      continue;
    Names.push_back({wordAt(Line, I), I});
    I += Names.back().Name.size() - 1;
    IsNext = false;
  }
  return Names;
}

/// The variables that a line assigns something to, or only those that get what it allocates.
std::vector<Named> assigned(const std::string &Line, bool OnlyAllocated) {
  static const std::regex Assigned(R"((\w+)(\s*\[[^\]]*\]|\))*\s*=(?!=))");
  static const std::regex Counts(R"(\bfor\s*\([^;]*$)");
  static const std::regex Allocates(
      R"(\b(\w*alloc\w*|new|mmap\w*|make_unique\w*|make_shared\w*)\b)", std::regex::icase);
  std::vector<Named> Names;
  for (std::sregex_iterator Each(Line.begin(), Line.end(), Assigned), End; Each != End;) {
    const std::smatch Match = *Each++;
    const auto Stop = Each == End ? Line.end() : (*Each)[0].first;
    if (OnlyAllocated ? std::regex_search(Match[0].second, Stop, Allocates)
                      : !std::regex_search(Line.begin(), Match[0].first, Counts))
      Names.push_back({Match[1], static_cast<size_t>(Match.position(1))});
  }
  return Names;
}

/// A line from behind the last of some characters in front of a column on, which stays where it is.
std::string lineFrom(const std::string &Line, unsigned Column, const char *Ends) {
  const size_t End = Column > 1 ? Line.find_last_of(Ends, Column - size_t(2)) : std::string::npos;
  const size_t Begin = End == std::string::npos ? 0 : End + 1;
  return std::string(Begin, ' ') + Line.substr(Begin);
}

/// The variables that a statement declares, as in "std::vector<double> a(n), b(n);" or, where no
/// block begins in front of the column, which may be a function's, in "Vector a(n), b(n);".
std::vector<Named> declared(const std::string &Statement, unsigned Column) {
  static const std::regex ByTemplate(R"(\w\s*<.*>\s*(?=\w+\s*[({]))");
  static const std::regex ByName(
      R"(^\s*(?!(?:return|new|delete|throw|else|case|goto|co_\w+)\b)(?:(?:const|static)\s+)*[A-Za-z_][\w:]*\s+(?=[A-Za-z_]\w*\s*\())");
  std::smatch Match;
  if (!std::regex_search(Statement, Match, ByTemplate) &&
      (Column == 0 || lineFrom(Statement, Column, "{}") != Statement ||
       !std::regex_search(Statement, Match, ByName)))
    return {};
  return listed(Statement, static_cast<size_t>(Match.position(0) + Match.length(0)));
}

/// All that the statement at a column, or a line, gives something to that it allocates.
std::vector<Named> seen(const std::string &Whole, unsigned Column) {
  const std::string Line = lineFrom(Whole, Column, ";");
  std::vector<Named> Names = declared(Line, Column);
  if (Names.empty())
    Names = assigned(Line, true);
  if (Names.empty())
    Names = assigned(Line, false);
  return Names;
}

/// Of several the last in front of the column; where that is not known, as many as there are
/// allocations are in their order.
std::string nameAt(const std::vector<Named> &Names, unsigned Column, size_t Index, size_t Count) {
  std::string Found;
  for (const Named &Each : Names)
    if (Column > 0 ? Each.At < Column : Names.size() == 1)
      Found = Each.Name;
  if (Column > 0 || Names.empty() || !Found.empty())
    return Found;
  return Names.size() == Count ? Names[Index].Name : Count == 1 ? Names[0].Name : "";
}

/*===-- Functions -----------------------------------------------------------===*/

/// A function's class or namespace, which may be empty, and its name without template arguments.
struct Qualified {
  std::string Class, Name;
};

Qualified split(const std::string &Function) {
  int Depth = 0;
  size_t End = Function.size();
  for (size_t I = Function.size(); I-- > 0;) {
    Depth += Function[I] == '>' ? 1 : Function[I] == '<' ? -1 : 0;
    if (Depth == 0 && Function[I] == '<' && End == Function.size())
      End = I;
    if (Depth == 0 && I > 0 && Function[I] == ':' && Function[I - 1] == ':')
      return {Function.substr(0, I - 1), Function.substr(I + 1, std::max(End, I + 1) - I - 1)};
  }
  return {"", Function.substr(0, End)};
}

bool isWordAt(const std::string &Text, size_t At, size_t Length) {
  return (At == 0 || !isWord(Text[At - 1])) &&
         (At + Length >= Text.size() || !isWord(Text[At + Length]));
}

/// Behind the arguments of a template that begin there, if any do.
size_t behindAngles(const std::string &Text, size_t At) {
  int Depth = 0;
  for (size_t I = At; I < Text.size() && Text[I] != ';' && Text[I] != '{'; ++I) {
    Depth += Text[I] == '<' ? 1 : Text[I] == '>' ? -1 : 0;
    if (Depth == 0)
      return I == At ? At : I + 1;
  }
  return At;
}

/// Where a function is called or declared in a text, behind the parenthesis; npos: nowhere.
size_t behindOpener(const std::string &Text, const std::string &Function, size_t From) {
  for (size_t At = Text.find(Function, From); At != std::string::npos;
       At = Text.find(Function, At + 1)) {
    if (!isWordAt(Text, At, Function.size()))
      continue;
    size_t End = std::min(Text.find_first_not_of(' ', At + Function.size()), Text.size());
    End = behindAngles(Text, End);
    if (End < Text.size() && Text[End] == '(')
      return End + 1;
  }
  return std::string::npos;
}

/// Whether the arguments of a template begin there, and no comparison.
bool opensAngles(const std::string &Text, size_t At) {
  return Text[At] == '<' && At > 0 && isWord(Text[At - 1]) && At + 1 < Text.size() &&
         (isWord(Text[At + 1]) || Text[At + 1] == ':');
}

/// What stands in parentheses, by commas; nothing where they do not end.
/// @param At behind the first; moves behind the last
std::vector<std::string> listFrom(const std::string &Text, size_t &At) {
  std::vector<std::string> List(1);
  for (int Depth = 1; At < Text.size(); ++At) {
    if (const size_t Behind = opensAngles(Text, At) ? behindAngles(Text, At) : At; Behind > At) {
      List.back() += Text.substr(At, Behind - At);
      At = Behind - 1;
      continue;
    }
    const char C = Text[At];
    Depth += C == '(' || C == '{' || C == '[' ? 1 : C == ')' || C == '}' || C == ']' ? -1 : 0;
    if (Depth == 0) {
      ++At;
      return List;
    }
    if (Depth == 1 && C == ',')
      List.emplace_back();
    else
      List.back() += C;
  }
  return {};
}

/// Of "const double *field[3] = nullptr" the field.
std::string parameterName(const std::string &Declaration) {
  const std::string Text = Declaration.substr(0, Declaration.find_first_of("=["));
  size_t End = Text.size();
  while (End > 0 && !isWord(Text[End - 1]))
    --End;
  return wordAt(Text, nameBefore(Text, End));
}

/// Of "(void **)&(mesh->field[0])" mesh.field; empty for what nothing can be assigned to.
std::string assignable(std::string Argument) {
  static const std::regex Around(
      R"(^[\s&*]+|^\(\s*(?:const\s+)?[\w:]+[\s*&]*\*\s*\)|^\w+_cast<[^()]*>\s*(?=\()|\s+$)");
  static const std::regex Path(R"(^[A-Za-z_]\w*(?:(?:\.|->|::)\w+|\[[^\]]*\])*$)");
  for (std::string Before; Before != Argument;) {
    Before = Argument;
    Argument = std::regex_replace(Argument, Around, "");
    if (Argument.size() > 2 && Argument.front() == '(' && Argument.back() == ')')
      Argument = Argument.substr(1, Argument.size() - 2);
  }
  return std::regex_match(Argument, Path) ? expressionBefore(Argument, Argument.size()) : "";
}

/// How a line reaches a variable, such as "mesh.field" where that is "field"; the variable where it
/// stands elsewhere, empty where the line declares it.
std::string pathTo(const std::string &Line, const std::string &Variable) {
  size_t At = Line.find(Variable);
  while (At != std::string::npos && !isWordAt(Line, At, Variable.size()))
    At = Line.find(Variable, At + 1);
  if (At == std::string::npos)
    return Variable;
  const std::string Path = expressionBefore(Line, At + Variable.size());
  const size_t Before = At == 0 ? std::string::npos : Line.find_last_not_of(" *&", At - 1);
  const bool IsDeclared =
      Path == Variable && Before != std::string::npos &&
      (isWord(Line[Before]) || (Line[Before] == '>' && (Before == 0 || Line[Before - 1] != '-')));
  return IsDeclared ? "" : Path;
}

} // namespace

/*===-- The text ------------------------------------------------------------===*/

const std::vector<std::string> &SourceText::file(const std::string &Path) {
  const auto [At, IsNew] = Known.try_emplace(Path);
  if (IsNew) {
    std::ifstream In(Path);
    for (std::string Line; std::getline(In, Line);)
      At->second.push_back(Line.substr(0, 400));
  }
  return At->second;
}

std::string SourceText::line(const Place &At) {
  const std::vector<std::string> &Lines = file(At.File);
  return At.Line > 0 && At.Line <= Lines.size() ? Lines[At.Line - 1] : "";
}

/// Whether a constructor's list of members ends at a column.
static bool endsList(const std::string &Line, unsigned Column) {
  if (Column == 0 || Column > Line.size() || Line[Column - 1] != ')')
    return false;
  const size_t Next = Line.find_first_not_of(' ', Column);
  return Next == std::string::npos || Line[Next] == '{';
}

/// gcc has a constructor initialise what the class initialises where its own list of members ends.
/// @return the member; empty where it cannot be told which, or none
std::string SourceText::initialisedInClass(const Place &At, const Among &InColumn) {
  const size_t Separator = At.Function.rfind("::");
  if (Separator == std::string::npos || !isConstructor(At.Function, Separator) ||
      !endsList(line(At), At.Column))
    return "";
  const std::vector<std::string> Members =
      initialisedMembers(file(At.File), split(At.Function).Name);
  return Members.size() == InColumn.Count
             ? At.Function.substr(0, Separator) + "::" + Members[InColumn.Index]
             : "";
}

/// A path whose first name stands for another's, as loops over ranges and references do.
std::string SourceText::unbound(const Place &At, std::string Path) {
  constexpr int Most = 4;
  unsigned Line = At.Line;
  for (int Times = 0; Times < Most && !Path.empty() && Path.find("::") == std::string::npos;
       ++Times) {
    const size_t Root = std::min(Path.find('.'), Path.size());
    const Bound Its = boundIn(file(At.File), Line, Path.substr(0, Root));
    const std::string To = Its.Line ? assignable(Its.To) : "";
    if (To.empty())
      break;
    Path = To + Path.substr(Root);
    Line = Its.Line - 1;
  }
  return Path;
}

/// What a statement calls something that it makes, as in "store.add("density", n)".
std::string SourceText::label(const Place &At) {
  static const std::regex Labels(R"re([({,]\s*"([A-Za-z_]\w*)"\s*[,)}])re");
  const std::string Text = from(At.File, At.Line);
  const std::string Statement = Text.substr(0, Text.find(';'));
  std::smatch Match;
  return std::regex_search(Statement, Match, Labels) ? Match[1].str() : "";
}

std::string SourceText::variable(const Place &At, const Among &InLine, const Among &InColumn,
                                 const Place *Inner) {
  return isFortran(At.File) ? allocated(At, InLine)
                            : unbound(At, named(At, InLine, InColumn, Inner));
}

/// Compilers have all calls of an ALLOCATE statement at one column. Where there are fewer or more
/// of them than it lists, which is whose cannot be told.
std::string SourceText::allocated(const Place &At, const Among &InLine) {
  if (At.Line == 0)
    return "";
  const std::vector<std::string> Names =
      allocatedIn(fortranStatement(file(At.File), At.Line - size_t(1)));
  return Names.size() == InLine.Count ? Names[InLine.Index] : Names.size() == 1 ? Names[0] : "";
}

std::string SourceText::named(const Place &At, const Among &InLine, const Among &InColumn,
                              const Place *Inner) {
  const std::vector<std::string> &Lines = file(At.File);
  if (At.Line == 0 || At.Line > Lines.size())
    return "";
  const std::string &Line = Lines[At.Line - 1];
  if (const std::string Member = initialisedInClass(At, InColumn); !Member.empty())
    return Member;
  if (const std::string Member = initialised(Line, At); !Member.empty())
    return Member;
  const std::string Label = Inner ? label(At) : "";
  if (const std::string Object = owner(Line, At.Column); !Object.empty())
    return Label.empty() ? Object : Label;
  static const std::regex Aligned(R"(posix_memalign\s*\(\s*(?:\([^)]*\))?\s*&?\s*(\w+))");
  std::smatch Match;
  if (std::regex_search(Line, Match, Aligned))
    return Match[1];
  if (Inner && returnsNumber(*Inner))
    return Label;
  const std::string Name = nameAt(seen(Line, At.Column), At.Column, InLine.Index, InLine.Count);
  return Name.empty() ? Label : Name;
}

/*===-- What callers lend ---------------------------------------------------===*/

/// A line and some behind it.
std::string SourceText::from(const std::string &File, unsigned Line) {
  constexpr size_t Most = 20;
  const std::vector<std::string> &Lines = file(File);
  std::string Text;
  for (size_t I = Line - size_t(1); I < Lines.size() && I < Line + Most; ++I)
    Text += Lines[I] + " ";
  return Text;
}

/// What stands from a line on up to another, without that and comments behind lines; nothing where
/// the first is not seen.
std::string SourceText::between(const std::string &File, unsigned First, unsigned End) {
  const std::vector<std::string> &Lines = file(File);
  std::string Text;
  for (size_t Line = First; First && Line < End && Line <= Lines.size(); ++Line)
    Text += Lines[Line - 1].substr(0, Lines[Line - 1].find("//")) + " ";
  return Text;
}

/// Of the function that is defined above a line.
SourceText::Head SourceText::head(const Place &At, const std::string &Function) {
  constexpr unsigned Most = 400;
  for (unsigned Line = At.Line; Line > 0 && Line + Most > At.Line; --Line) {
    if (line({At.File, Line, 0, ""}).find(Function) == std::string::npos)
      continue;
    const std::string Text = from(At.File, Line);
    size_t End = behindOpener(Text, Function, 0);
    if (End > line({At.File, Line, 0, ""}).size() + 1)
      continue;
    const std::vector<std::string> List = listFrom(Text, End);
    const size_t Next = std::min(Text.find_first_not_of(' ', End), Text.size());
    if (!List.empty() && Next < Text.size() &&
        (Text[Next] == '{' || Text[Next] == ':' || isWord(Text[Next])))
      return {Line, List};
  }
  return {};
}

/// Whether a function gives its caller a number, and so nothing that it has allocated.
bool SourceText::returnsNumber(const Place &At) {
  static const std::regex Number(
      R"(\b(?:void|bool|char|short|int|long|unsigned|float|double|size_t)\s+(?:\w+(?:<[^()]*>)?::)*$)");
  const std::string Name = split(At.Function).Name;
  const unsigned Line = Name.empty() ? 0 : head(At, Name).Line;
  const std::string Text = line({At.File, Line, 0, ""});
  return Line && std::regex_search(Text.substr(0, Text.find(Name)), Number);
}

std::optional<Lent> SourceText::lent(const Place &At, const std::string &Variable) {
  const Qualified Its = split(At.Function);
  if (Variable.empty() || Its.Name.empty() || !isWord(Its.Name.front()) || isFortran(At.File))
    return std::nullopt;
  const bool Constructs = !Its.Class.empty() && isConstructor(At.Function, Its.Class.size());
  if (const size_t Class = Variable.rfind("::"); Constructs && Class != std::string::npos)
    return Lent{Its.Class, Its.Name, std::nullopt, true, "." + Variable.substr(Class + 2)};
  const std::string Path =
      Variable.find('.') == std::string::npos ? pathTo(line(At), Variable) : Variable;
  if (Path.empty())
    return std::nullopt;
  const size_t Root = std::min(Path.find('.'), Path.size());
  const Head Begin = head(At, Its.Name);
  const std::vector<std::string> &All = Begin.Parameters;
  for (size_t I = 0; I < All.size(); ++I)
    if (parameterName(All[I]) == Path.substr(0, Root))
      return Lent{Its.Class, Its.Name, I, false, Path.substr(Root)};
  if (Its.Class.empty() || declares(between(At.File, Begin.Line, At.Line), Path.substr(0, Root)))
    return std::nullopt;
  return Lent{Its.Class, Its.Name, std::nullopt, Constructs, "." + Path};
}

std::optional<Lent> SourceText::within(const Lent &What, const Place &At) {
  const Qualified Its = split(At.Function);
  if (What.Parameter || Its.Class != What.Class)
    return std::nullopt;
  Lent Same = What;
  Same.Function = Its.Name;
  Same.Constructs = isConstructor(At.Function, Its.Class.size());
  return Same;
}

/// The argument of a call in that line, of several the last in front of the column.
std::string SourceText::argument(const Place &At, const std::string &Function, size_t Number) {
  const std::string Text = from(At.File, At.Line);
  size_t Call = behindOpener(Text, Function, 0);
  for (size_t Next = Call; Next <= std::max<size_t>(At.Column, Call) && Next != std::string::npos;
       Next = behindOpener(Text, Function, Next))
    Call = Next;
  if (Call == std::string::npos)
    return "";
  const std::vector<std::string> List = listFrom(Text, Call);
  return Number < List.size() ? List[Number] : "";
}

std::string SourceText::lender(const Lent &What, const Place &At, const std::string &Variable) {
  if (What.Parameter)
    return unbound(At, assignable(argument(At, What.Function, *What.Parameter)));
  return What.Constructs ? Variable : unbound(At, owner(line(At), At.Column));
}
