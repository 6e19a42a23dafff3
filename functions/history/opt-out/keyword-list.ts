import { isSupportedCountry } from 'libphonenumber-js/min';
import * as z from 'zod';
import { type KeywordList, type KeywordWords, keywordText, startText } from './keyword.ts';

const words = (what: string) =>
  z
    .array(z.string())
    .default([])
    .describe(`Whole replies that mean "${what}", in any case, with or without accents.`);

const wordsOfKeywords = z.strictObject({
  stop: words('no more messages'),
  start: words('messages again'),
  help: words('who is this, and how do I stop it'),
});

const keywordListSchema = z
  .strictObject({
    $schema: z.string().optional(),
    everywhere: wordsOfKeywords.describe('Words that count whatever the country of the number.'),
    countries: z
      .record(
        z.string().regex(/^[A-Z]{2}$/, 'expected the two capital letters of a country, for example BR'),
        wordsOfKeywords,
      )
      .default({})
      .describe(
        'By country (ISO 3166-1, two capital letters): words that count in addition. A number of a country that is not listed may use every word of every country.',
      ),
  })
  .describe('What a reply that is nothing but one word asks for.');

/** A valid list, or every problem of it as `path: what was expected`. */
type ParsedKeywords =
  | { readonly kind: 'ok'; readonly value: KeywordList }
  | { readonly kind: 'error'; readonly problems: readonly string[] };

const kinds = ['stop', 'start', 'help'] as const;

/**
 * Validates a list of keywords and returns its words in the form in which they are compared.
 *
 * @param json the parsed content of `keywords.json`
 */
export function parseKeywords(json: unknown): ParsedKeywords {
  const parsed = keywordListSchema.safeParse(json);
  if (!parsed.success) return { kind: 'error', problems: parsed.error.issues.flatMap(describeIssue) };
  const { everywhere, countries } = parsed.data;
  const problems: string[] = [];
  if (everywhere.stop.length === 0)
    problems.push('everywhere.stop: expected at least one word: without any, no person could opt out');
  problems.push(...readingProblems('everywhere', everywhere), ...doubled('everywhere', everywhere));
  for (const [country, own] of Object.entries(countries)) {
    const path = `countries.${country}`;
    if (!isSupportedCountry(country)) problems.push(`${path}: no country has these letters`);
    problems.push(...readingProblems(path, own), ...doubled(path, own, everywhere));
  }
  if (problems.length > 0) return { kind: 'error', problems };
  const entries = Object.entries(countries).map(([country, own]) => [country, normalized(own)] as const);
  return {
    kind: 'ok',
    value: { everywhere: normalized(everywhere), countries: Object.fromEntries(entries) },
  };
}

/** The JSON Schema of `keywords.json` for editors. */
export function keywordsJsonSchema(): unknown {
  return z.toJSONSchema(keywordListSchema, { io: 'input', target: 'draft-2020-12' });
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    const expected = issue.path.length === 0 ? 'everywhere or countries' : kinds.join(', ');
    return issue.keys.map((key) => `${[...issue.path, key].map(String).join('.')}: expected ${expected}`);
  }
  const path = issue.path.map(String).join('.') || '(the whole file)';
  const [inner] = issue.code === 'invalid_key' ? issue.issues : [];
  return [`${path}: ${(inner ?? issue).message.replace(/^Invalid input: /, '')}`];
}

function readingProblems(path: string, words: KeywordWords): string[] {
  return kinds.flatMap((kind) =>
    words[kind].flatMap((word, index) =>
      formOf[kind](word) === undefined
        ? [
            `${path}.${kind}.${index}: expected letters or digits, 1 to 64${kind === 'start' ? ', and no symbols' : ''}`,
          ]
        : [],
    ),
  );
}

/** Returns the words that have two meanings in one country. */
function doubled(
  path: string,
  own: KeywordWords,
  everywhere: KeywordWords = { stop: [], start: [], help: [] },
): string[] {
  return kinds.flatMap((kind) => {
    const others = kinds.filter((other) => other !== kind);
    return own[kind].flatMap((written, index) => {
      const word = keywordText(written);
      // Two equal words of one list are one problem, at the second of them.
      const ownBefore = others.filter((other) => kinds.indexOf(other) < kinds.indexOf(kind));
      const other =
        ownBefore.find((before) => own[before].some((text) => keywordText(text) === word)) ??
        others.find((before) => everywhere[before].some((text) => keywordText(text) === word));
      if (word === undefined || other === undefined) return [];
      return [
        `${path}.${kind}.${index}: "${word}" already means ${other}: expected one meaning in a country`,
      ];
    });
  });
}

const formOf = { stop: keywordText, start: startText, help: keywordText };

function normalized(words: KeywordWords): KeywordWords {
  const form = (kind: keyof KeywordWords) => [
    ...new Set(words[kind].flatMap((word) => formOf[kind](word) ?? [])),
  ];
  return { stop: form('stop'), start: form('start'), help: form('help') };
}
