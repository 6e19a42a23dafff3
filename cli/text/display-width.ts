const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

const invisible = /^[\p{M}\p{Cf}]+$/u;

const drawnAsEmoji = /\p{Emoji_Presentation}|\ufe0f|\p{Regional_Indicator}/u;

/** The blocks of wide characters (Unicode Standard Annex #11): Hangul, CJK, kana, full-width forms. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

/** What a reader sees as one character each. */
function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Each takes one column, whatever stands beside it. */
const plain = /^[ -~]*$/;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  // Most texts; the segmenter takes seconds for a table of 200,000 rows.
  if (plain.test(text)) return text.length;
  return graphemes(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0);
}

function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return wide.test(grapheme) || drawnAsEmoji.test(grapheme) ? 2 : 1;
}

/** Adds spaces up to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** The beginning of a text that fits a width, with an ellipsis where something is left out. */
export function clip(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${head(text, width - 1)}…`;
}

/** Breaks a text into lines of a width: between words, and within those that are longer. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/)) {
    let rest = word;
    const joined = line === '' ? rest : `${line} ${rest}`;
    if (displayWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    while (displayWidth(rest) > width) {
      // A character wider than the line still has to go somewhere.
      const part = head(rest, width) || (graphemes(rest)[0] ?? rest);
      lines.push(part);
      rest = rest.slice(part.length);
    }
    line = rest;
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

function head(text: string, width: number): string {
  let taken = '';
  let room = width;
  for (const grapheme of graphemes(text)) {
    room -= graphemeWidth(grapheme);
    if (room < 0) break;
    taken += grapheme;
  }
  return taken;
}
