import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../../../contract/document/parse.ts';
import { contractHash, identityHash } from '../../../../../contract/events/body.ts';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import shipped from '../../../../../contract.json' with { type: 'json' };
import type { Envelope } from '../../../../../functions/receive/envelope.ts';
import { bodyOfEvent } from '../../../../../functions/receive/quarantine/body-of-event.ts';
import {
  type QuarantinedEntry,
  type QuarantineReason,
  quarantineId,
} from '../../../../../functions/receive/quarantine/quarantine.ts';
import { replayableRequest } from '../../../../../functions/receive/quarantine/replayable-request.ts';
import { readBatch } from '../../../../../functions/receive/worker/read-batch.ts';
import { assertProperty } from '../../../../support/property.ts';
import { queueMessage } from '../worker/queue-messages.ts';

const receivedAt = '2026-01-15T12:00:05.000Z';

interface Rules {
  readonly list?: string;
  readonly id?: unknown;
  readonly kind?: string;
  readonly statuses?: Readonly<Record<string, string>>;
}

function readingOf({ statuses = shipped.statuses, ...rules }: Rules = {}) {
  const contract = parseContract({
    ...shipped,
    statuses,
    events: { ...shipped.events, ...rules },
    samples: [],
  });
  return { source: 'main', contract, map: createMapper(contract) };
}
type Reading = ReturnType<typeof readingOf>;

const byContent = { from: 'content' };
const byBody = { from: 'body', path: 'eventId' };

/** A report as the service writes it; `type` may be one that no contract knows. */
const report = (name: string, type = 'sms.status') => ({
  type,
  eventId: `id-${name}`,
  data: { id: 'msg-1', status: name, occurred_at: '2026-01-15T12:00:00.000Z' },
});

/** The results of the worker for a body: the ids of what it stores by status, and what it keeps in quarantine. */
function work(body: unknown, { contract, map }: Reading) {
  const envelope = {
    requestId: 'req',
    receivedAt,
    signedId: 'evt',
    contract: contractHash(contract),
    body: Buffer.from(JSON.stringify(body)),
  };
  return workEnvelope(envelope, { source: 'main', contract, map });
}

function workEnvelope(envelope: Envelope, { contract, map }: Reading) {
  const batch = readBatch(
    [{ queueMessage: queueMessage('q', ''), envelope }],
    map,
    'main',
    (event, request) => bodyOfEvent(event, contract, map, request),
  );
  const stored = batch.messages.flatMap(({ value }) =>
    [...value.events.values()].map(({ status, word, eventId }) => `${word ?? status} ${eventId}`),
  );
  const kept = batch.unreadable.map((one): QuarantinedEntry => {
    const entry = one.makeEntry();
    return { ...entry, id: quarantineId(entry), identity: identityHash(contract) };
  });
  return { stored, kept };
}

/** The events that the worker stores for a replayed entry, or why it stays. */
function replay(entry: QuarantinedEntry | undefined, reading: Reading, acceptsDuplicates = false) {
  if (entry === undefined) throw new Error('nothing was kept');
  const request = replayableRequest(entry, { ...reading, acceptsDuplicates });
  return 'stays' in request ? request : workEnvelope(request.envelope, reading).stored;
}

describe('a body whose other events were stored', () => {
  // The list leaves out what has no payload, so that the places in it are others than in the body.
  const narrow = { list: '[].payload' };
  const all = { list: "[].[payload, other][] | [?type(@) == 'object']" };
  const body = [{ payload: report('sent') }, { other: report('failed') }, { payload: report('delivered') }];

  it.each([
    ['by their places', narrow, all],
    ['by their content', { ...narrow, id: byContent }, { ...all, id: byContent }],
    ['by ids of their own, where the new contract takes another', { ...narrow, id: byBody }, all],
    ['by their places, where the new contract takes ids of their own', narrow, { ...all, id: byBody }],
  ])('is not replayed under new rules: %s', (_, before, after) => {
    const { stored, kept } = work(body, readingOf(before));
    expect(stored).toHaveLength(2);
    expect(kept.map(({ reason }) => reason)).toEqual(['events-dropped']);
    expect(replay(kept[0], readingOf(after))).toEqual({ stays: 'unidentifiable', risk: 'body-stored' });
  });

  it('is replayed with --accept-duplicates, and no event replaces another', () => {
    const { stored, kept } = work(body, readingOf(narrow));
    const again = replay(kept[0], readingOf(all), true);
    expect(again).toHaveLength(3);
    const ids = (lines: unknown) => [lines].flat().map((line) => String(line).split(' ')[1]);
    expect(ids(again).filter((id) => ids(stored).includes(id))).toEqual([]);
  });
});

