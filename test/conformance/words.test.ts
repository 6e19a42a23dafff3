import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allFacts } from '../../tools/published/all-facts.ts';
import type { PublishedWords } from '../../tools/published/published-facts.ts';

/* The words of statuses and errors in the types of libraries for Node.js, against the tables of facts. */

/** Reads the words of a union of texts and numbers from the declarations of a package. @param file relative to the package's folder */
function unionOf(packageName: string, file: string, type: string): readonly string[] {
  const path = join(import.meta.dirname, 'node_modules', packageName, file);
  const [, union = ''] = new RegExp(`type ${type} = ([^;]+);`).exec(readFileSync(path, 'utf8')) ?? [];
  return union
    .split('|')
    .map((word) => word.trim().replace(/^["']|["']$/g, ''))
    .filter((word) => !['string', 'number'].includes(word));
}

function wordsOf(preset: string, of: PublishedWords['of'], library: string): readonly string[] {
  const facts = allFacts.find(({ presets }) => presets[0] === preset);
  return (facts?.words ?? [])
    .filter((published) => published.of === of && published.source.name === library)
    .flatMap(({ words, leftOut = {} }) => [...words, ...Object.values(leftOut).flat()]);
}

const message = 'lib/rest/api/v2010/account/message.d.ts';
const enums = 'dist/models/v1/enums.d.ts';

it.each([
  ['twilio', 'statuses', 'twilio', message, 'MessageStatus'],
  ['twilio-event-streams', 'lookup statuses', 'twilio', message, 'MessageStatus'],
  ['sinch-sms', 'statuses', '@sinch/sms', enums, 'DeliveryStatusEnum'],
  ['sinch-conversation', 'statuses', '@sinch/conversation', enums, 'DeliveryStatus'],
  ['sinch-conversation', 'errors', '@sinch/conversation', 'dist/models/v1/reason/reason.d.ts', 'ReasonCode'],
] as const)('%s: the %s are those of %s', (preset, of, library, file, type) => {
  const published = unionOf(library, file, type);
  expect(published.length).toBeGreaterThan(3);
  expect(wordsOf(preset, of, library).toSorted()).toEqual(published.toSorted());
});
