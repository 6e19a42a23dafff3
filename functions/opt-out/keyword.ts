import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { KeywordList } from './keyword-list.ts';
import { keywordText } from './keyword-text.ts';

/** What a reply that is nothing but a keyword asks for. */
type Keyword = 'stop' | 'start' | 'help';

/**
 * Reads a reply that consists of a keyword alone, whatever its case, accents, spaces, punctuation and emoji: "Stop!",
 * "opt-out", "arrêt", "STOP 🛑". "Stop texting me" is none.
 *
 * @param phone who replied, E.164: of a country that has words of its own, those count besides the words that count
 * everywhere. Any other number, or none, may use every word of every country: better one opt-out too many
 */
export type KeywordOf = (text: string, phone?: string) => Keyword | undefined;

/** A list of keywords, a kind without words left out: as bundled, or as it is written. */
interface WrittenKeywords {
  readonly everywhere: WrittenWords;
  readonly countries: Readonly<Record<string, WrittenWords>>;
}

type WrittenWords = Partial<KeywordList['everywhere']>;

/** The one that counts of two that share a word comes later. */
const weakestFirst = ['start', 'help', 'stop'] as const;

/**
 * @example
 * const keywordOf = createKeywords(keywords);
 * keywordOf('Sair!', '+5511955550143'); // 'stop'
 */
export function createKeywords({ everywhere, countries }: WrittenKeywords): KeywordOf {
  const listed = Object.entries(countries);
  const byCountry = new Map(listed.map(([country, words]) => [country, indexOf(everywhere, words)]));
  const all = indexOf(everywhere, ...listed.map(([, words]) => words));
  return (text, phone) => {
    const word = keywordText(text);
    // Most replies are no keyword anywhere: whose number it is need not be found out.
    if (word === undefined || !all.has(word)) return undefined;
    return (byCountry.get(countryOf(phone) ?? '') ?? all).get(word);
  };
}

function indexOf(...lists: readonly WrittenWords[]): ReadonlyMap<string, Keyword> {
  const index = new Map<string, Keyword>();
  for (const keyword of weakestFirst)
    for (const word of lists.flatMap((words) => words[keyword] ?? []))
      index.set(keywordText(word) ?? '', keyword);
  return index;
}

function countryOf(phone: string | undefined): string | undefined {
  return phone === undefined ? undefined : parsePhoneNumberFromString(phone, { extract: false })?.country;
}
