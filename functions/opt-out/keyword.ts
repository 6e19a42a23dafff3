import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The meaning of a reply that consists of a keyword alone. */
export type Keyword = 'stop' | 'start' | 'help';

/** The words of each keyword. */
export type KeywordWords = Readonly<Record<Keyword, readonly string[]>>;

/** The words that count everywhere, and those that count in one country (ISO 3166-1) only. See docs/automations/opt-out.md. */
export interface KeywordList {
  readonly everywhere: KeywordWords;
  readonly countries: Readonly<Record<string, KeywordWords>>;
}

/** A list from which keywords without words may be left out. */
interface PartialKeywordList {
  readonly everywhere: Partial<KeywordWords>;
  readonly countries: Readonly<Record<string, Partial<KeywordWords>>>;
}

/**
 * Reads a reply that consists of a keyword alone, whatever its case, accents, spaces, punctuation and emoji: "Stop!",
 * "opt-out", "arrêt", "STOP 🛑". "Stop texting me" is no keyword.
 *
 * @param phone the sender's number in E.164. The words of its country count in addition to the words that count everywhere. A number
 * of an unlisted country, or no number, may use the words of every country: a wrong opt-out does less harm than a missed one
 */
export type KeywordOf = (text: string, phone?: string) => Keyword | undefined;

/** Where two keywords share a word, the later one in this order counts. */
const weakestFirst = ['start', 'help', 'stop'] as const;

/**
 * @example
 * const keywordOf = createKeywords(keywords);
 * keywordOf('Sair!', '+5511955550143'); // 'stop'
 */
export function createKeywords({ everywhere, countries }: PartialKeywordList): KeywordOf {
  const listed = Object.entries(countries);
  const byCountry = new Map(listed.map(([country, words]) => [country, indexOf(everywhere, words)]));
  const all = indexOf(everywhere, ...listed.map(([, words]) => words));
  return (text, phone) => {
    const word = keywordText(text);
    // Most replies are no keyword in any country. Then the country of the number does not matter.
    if (word === undefined || !all.has(word)) return undefined;
    return (byCountry.get(countryOf(phone) ?? '') ?? all).get(word);
  };
}

function indexOf(...lists: readonly Partial<KeywordWords>[]): ReadonlyMap<string, Keyword> {
  const index = new Map<string, Keyword>();
  for (const keyword of weakestFirst)
    for (const word of lists.flatMap((words) => words[keyword] ?? []))
      index.set(keywordText(word) ?? '', keyword);
  return index;
}

function countryOf(phone: string | undefined): string | undefined {
  return phone === undefined ? undefined : parsePhoneNumberFromString(phone, { extract: false })?.country;
}

/** A longer text, in UTF-16 units, is no keyword, even if it has few letters. */
const maxTextLength = 1000;
const maxKeywordLength = 64;

/**
 * Returns a text in the form in which keywords are compared: its letters and digits in capitals, in their plain form. Accents, spaces,
 * punctuation, symbols, emoji and their joiners are left out. Full-width and other styled letters count as the letters they show
 * (Unicode Standard Annex #15, NFKD).
 *
 * @returns undefined where nothing is left, or too much to be a keyword
 */
export function keywordText(text: string): string | undefined {
  if (text.length > maxTextLength) return undefined;
  const word = text
    // NFKD makes letters of some symbols, such as "TM" of the trade mark sign. So symbols are removed first.
    .replace(/\p{S}/gu, '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
  return word === '' || word.length > maxKeywordLength ? undefined : word;
}
