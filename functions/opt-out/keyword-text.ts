/** A text of more UTF-16 units is no keyword, however little of it is letters. */
const longestText = 1000;
const longestKeyword = 64;

/**
 * A text as keywords are compared: its letters and digits in capitals, in their plain form. Accents, spaces, punctuation,
 * symbols, emoji and what joins them are left out; full-width and other styled letters count as the letters they show
 * (Unicode Standard Annex #15, NFKD).
 *
 * @returns undefined where nothing is left, or too much to be a keyword
 */
export function keywordText(text: string): string | undefined {
  if (text.length > longestText) return undefined;
  const word = text
    // Before NFKD, which makes letters of some symbols: "TM" of the trade mark sign.
    .replace(/\p{S}/gu, '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
  return word === '' || word.length > longestKeyword ? undefined : word;
}
