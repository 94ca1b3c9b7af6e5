// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads PTX word by word. What is between the braces of a kernel is looked at
// only as far as tells an instruction from noise.

#include "Ptx.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

using namespace standin;

namespace {

/// Words and punctuation of a text, with lines.
class Words {
public:
  explicit Words(const std::string &text) : text(text) { advance(); }

  const std::string &now() const { return word; }
  int line() const { return wordLine; }
  bool done() const { return word.empty(); }

  std::string take() {
    std::string taken = word;
    advance();
    return taken;
  }

private:
  static bool isWordCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
           c == '.' || c == '$' || c == '%';
  }

  void skipBlanks() {
    for (; at < text.size(); ++at) {
      if (text[at] == '\n')
        ++currentLine;
      else if (text.compare(at, 2, "//") == 0)
        at = std::min(text.find('\n', at), text.size()) - 1;
      else if (text.compare(at, 2, "/*") == 0)
        at = std::min(text.find("*/", at + 2), text.size() - 2) + 1;
      else if (!std::isspace(static_cast<unsigned char>(text[at])))
        return;
    }
  }

  void advance() {
    skipBlanks();
    wordLine = currentLine;
    word.clear();
    if (at >= text.size())
      return;
    if (text[at] == '"') {
      size_t end = std::min(text.find('"', at + 1), text.size() - 1);
      word = text.substr(at, end + 1 - at);
      at = end + 1;
      return;
    }
    do
      word += text[at++];
    while (at < text.size() && isWordCharacter(word.back()) &&
           isWordCharacter(text[at]));
  }

  const std::string &text;
  size_t at = 0;
  int currentLine = 1, wordLine = 1;
  std::string word;
};

uint32_t bytesOfType(const std::string &type) {
  if (type.size() < 3 || type[0] != '.' || !std::isalpha(type[1]) ||
      !std::isdigit(static_cast<unsigned char>(type[2])))
    return 0;
  return uint32_t(int(std::strtol(type.c_str() + 2, nullptr, 10))) / 8;
}

/// A declaration up to `,`, `)` or `;`: its name and bytes.
PtxVariable declaration(Words &words) {
  PtxVariable declared = {"", 0};
  size_t elements = 1;
  while (!words.done() && words.now() != "," && words.now() != ")" &&
         words.now() != ";" && words.now() != "=") {
    std::string word = words.take();
    if (word == ".align") {
      words.take();
    } else if (word == "[") {
      elements *= size_t(std::strtoull(words.now().c_str(), nullptr, 10));
    } else if (word[0] == '.') {
      if (!declared.bytes)
        declared.bytes = bytesOfType(word);
    } else if (std::isalpha(static_cast<unsigned char>(word[0])) ||
               word[0] == '_' || word[0] == '$' || word[0] == '%') {
      declared.name = word;
    }
  }
  declared.bytes *= elements;
  return declared;
}

/// An instruction without operands.
bool standsAlone(const std::string &word) {
  static const std::set<std::string> alone = {"ret", "ret.uni", "exit", "trap",
                                              "brkpt"};
  return alone.count(word) != 0 || word.rfind("fence.", 0) == 0 ||
         word.rfind("membar.", 0) == 0;
}

/// The body of a kernel or function, from its brace on.
bool parseBody(Words &words, PtxKernel &kernel, std::string &log) {
  int depth = 0;
  do {
    std::string first = words.take();
    int line = words.line();
    if (first == "{") {
      ++depth;
    } else if (first == "}") {
      --depth;
    } else if (first == ".shared") {
      kernel.staticSharedBytes += int64_t(declaration(words).bytes);
    } else if (first == ".pragma" || first[0] == '.') {
      while (!words.done() && words.now() != ";" && words.now() != "}" &&
             first != ".loc")
        words.take();
    } else if (words.now() == ";" && first != ";" && !standsAlone(first)) {
      log = "ptxas application ptx input, line " + std::to_string(line) +
            "; fatal   : Parsing error near '" + first + "': syntax error";
      return false;
    } else if (first != ";" && words.now() != ":") {
      while (!words.done() && words.now() != ";" && words.now() != "{")
        words.take();
    }
  } while (depth > 0 && !words.done());
  return true;
}

} // namespace

bool standin::parsePtx(const std::string &text, PtxModule &module,
                       std::string &log) {
  Words words(text);
  if (words.now() != ".version") {
    log = "ptxas application ptx input, line 1; fatal   : Missing .version "
          "directive at start of file '" +
          words.now() + "'";
    return false;
  }
  while (!words.done()) {
    std::string word = words.take();
    if (word == ".entry" || word == ".func") {
      PtxKernel kernel;
      // A function's result comes before its name.
      if (words.now() == "(")
        while (!words.done() && words.take() != ")") {
        }
      kernel.name = words.take();
      if (words.now() == "(") {
        words.take();
        while (!words.done() && words.now() != ")") {
          kernel.parameterBytes.push_back(uint32_t(declaration(words).bytes));
          if (words.now() == ",")
            words.take();
        }
        words.take();
      }
      while (!words.done() && words.now() != "{" && words.now() != ";") {
        std::string directive = words.take();
        if (directive == ".maxntid" || directive == ".reqntid") {
          kernel.maxThreads =
              int(std::strtol(words.take().c_str(), nullptr, 10));
          while (words.now() == ",") {
            words.take();
            kernel.maxThreads *=
                int(std::strtol(words.take().c_str(), nullptr, 10));
          }
        }
      }
      if (words.now() == "{" && !parseBody(words, kernel, log))
        return false;
      if (word == ".entry")
        module.kernels.push_back(std::move(kernel));
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      PtxVariable variable = declaration(words);
      if (word != ".shared")
        module.variables.push_back(std::move(variable));
    }
  }
  if (!module.kernels.empty())
    return true;
  log = "ptxas application ptx input, line 1; fatal   : no .entry in the text";
  return false;
}
