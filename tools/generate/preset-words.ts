import { join } from 'node:path';
import { z } from 'zod';
import { contractFiles } from '../../contract/document/contract-file-store.ts';
import { presetNames, readExtended } from '../../contract/document/extend.ts';
import { wordsOf } from '../../discovery/captured/field-names.ts';

const presetFile = z.looseObject({
  statuses: z.record(z.string(), z.string()).default({}),
  errors: z.record(z.string(), z.string()).default({}),
});

/** A number or a single letter means something else at every service. */
const isWord = (text: string) => /[A-Za-z]{2}/.test(text);

/** Words in front that name what a status is about: `TEXT_BLOCKED` is the word "blocked". */
const subjects = new Set(['sms', 'text', 'message']);

/**
 * Collects the words of statuses and errors in all presets, for `sms contract discover`. Words are in lower case, without separators and
 * without their subject. A word with several meanings lists all of them, with blanks between.
 */
export function presetWords(): { readonly statuses: object; readonly errors: object } {
  const documents = presetNames(contractFiles).map((name) =>
    presetFile.parse(readExtended(join(contractFiles.presets, `${name}.json`), contractFiles).document),
  );
  return {
    statuses: meaningsOf(documents.map(({ statuses }) => statuses)),
    errors: meaningsOf(documents.map(({ errors }) => errors)),
  };
}

function meaningsOf(tables: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const meanings = new Map<string, Set<string>>();
  for (const [text, meaning] of tables.flatMap((table) => Object.entries(table))) {
    if (!isWord(text)) continue;
    const [first = '', ...others] = wordsOf(text);
    const word = (subjects.has(first) && others.length > 0 ? others : [first, ...others]).join('');
    meanings.set(word, (meanings.get(word) ?? new Set()).add(meaning));
  }
  return Object.fromEntries(
    [...meanings]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([word, all]) => [word, [...all].sort().join(' ')]),
  );
}
