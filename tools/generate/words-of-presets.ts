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

/** Words, each with how many presets give it a meaning: `"buffered": { "queued": 2, "sent": 2 }`. */
type Words = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Collects the words of statuses and errors in all presets, for `sms contract discover`. Words are in lower case, without separators and
 * without their subject.
 */
export function wordsOfPresets(): { readonly statuses: Words; readonly errors: Words } {
  const documents = presetNames(contractFiles).map((name) =>
    presetFile.parse(readExtended(join(contractFiles.presets, `${name}.json`), contractFiles).document),
  );
  return {
    statuses: meaningsOf(documents.map(({ statuses }) => statuses)),
    errors: meaningsOf(documents.map(({ errors }) => errors)),
  };
}

function meaningsOf(tables: readonly Readonly<Record<string, string>>[]): Words {
  const found = new Map<string, Map<string, number>>();
  for (const [text, meaning] of tables.flatMap((table) => Object.entries(table))) {
    if (!isWord(text)) continue;
    const [first = '', ...others] = wordsOf(text);
    const word = (subjects.has(first) && others.length > 0 ? others : [first, ...others]).join('');
    const meanings = found.get(word) ?? new Map<string, number>();
    found.set(word, meanings.set(meaning, (meanings.get(meaning) ?? 0) + 1));
  }
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted(found).map(([word, meanings]) => [word, Object.fromEntries(sorted(meanings))]),
  );
}
