/** More than the longest keyword with what people put around it; what is longer is not looked at. */
const longest = 64;

/**
 * A text as keywords are compared: in capitals, without accents, spaces and punctuation.
 *
 * @returns undefined where nothing is left, or where the text is too long to be a keyword
 */
export function keywordText(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const word = text
    .normalize('NFD')
    .replace(/[\p{M}\p{Cf}\s\p{P}]/gu, '')
    .toUpperCase();
  return word === '' ? undefined : word;
}
