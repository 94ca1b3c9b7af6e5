// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's engine decides what is heard; this only makes it legible.

#include "pyk/Support/Remarks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"
#include <set>
#include <tuple>

using namespace mlir;
using namespace pyk;
using remark::detail::Remark;

/// What `remark` says, in one line.
static std::string getSentence(const Remark &remark) {
  std::string text;
  for (const Remark::Arg &argument : remark.getArgs()) {
    if (argument.key == "Reason")
      text += ": ";
    else if (argument.key == "Suggestion")
      text += "; ";
    text += argument.val;
  }
  return text;
}

class RemarkCollector::Streamer
    : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Streamer(RemarkCollector &owner) : owner(owner) {}

  void streamOptimizationRemark(const Remark &remark) override {
    std::string sentence = getSentence(remark);
    RenderedMessage message =
        renderMessage(remark.getLocation(), "remark", sentence, owner.sources);
    owner.remarks.push_back({std::move(message.file), message.line,
                             message.column, std::move(sentence),
                             std::move(message.text)});
  }

private:
  RemarkCollector &owner;
};

RemarkCollector::RemarkCollector(MLIRContext *context, StringRef target,
                                 const SourceText &sources)
    : context(context), sources(sources) {
  if (context->getRemarkEngine())
    return;
  remark::RemarkCategories categories;
  std::string names = kAnyTarget.str();
  if (!target.empty())
    names += "|" + llvm::Regex::escape(target);
  categories.passed = categories.missed = categories.failed =
      categories.analysis = "^(" + names + ")$";
  isListening = succeeded(remark::enableOptimizationRemarks(
      *context, std::make_unique<Streamer>(*this),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories));
}

RemarkCollector::~RemarkCollector() {
  if (isListening)
    context->setRemarkEngine(nullptr);
}

std::vector<std::string> RemarkCollector::getTexts() const {
  std::vector<const Collected *> sorted;
  for (const Collected &remark : remarks)
    sorted.push_back(&remark);
  llvm::sort(sorted, [](const Collected *a, const Collected *b) {
    return std::tie(a->file, a->line, a->column, a) <
           std::tie(b->file, b->line, b->column, b);
  });
  std::set<std::tuple<StringRef, unsigned, StringRef>> said;
  std::vector<std::string> texts;
  texts.reserve(sorted.size());
  for (const Collected *remark : sorted)
    if (said.emplace(remark->file, remark->line, remark->sentence).second)
      texts.push_back(remark->text);
  return texts;
}
