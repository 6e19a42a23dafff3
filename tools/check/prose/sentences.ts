import type { TextlintKernelRule } from '@textlint/kernel';
import { splitAST } from 'sentence-splitter';

const maxWords = 30;
/** Of the sentences of a page, in paragraphs and lists. */
const maxAverage = 18;

/** Counts words as a reader does: inline code is one word, and the target of a link is none. */
function countWords(markdown: string): number {
  const text = markdown.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']');
  return text.match(/[\p{L}\p{N}$][^\s/]*/gu)?.length ?? 0;
}

/** A list item may begin with a short sentence in bold: it is its title. */
const title = /^\*\*[^*]+\*\*$/;

/** Checks each sentence's words, the page's average, and that a line of text holds one whole sentence. */
export const sentences: TextlintKernelRule['rule'] = ({ Syntax, RuleError, report, getSource, locator }) => {
  const counts: number[] = [];

  return {
    [Syntax.Paragraph](node) {
      let previousLine: number | undefined;
      for (const sentence of splitAST(node as Parameters<typeof splitAST>[0]).children) {
        if (sentence.type !== 'Sentence') continue;
        const source = getSource(sentence as never).trim();
        if (countWords(source) === 0) continue;
        const at = (message: string) =>
          report(node, new RuleError(message, { padding: locator.at(sentence.range[0] - node.range[0]) }));
        // The splitter takes a number with a full stop at the end of a line for one that goes on.
        for (const part of source.split(/(?<=\d\.)\n\s*/)) {
          const words = countWords(part);
          if (!title.test(part)) counts.push(words);
          if (words > maxWords) at(`a sentence has ${words} words, at most ${maxWords} are allowed`);
          if (part.includes('\n')) at('a sentence continues on another line');
        }
        const { start, end } = sentence.loc;
        if (start.line === previousLine) at('two sentences are on one line');
        previousLine = title.test(source) ? undefined : end.line;
      }
    },
    [Syntax.TableCell](node) {
      for (const sentence of getSource(node).split(/(?<=[.:;]) /)) {
        const words = countWords(sentence);
        if (words > maxWords)
          report(
            node,
            new RuleError(`a cell has a sentence of ${words} words, at most ${maxWords} are allowed`),
          );
      }
    },
    [Syntax.DocumentExit](node) {
      const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
      if (average > maxAverage)
        report(
          node,
          new RuleError(
            `the sentences have ${average.toFixed(1)} words on average, at most ${maxAverage} are allowed`,
          ),
        );
    },
  };
};
