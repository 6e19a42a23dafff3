import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { type JoinOptions, joinPage } from '../../../../cli/copies/join-page.ts';
import type { Item } from '../../../../functions/history/item-keys.ts';
import type { QuarantinedEntry } from '../../../../functions/receive/shapes.ts';
import { at } from '../../../support/suites/reports.ts';

const erasedPhone = '+12025550143';
/** Marks a body that cannot be searched wholly. */
const tooMuch = 'too much';
const expiresAt = Date.parse(at(86_400)) / 1000;

const entryWith = (body: string): Item =>
  marshall({
    pk: at(1).slice(0, 10),
    sk: `${at(1)}#q#0`,
    reason: 'bad-time',
    receivedAt: at(1),
    requestId: 'q',
    index: 0,
    headers: { 'x-signature': 's' },
    body,
    expiresAt,
  });

/** Joins an entry of a copy into a quarantine that has it already, and returns the outcome with what was written. */
async function joinEntry(copy: Item, stored: Item | undefined, prefersCopy = false) {
  const written: Item[] = [];
  const here = {
    read: async () => new Map(),
    readQuarantine: async () => (stored === undefined ? [] : [stored]),
    put: async (_table: string, { Item }: { Item: Item }) => {
      written.push(Item);
      return { kind: 'written' };
    },
  } as unknown as JoinOptions['here'];
  const mentionedIn = ({ raw }: QuarantinedEntry) => {
    const text = Buffer.from(raw).toString();
    return text.includes(tooMuch) ? undefined : text.includes(erasedPhone);
  };
  const [joined] = await joinPage([copy], {
    here,
    rules: { retentionDays: 10, listShards: 1, optOutsBySource: false, prefersCopy, isQuiet: true },
    erased: { until: () => undefined, mentionedIn, unknown: [], running: [], ids: [] },
    range: {},
    now: Date.parse(at(60)) / 1000,
    isDryRun: false,
    newGeneration: () => 'new',
  });
  return { outcome: joined?.outcome, written };
}

describe('an entry of the quarantine', () => {
  it.each<[string, Item]>([
    ['headers of another kind', { headers: { NULL: true } }],
    ['a header that is no text', { headers: { M: { 'x-signature': { N: '5' } } } }],
    ['a URL that is no text', { url: { N: '5' } }],
  ])('with %s is one that cannot be read', async (_name, spoiled) => {
    const copy = entryWith('{}');
    const stored = { ...copy, ...spoiled };
    expect(await joinEntry(copy, stored)).toEqual({ outcome: 'broken', written: [] });
    expect(await joinEntry(copy, stored, true)).toEqual({ outcome: 'repaired', written: [copy] });
    const about = entryWith(erasedPhone);
    expect(await joinEntry(about, { ...about, ...spoiled })).toEqual({ outcome: 'erased', written: [] });
  });

  it('that cannot be searched wholly for persons who were erased is left out by name', async () => {
    const copy = entryWith(tooMuch);
    expect(await joinEntry(copy, undefined)).toEqual({ outcome: 'unsearched', written: [] });
    expect(await joinEntry(copy, entryWith('{}'), true)).toEqual({ outcome: 'unsearched', written: [] });
  });

  it('that cannot be searched wholly is known if this history has it in the same form', async () => {
    const copy = entryWith(tooMuch);
    expect(await joinEntry(copy, copy)).toEqual({ outcome: 'equal', written: [] });
    const { expiresAt: _, ...lasting } = copy;
    expect(await joinEntry(copy, lasting)).toEqual({ outcome: 'repaired', written: [copy] });
  });

  it('that mentions a person who was erased is left out, whatever this history has of it', async () => {
    const copy = entryWith(erasedPhone);
    for (const stored of [undefined, entryWith('{}'), entryWith(tooMuch)])
      expect(await joinEntry(copy, stored, true)).toEqual({ outcome: 'erased', written: [] });
    for (const stored of [copy, entryWith(`{"to":"${erasedPhone}"}`)])
      expect(await joinEntry(copy, stored, true)).toEqual({ outcome: 'still-here', written: [] });
  });

  it.each<[string, Item]>([
    ['does not expire', {}],
    ['has a time that DynamoDB does not read', { expiresAt: { S: String(expiresAt) } }],
  ])('that %s is repaired, because it would be kept for ever', async (_name, spoiled) => {
    const copy = entryWith('{}');
    const { expiresAt: _, ...lasting } = copy;
    expect(await joinEntry(copy, copy)).toEqual({ outcome: 'equal', written: [] });
    expect(await joinEntry(copy, { ...lasting, ...spoiled })).toEqual({
      outcome: 'repaired',
      written: [copy],
    });
  });
});