describe('one event of a body', () => {
  const kinds = { kind: "type == 'report' && 'sms.status' || type" };
  const body = [report('sent'), report('delivered', 'report')];
  const moved = { ...kinds, list: "[?type == 'report']" };

  it('is replayed with its id after a fix of the mapping alone', () => {
    for (const id of [shipped.events.id, byContent, byBody]) {
      const { kept } = work(body, readingOf({ id }));
      const repaired = readingOf({ ...kinds, id, statuses: { delivered: 'delivered' } });
      expect(kept.map(({ reason }) => reason)).toEqual(['unknown-kind']);
      const redelivered = work(body, repaired).stored.filter((line) => line.startsWith('delivered'));
      expect(replay(kept[0], repaired)).toEqual(redelivered);
    }
  });

  it.each([
    ['its place', {}, moved],
    ['its content', { id: byContent }, { ...moved, id: byContent }],
    ['its place, and by now its content', {}, { ...kinds, id: byContent }],
  ])(
    'is not sent where its id came from %s and the rules have changed: a redelivery has another id',
    (_, before, after) => {
      const { kept } = work(body, readingOf(before));
      expect(replay(kept[0], readingOf(after))).toEqual({ stays: 'unidentifiable', risk: 'id-changed' });
      expect(replay(kept[0], readingOf(after), true)).toEqual([expect.stringMatching(/^delivered /)]);
    },
  );

  it('is replayed under new rules when the event contains its id', () => {
    const { kept } = work(body, readingOf());
    const after = readingOf({ ...moved, id: byBody });
    expect(replay(kept[0], after)).toEqual(work(body, after).stored);
    const without = [report('sent'), { ...report('delivered', 'report'), eventId: undefined }];
    expect(replay(work(without, readingOf()).kept[0], after)).toMatchObject({ risk: 'id-changed' });
  });

  it.each(['message-full', 'storage-refused'] as const)(
    'that was kept as %s is not sent under new rules: another delivery may be stored by the old ones',
    (reason: QuarantineReason) => {
      const { kept } = work(body, readingOf());
      const full = kept.map((entry) => ({ ...entry, reason }));
      const after = readingOf({ ...kinds, id: byBody });
      expect(replay(full[0], after)).toMatchObject({ risk: 'id-changed' });
      expect(replay(full[0], readingOf(kinds))).toEqual(['delivered evt:1']);
    },
  );
});

describe('a body of which nothing was stored', () => {
  it.each<[string, unknown, Rules]>([
    ['no list is found in it', { events: [report('sent')] }, { list: 'nothing' }],
    ['it has no events', [], {}],
  ])('is replayed under any rules: %s', (_, body, before) => {
    const { kept } = work(body, readingOf(before));
    const after = readingOf({
      list: "events || [{type: 'sms.status', data: {id: 'm', status: 'sent', occurred_at: '2026-01-15T12:00:00Z'}}]",
      id: byContent,
    });
    expect(replay(kept[0], after)).toHaveLength(1);
  });
});

describe('the rules that ids come from', () => {
  const hashOf = (rules: Rules) => identityHash(readingOf(rules).contract);

  it('are the same whatever else a contract says', () => {
    expect(hashOf({ kind: 'kind', statuses: {} })).toBe(hashOf({}));
  });

  it('are others with another list, another id, another form of bodies, or another header of the signed id', () => {
    const { contract } = readingOf();
    const { webhook, events } = contract;
    const form = identityHash({ events, webhook: { ...webhook, bodyFormat: 'form' } });
    const signature =
      webhook.signature.scheme === 'hmac' && webhook.signature.id !== null
        ? { ...webhook.signature, id: { ...webhook.signature.id, header: 'x-other' } }
        : webhook.signature;
    const header = identityHash({ events, webhook: { ...webhook, signature } });
    const hashes = [hashOf({}), hashOf({ list: '@' }), hashOf({ id: byContent }), form, header];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

it('no event is stored under two ids by a delivery, a replay and a redelivery, whatever the contracts', () => {
  const rules = fc.record({
    list: fc.constantFrom('@', '[]', '[1:]', '[].payload', '[?payload].payload', 'reverse(@)'),
    id: fc.constantFrom<unknown>(shipped.events.id, byContent, byBody),
    kind: fc.constantFrom('type', "type == 'report' && 'sms.status' || type"),
  });
  const events = fc.array(
    fc.record({ type: fc.constantFrom('sms.status', 'report'), isNested: fc.boolean() }),
    { minLength: 1, maxLength: 4 },
  );
  assertProperty(
    fc.property(rules, rules, events, (first, second, sent) => {
      const body = sent.map(({ type, isNested }, index) =>
        isNested ? { payload: report(`s${index}`, type) } : report(`s${index}`, type),
      );
      const [old, next] = [readingOf(first), readingOf(second)];
      const { stored, kept } = work(body, old);
      const replayed = kept.flatMap((entry) => {
        const result = replay(entry, next);
        return Array.isArray(result) ? result : [];
      });
      fc.pre(stored.length + replayed.length > 0);
      const eventOf = (line: string) => line.split(' ')[0];
      const ofTwoIds = (lines: readonly string[]) =>
        [...Map.groupBy(new Set(lines), eventOf).values()].filter(({ length }) => length > 1);
      // The first delivery and the replays stored each event under one id.
      expect(ofTwoIds([...stored, ...replayed])).toEqual([]);
      // A redelivery of what only the replays stored changes nothing.
      const before = stored.map(eventOf);
      const isNew = (line: string) => !before.includes(eventOf(line));
      const redelivered = work(body, next).stored;
      expect(ofTwoIds([...replayed, ...redelivered].filter(isNew))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
