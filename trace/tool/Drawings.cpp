//===-- Drawings.cpp - matrices and pages as pictures ------------*- C++ -*-===//
// Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Drawings.h"

#include "support/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <png.h>

using namespace maiprof;
using support::escaped;

namespace {

constexpr double SharedAlike = 0.5; ///< the greatest user of a page has no more of it
constexpr size_t PngBytesAim = 640;

uint64_t maximum(const Matrix &M) {
  uint64_t Max = 0;
  for (size_t I = 0; I < M.Size; ++I)
    for (size_t J = 0; J < M.Size; ++J)
      if (I != J)
        Max = std::max(Max, M.at(I, J));
  return Max;
}

struct Colour {
  int Red, Green, Blue;
};

/// From white over orange to dark red; the square root shows small values too.
Colour shade(uint64_t Value, uint64_t Max) {
  const double X = Max ? std::sqrt(double(Value) / double(Max)) : 0;
  const auto Mix = [&](int From, int Middle, int To) {
    return X < 0.5 ? int(From + (Middle - From) * 2 * X)
                   : int(Middle + (To - Middle) * (2 * X - 1));
  };
  return {Mix(255, 253, 127), Mix(255, 141, 0), Mix(255, 60, 0)};
}

std::string hex(Colour C) {
  char Text[16];
  std::snprintf(Text, sizeof Text, "#%02x%02x%02x", unsigned(C.Red), unsigned(C.Green),
                unsigned(C.Blue));
  return Text;
}

std::string rectangle(double X, double Y, double Width, double Height, const std::string &Fill,
                      const std::string &Title) {
  char Text[160];
  std::snprintf(Text, sizeof Text, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" ", X,
                Y, Width, Height);
  return Text + ("fill=\"" + Fill + "\"><title>" + escaped(Title) + "</title></rect>\n");
}

std::string label(double X, double Y, const std::string &Text) {
  char Start[96];
  std::snprintf(Start, sizeof Start, "<text x=\"%.6g\" y=\"%.6g\" font-size=\"11\">", X, Y);
  return Start + escaped(Text) + "</text>\n";
}

std::string openSvg(double Width, double Height) {
  char Text[200];
  std::snprintf(Text, sizeof Text,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.6g\" height=\"%.6g\" "
                "viewBox=\"0 0 %.6g %.6g\" font-family=\"sans-serif\">\n",
                Width, Height, Width, Height);
  return Text;
}

/// Pages from First on, a part of an array: who uses it how much.
struct Part {
  uint32_t Thread = None;
  double Share = 0;
};

Part part(const ArrayUse &A, size_t First, size_t End) {
  std::vector<std::pair<uint32_t, uint64_t>> Sums;
  uint64_t All = 0;
  for (size_t I = First; I < End; ++I)
    for (const auto &[Thread, Accesses] : A.Pages[I].Users) {
      const auto At = std::find_if(Sums.begin(), Sums.end(),
                                   [T = Thread](const auto &S) { return S.first == T; });
      (At == Sums.end() ? Sums.emplace_back(Thread, 0) : *At).second += Accesses.sum();
      All += Accesses.sum();
    }
  Part Result;
  for (const auto &[Thread, Sum] : Sums)
    if (All && double(Sum) / double(All) > Result.Share) {
      Result.Share = double(Sum) / double(All);
      Result.Thread = Thread;
    }
  return Result;
}

char digit(uint32_t Thread) {
  constexpr std::string_view Digits =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return Thread < Digits.size() ? Digits[Thread] : '+';
}

} // namespace

std::string maiprof::blocks(const Matrix &M) {
  static const char *const Shades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  const uint64_t Max = maximum(M);
  std::string Out;
  for (size_t I = 0; I < M.Size; ++I) {
    char Name[24];
    std::snprintf(Name, sizeof Name, "%4zu ", I);
    Out += Name;
    for (size_t J = 0; J < M.Size; ++J) {
      const double X = Max ? std::sqrt(double(M.at(I, J)) / double(Max)) : 0;
      const size_t Level = M.at(I, J) == 0 ? 0 : std::min<size_t>(4, 1 + size_t(X * 3.999));
      Out += I == J ? "··" : Shades[Level];
    }
    Out += '\n';
  }
  return Out;
}

std::string maiprof::svg(const Matrix &M, const std::string &Unit) {
  const double Margin = 30;
  const double Cell = M.Size > 64 ? 6 : M.Size > 16 ? 14 : 26;
  const double Side = Margin + Cell * double(M.Size);
  const uint64_t Max = maximum(M);
  std::string Out = openSvg(Side + 1, Side + 1);
  const size_t Every = std::max<size_t>(1, size_t(std::ceil(18 / Cell)));
  for (size_t I = 0; I < M.Size; I += Every) {
    Out += label(Margin + Cell * double(I) + 2, Margin - 6, std::to_string(I));
    Out += label(4, Margin + Cell * double(I) + Cell - 4, std::to_string(I));
  }
  for (size_t I = 0; I < M.Size; ++I)
    for (size_t J = 0; J < M.Size; ++J)
      Out +=
          rectangle(Margin + Cell * double(J), Margin + Cell * double(I), Cell, Cell,
                    I == J ? "#dddddd" : hex(shade(M.at(I, J), Max)),
                    (I == J ? "thread " + std::to_string(I) + " alone: "
                            : "threads " + std::to_string(I) + " and " + std::to_string(J) + ": ") +
                        std::to_string(M.at(I, J)) + " " + Unit);
  return Out + "</svg>\n";
}

std::string maiprof::png(const Matrix &M) {
  const size_t Cell = std::max<size_t>(1, PngBytesAim / std::max<size_t>(1, M.Size));
  const size_t Side = std::max<size_t>(1, Cell * M.Size);
  const uint64_t Max = maximum(M);
  std::vector<png_byte> Pixels(Side * Side * 3, 255);
  for (size_t Y = 0; M.Size && Y < Side; ++Y)
    for (size_t X = 0; X < Side; ++X) {
      const size_t I = Y / Cell;
      const size_t J = X / Cell;
      const Colour C = I == J ? Colour{221, 221, 221} : shade(M.at(I, J), Max);
      png_byte *Pixel = &Pixels[(Y * Side + X) * 3];
      Pixel[0] = static_cast<png_byte>(C.Red);
      Pixel[1] = static_cast<png_byte>(C.Green);
      Pixel[2] = static_cast<png_byte>(C.Blue);
    }
  png_image Image{};
  Image.version = PNG_IMAGE_VERSION;
  Image.width = Image.height = static_cast<png_uint_32>(Side);
  Image.format = PNG_FORMAT_RGB;
  png_alloc_size_t Bytes = 0;
  if (!png_image_write_to_memory(&Image, nullptr, &Bytes, 0, Pixels.data(), 0, nullptr))
    return "";
  std::string Out(Bytes, '\0');
  if (!png_image_write_to_memory(&Image, Out.data(), &Bytes, 0, Pixels.data(), 0, nullptr))
    return "";
  Out.resize(Bytes);
  return Out;
}

std::string maiprof::pageLine(const ArrayUse &A, size_t Width) {
  const size_t Count = A.Pages.size();
  const size_t Columns = std::min(Count, Width);
  std::string Out;
  for (size_t Column = 0; Column < Columns; ++Column) {
    const size_t First = Column * Count / Columns;
    const Part Here = part(A, First, std::max(First + 1, (Column + 1) * Count / Columns));
    Out += Here.Thread == None ? ' ' : Here.Share <= SharedAlike ? '*' : digit(Here.Thread);
  }
  return Out;
}
