import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalStatuses,
  failedPartRank,
  rankOf,
  type StatusEvent,
} from '../../../../../contract/schema/sms-event.ts';
import {
  decidingEntry,
  foldMessages,
  hasConflict,
  type Message,
  mergeReplies,
  messageOf,
  replyOf,
  staleReport,
} from '../../../../../functions/history/message.ts';
import { createStopHints } from '../../../../../functions/history/opt-out/keyword.ts';
import {
  countingStatements,
  isOutOf,
  joinStatements,
  type OptOutStatement,
  stateOfNumber,
} from '../../../../../functions/history/opt-out/opt-out.ts';
import { replyFromItem, replyItem } from '../../../../../functions/history/reply-item.ts';
import { type BusEvent, detailSchemas } from '../../../../../functions/publish/bus/details.ts';
import { busEventId } from '../../../../../functions/publish/bus/event-id.ts';
import type { Change } from '../../../../../functions/publish/publisher/history-events.ts';
import { itemKinds } from '../../../../../functions/publish/publisher/item-kinds.ts';
import { keywordOf } from '../../../../../tools/support/keywords.ts';
import { assertProperty } from '../../../../support/property.ts';

const phone = '+12025550143';
const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();
type Status = (typeof canonicalStatuses)[number];

function report(eventId: string, status: Status, second: number, extra: Partial<StatusEvent> = {}): Message {
  const occurredAt = at(second);
  const kind = 'sms.status';
  const event = {
    kind,
    eventId,
    messageId: 'm',
    status,
    rank: rankOf(status),
    occurredAt,
    ...extra,
  } as const;
  return messageOf(event, at(second + 10));
}

function reply(eventId: string, text: string, second = 0) {
  const occurredAt = at(second);
  return replyOf(
    { kind: 'sms.reply', eventId, replyId: 'r', from: phone, text, occurredAt },
    at(second + 10),
  );
}

/** Returns the events of a change, and checks each detail against its schema. */
function publishedFor(
  { kind, ...change }: { kind: string } & Change<unknown>,
  everyEvent = false,
): BusEvent[] {
  const options = { everyEvent, keywordOf, mayMeanStop: createStopHints(keywordOf) };
  const events = itemKinds.find(({ prefix }) => prefix === `${kind}#`)?.events(change, options) ?? [];
  for (const { detailType, detail } of events)
    expect(detailSchemas[detailType].safeParse(JSON.parse(JSON.stringify(detail))).error).toBeUndefined();
  return events;
}

/** Each change of status begins with the status before it, and the last one ends with that of the history. */
function expectChainedStatuses(events: readonly BusEvent[], stored: Message | undefined): void {
  let status: string | undefined;
  for (const { detailType, detail } of events) {
    if (detailType !== 'SMS Delivery Status Changed') continue;
    expect(detail.previousStatus).toBe(status);
    expect(detail.status).not.toBe(status);
    status = detail.status;
  }
  expect(status).toBe(stored && decidingEntry(stored).status);
}

const messageChange = (before: Message | undefined, after: Message) =>
  ({ kind: 'message', before, after }) as const;

describe('a contract mismatch', () => {
  const mismatch = (word: string) => ({
    ...({ kind: 'status', field: 'statuses', expected: 'a listed word', found: 'string' } as const),
    word,
    shape: '{}',
    foundAt: at(5),
  });
  const day = (...words: string[]) => ({
    day: '2026-01-15',
    mismatches: new Map(words.map((word) => [`id-${word}`, mismatch(word)])),
  });

  it('is published once a day, each mismatch as an event of its own', () => {
    const change = { kind: 'drift', before: day('held'), after: day('held', 'gone', 'lost') } as const;
    expect(publishedFor(change)).toEqual(
      ['gone', 'lost'].map((word) => ({
        detailType: 'SMS Contract Drifted',
        detail: {
          version: 1,
          eventId: busEventId('contract-drift', '2026-01-15', `id-${word}`),
          ...mismatch(word),
        },
      })),
    );
    expect(publishedFor({ ...change, before: undefined })).toHaveLength(3);
    expect(publishedFor({ ...change, before: change.after })).toEqual([]);
  });
});

describe('a message', () => {
  it('that is new has its status, and no previous one', () => {
    const after = report('e1', 'sent', 1, {
      phone,
      word: 'SENT_OK',
      errorCode: '30003',
      errorReason: 'unreachable',
      errorText: 'x'.repeat(1020),
    });
    const events = publishedFor(messageChange(undefined, after));
    expect(events).toEqual([
      {
        detailType: 'SMS Delivery Status Changed',
        detail: {
          version: 1,
          eventId: busEventId('status', 'm', 'e1'),
          messageId: 'm',
          phone,
          status: 'sent',
          final: false,
          outcome: 'open',
          reportCount: 1,
          conflict: false,
          historyEventId: 'e1',
          word: 'SENT_OK',
          errorCode: '30003',
          errorReason: 'unreachable',
          errorText: 'x'.repeat(1000),
          occurredAt: at(1),
          receivedAt: at(11),
        },
      },
    ]);
  });

  it('with a late report that leaves the status unchanged is published only if every report is', () => {
    const before = report('e2', 'delivered', 2);
    const after = foldMessages([before, report('e1', 'queued', 1)]);
    expect(publishedFor(messageChange(before, after))).toEqual([]);
    expect(publishedFor(messageChange(before, after), true)).toMatchObject([
      {
        detailType: 'SMS Delivery Event',
        detail: { eventId: busEventId('report', 'm', 'e1'), status: 'queued' },
      },
    ]);
  });

  it('has the cost and the route of the message, whichever report has them', () => {
    const cost = { price: '0.0079', currency: 'USD', segments: 1, network: '310410', carrier: 'One' };
    const sent = report('e1', 'sent', 1, cost);
    const after = foldMessages([sent, report('e2', 'delivered', 2)]);
    const [delivery, change] = publishedFor({ kind: 'message', before: sent, after }, true);
    expect([delivery?.detailType, change?.detailType]).toEqual([
      'SMS Delivery Event',
      'SMS Delivery Status Changed',
    ]);
    expect([delivery?.detail, change?.detail]).toMatchObject([cost, cost]);
    const [first] = publishedFor({ kind: 'message', before: undefined, after: report('e1', 'sent', 1) });
    for (const name of Object.keys(cost))
      expect(JSON.parse(JSON.stringify(first?.detail))).not.toHaveProperty(name);
  });

  it('with a report or a copy that only adds a price has no change of status', () => {
    const before = report('e1', 'delivered', 1);
    const cost = { price: '0.0079', currency: 'USD' };
    const copy = foldMessages([before, report('e1', 'delivered', 1, cost)]);
    expect(publishedFor({ kind: 'message', before, after: copy }, true)).toEqual([]);
    const after = foldMessages([before, report('e2', 'delivered', 2, cost)]);
    expect(publishedFor({ kind: 'message', before, after })).toEqual([]);
    expect(publishedFor({ kind: 'message', before, after }, true)).toMatchObject([
      { detailType: 'SMS Delivery Event', detail: cost },
    ]);
  });

  it('that loses a report, or is written unchanged, gives no event', () => {
    const message = foldMessages([report('e1', 'sent', 1), report('e2', 'delivered', 2)]);
    expect(publishedFor(messageChange(message, message), true)).toEqual([]);
    expect(publishedFor(messageChange(message, report('e1', 'sent', 1)), true)).toEqual([]);
  });

  it('whose deciding report changes its content has a change of status under an id of its own', () => {
    const before = report('e1', 'sent', 1);
    const after = foldMessages([before, report('e1', 'delivered', 1)]);
    const events = publishedFor(messageChange(before, after), true);
    expect(events).toMatchObject([
      { detailType: 'SMS Delivery Event', detail: { historyEventId: 'e1', status: 'delivered' } },
      {
        detailType: 'SMS Delivery Status Changed',
        detail: { historyEventId: 'e1', status: 'delivered', previousStatus: 'sent' },
      },
    ]);
    const earlier = publishedFor(messageChange(undefined, before), true);
    const ids = [...earlier, ...events].map(({ detail }) => detail.eventId);
    expect(new Set(ids).size).toBe(4);
    expect(publishedFor(messageChange(before, after), true)).toEqual(events);
  });

  it('that becomes contradictory is published once, in any order of the reports', () => {
    const failed = report('e1', 'failed', 1, { phone, errorCode: '30003', errorReason: 'unreachable' });
    const delivered = report('e2', 'delivered', 2, { phone });
    const both = foldMessages([failed, delivered]);
    const conflict = {
      detailType: 'SMS Delivery Conflict',
      detail: {
        version: 1,
        eventId: busEventId('conflict', 'm'),
        messageId: 'm',
        phone,
        status: 'delivered',
        successStatus: 'delivered',
        successAt: at(2),
        failureStatus: 'failed',
        failureAt: at(1),
        errorCode: '30003',
        errorReason: 'unreachable',
      },
    };
    const statusChanged = { detailType: 'SMS Delivery Status Changed', detail: { conflict: true } };
    expect(publishedFor(messageChange(failed, both))).toMatchObject([statusChanged, conflict]);
    expect(publishedFor(messageChange(delivered, both))).toEqual([conflict]);
    expect(publishedFor(messageChange(undefined, both))).toMatchObject([statusChanged, conflict]);
    const more = foldMessages([both, report('e3', 'undelivered', 3), report('e4', 'read', 4)]);
    expect(publishedFor(messageChange(both, more)).map(({ detailType }) => detailType)).toEqual([
      'SMS Delivery Status Changed',
    ]);
  });

  it('that becomes contradictory by a changed content of a report is published too', () => {
    const before = foldMessages([report('e1', 'delivered', 1), report('e2', 'sent', 2)]);
    const after = foldMessages([before, report('e2', 'failed', 2)]);
    expect(publishedFor(messageChange(before, after))).toMatchObject([
      { detailType: 'SMS Delivery Conflict', detail: { eventId: busEventId('conflict', 'm') } },
    ]);
  });

  it('that is stale is published once, after its change of status', () => {
    const before = report('e1', 'sent', 1);
    const entry = staleReport(before, 72, Date.UTC(2026, 0, 19));
    const after = { ...before, events: new Map([...before.events, [entry.eventId, entry]]) };
    expect(publishedFor(messageChange(before, after))).toMatchObject([
      { detailType: 'SMS Delivery Status Changed', detail: { status: 'unknown', outcome: 'unknown' } },
      {
        detailType: 'SMS Delivery Stale',
        detail: { eventId: busEventId('stale', 'm'), lastStatus: 'sent', staleAt: entry.occurredAt },
      },
    ]);
    expect(publishedFor(messageChange(after, after))).toEqual([]);
  });

  it('that is imported without being published gives no event, but what is received later does', () => {
    const silent = { origin: 'import', silent: true } as const;
    const sent = report('import:sent', 'sent', 1, silent);
    const failed = foldMessages([sent, report('import:failed', 'failed', 2, silent)]);
    const both = foldMessages([failed, report('import:delivered', 'delivered', 3, silent)]);
    for (const everyEvent of [false, true]) {
      expect(publishedFor(messageChange(undefined, sent), everyEvent)).toEqual([]);
      expect(publishedFor(messageChange(sent, failed), everyEvent)).toEqual([]);
      // A contradiction between imported reports is silent, too.
      expect(publishedFor(messageChange(failed, both), everyEvent)).toEqual([]);
    }
    const received = foldMessages([sent, report('e1', 'delivered', 4)]);
    expect(publishedFor(messageChange(sent, received), true)).toMatchObject([
      { detailType: 'SMS Delivery Event', detail: { historyEventId: 'e1' } },
      // The bus has not heard of the status before.
      {
        detailType: 'SMS Delivery Status Changed',
        detail: { previousStatus: undefined, status: 'delivered' },
      },
    ]);
    expect(
      publishedFor(
        messageChange(sent, foldMessages([sent, report('import:ok', 'delivered', 4, { origin: 'import' })])),
      ),
    ).toMatchObject([{ detail: { status: 'delivered', origin: 'import' } }]);
  });

  it('that was imported silently in the status that is received later gives the event then', () => {
    const imported = report('import:ok', 'delivered', 1, { origin: 'import', silent: true });
    const received = foldMessages([imported, report('e1', 'delivered', 1)]);
    expect(publishedFor(messageChange(imported, received))).toMatchObject([
      { detailType: 'SMS Delivery Status Changed', detail: { status: 'delivered' } },
    ]);
    // An import after the webhook decides nothing that the bus must hear of.
    const later = foldMessages([
      received,
      report('import:bad', 'failed', 2, { origin: 'import', silent: true }),
    ]);
    const types = publishedFor(messageChange(received, later)).map(({ detailType }) => detailType);
    expect(types).not.toContain('SMS Delivery Status Changed');
  });

  it('that is imported silently and gets no outcome is stale without an event', () => {
    const before = report('import:sent', 'sent', 1, { origin: 'import', silent: true });
    const entry = staleReport(before, 72, Date.UTC(2026, 0, 19));
    const after = { ...before, events: new Map([...before.events, [entry.eventId, entry]]) };
    expect(publishedFor(messageChange(before, after))).toEqual([]);
  });

  it('gives changes of status with ids of their own, also if a part that failed is delivered later', () => {
    const reports = [
      report('b', 'delivered', 5, { partId: 'p2' }),
      report('a', 'failed', 2, { partId: 'p1', rank: failedPartRank }),
      report('c', 'delivered', 4, { partId: 'p1' }),
    ];
    let known: Message | undefined;
    const changes = reports.flatMap((next) => {
      const after = known === undefined ? next : foldMessages([known, next]);
      const events = publishedFor(messageChange(known, after));
      known = after;
      return events.filter(({ detailType }) => detailType === 'SMS Delivery Status Changed');
    });
    expect(changes.map(({ detail }) => 'status' in detail && detail.status)).toEqual([
      'delivered',
      'failed',
      'delivered',
    ]);
    expect(new Set(changes.map(({ detail }) => detail.eventId)).size).toBe(3);
    // So a consumer knows which is the newest, whatever their outcomes are.
    expect(changes.map(({ detail }) => 'reportCount' in detail && detail.reportCount)).toEqual([1, 2, 3]);
  });

  it('of several contents under one event id gives chained changes of status with different ids, ending in the status of the history', () => {
    const arrivals = fc.array(
      fc.record({
        eventId: fc.constantFrom('a', 'b', 'c'),
        status: fc.constantFrom(...canonicalStatuses),
        second: fc.nat(3),
      }),
      { minLength: 1, maxLength: 10 },
    );
    assertProperty(
      fc.property(arrivals, (reports) => {
        let stored: Message | undefined;
        const events: BusEvent[] = [];
        for (const { eventId, status, second } of reports) {
          const view = report(eventId, status, second);
          const after = stored === undefined ? view : foldMessages([stored, view]);
          events.push(...publishedFor(messageChange(stored, after), true));
          stored = after;
        }
        expectChainedStatuses(events, stored);
        // A conflict that a new content ends may come back: it is the same fact.
        const facts = events.filter(({ detailType }) => detailType !== 'SMS Delivery Conflict');
        expect(new Set(facts.map(({ detail }) => detail.eventId)).size).toBe(facts.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('in any order and batching gives each report once, and chained changes of status that end in the status of the history', () => {
    const arrivals = fc.uniqueArray(
      fc.record({
        eventId: fc.stringMatching(/^[a-z0-9]{1,4}$/),
        status: fc.constantFrom(...canonicalStatuses),
        second: fc.nat(3),
        batch: fc.nat(4),
      }),
      { selector: ({ eventId }) => eventId, minLength: 1, maxLength: 12 },
    );
    assertProperty(
      fc.property(arrivals, fc.array(fc.nat(4), { maxLength: 3 }), (reports, repeated) => {
        const batches = Map.groupBy(reports, ({ batch }) => batch);
        let stored: Message | undefined;
        const events: BusEvent[] = [];
        for (const number of [...batches.keys(), ...repeated]) {
          const views = (batches.get(number) ?? []).map((one) => report(one.eventId, one.status, one.second));
          const [first, ...rest] = [...(stored === undefined ? [] : [stored]), ...views];
          if (first === undefined) continue;
          const after = foldMessages([first, ...rest]);
          events.push(...publishedFor(messageChange(stored, after), true));
          stored = after;
        }
        const reported = events.flatMap(({ detailType, detail }) =>
          detailType === 'SMS Delivery Event' ? [detail.eventId] : [],
        );
        const wanted = reports.map(({ eventId }) => busEventId('report', 'm', eventId));
        expect(reported.sort()).toEqual(wanted.sort());
        expectChainedStatuses(events, stored);
        expect(new Set(events.map(({ detail }) => detail.eventId)).size).toBe(events.length);
        const conflicts = events.filter(({ detailType }) => detailType === 'SMS Delivery Conflict');
        expect(conflicts).toHaveLength(stored !== undefined && hasConflict(stored) ? 1 : 0);
      }),
    );
  });
});

describe('a reply', () => {
  it('is published with its keyword', () => {
    expect(publishedFor({ kind: 'reply', before: undefined, after: reply('e1', 'Stop') })).toMatchObject([
      {
        detailType: 'SMS Reply Received',
        detail: {
          eventId: busEventId('reply', 'r', 'e1'),
          keyword: 'stop',
          mayMeanStop: false,
          isTextCut: false,
        },
      },
    ]);
    const { current, ...ownWord } = reply('e1', 'Basta');
    const understood = { ...ownWord, current: { ...current, optOut: true as const } };
    const stored = replyFromItem(replyItem(understood, 'g', 1, { listShards: 1 }));
    expect(publishedFor({ kind: 'reply', before: undefined, after: stored })[0]?.detail).toMatchObject({
      keyword: 'stop',
    });
    const [asked] = publishedFor({ kind: 'reply', before: undefined, after: reply('e1', 'stop texting me') });
    expect(asked?.detail).toMatchObject({ keyword: undefined, mayMeanStop: true });
    const [thanked] = publishedFor({ kind: 'reply', before: undefined, after: reply('e1', 'Stop, thanks') });
    expect(thanked?.detail).toMatchObject({ keyword: undefined, mayMeanStop: true });
  });

  it('that asks for help gives a second event', () => {
    expect(publishedFor({ kind: 'reply', before: undefined, after: reply('e1', 'HELP') })).toMatchObject([
      { detailType: 'SMS Reply Received' },
      { detailType: 'SMS Help Requested', detail: { eventId: busEventId('help', 'r', 'e1'), phone } },
    ]);
  });

  it('is published once for each version, the earliest first', () => {
    const before = reply('e2', 'two', 2);
    const after = [reply('e3', 'three', 3), reply('e1', 'one', 1)].reduce(mergeReplies, before);
    const events = publishedFor({ kind: 'reply', before, after });
    expect(events).toMatchObject([{ detail: { text: 'one' } }, { detail: { text: 'three' } }]);
    expect(publishedFor({ kind: 'reply', before: after, after })).toEqual([]);
  });

  it('is published under a new id if a version changes its content, and not for an earlier copy', () => {
    const before = reply('e1', 'hello', 2);
    const after = mergeReplies(before, reply('e1', 'help', 2));
    const events = publishedFor({ kind: 'reply', before, after });
    expect(events).toMatchObject([
      { detailType: 'SMS Reply Received', detail: { text: 'help' } },
      { detailType: 'SMS Help Requested' },
    ]);
    const [first] = publishedFor({ kind: 'reply', before: undefined, after: before });
    expect(events[0]?.detail.eventId).not.toBe(first?.detail.eventId);
    const copy = mergeReplies(before, reply('e1', 'hello', 1));
    expect(copy.current.occurredAt).toBe(at(1));
    expect(publishedFor({ kind: 'reply', before, after: copy })).toEqual([]);
  });

  it('that is long is cut between characters', () => {
    const [event] = publishedFor({
      kind: 'reply',
      before: undefined,
      after: reply('e1', `${'x'.repeat(9999)}👍`),
    });
    expect(event?.detail).toMatchObject({ text: 'x'.repeat(9999), isTextCut: true });
  });
});

describe('the opt-out register', () => {
  const says = (state: 'out' | 'in', second = 0): OptOutStatement => ({
    phone,
    state,
    at: at(second),
    by: 'person',
    replyId: 'r',
  });
  const published = (before: OptOutStatement | undefined, after: OptOutStatement) =>
    publishedFor({ kind: 'optout', before: before && [before], after: [after] });

  it.each([
    ['out', 'SMS Opt-Out', 'opt-out'],
    ['in', 'SMS Opt-In', 'opt-in'],
  ] as const)('the first state of a number, %s, is published', (state, detailType, kind) => {
    expect(published(undefined, says(state))).toEqual([
      {
        detailType,
        detail: {
          version: 1,
          eventId: busEventId(kind, phone, 'r', at(0)),
          phone,
          by: 'person',
          replyId: 'r',
          occurredAt: at(0),
        },
      },
    ]);
  });

  it('names the message where the provider said so, and the entry of an operator', () => {
    const { replyId: _, ...change } = says('out');
    const detailOf = (after: OptOutStatement) => published(undefined, after)[0]?.detail;
    expect(detailOf({ ...change, by: 'provider', messageId: 'm' })).toEqual({
      version: 1,
      eventId: busEventId('opt-out', phone, 'm', at(0)),
      phone,
      by: 'provider',
      messageId: 'm',
      occurredAt: at(0),
    });
    const entry = detailOf({ ...change, by: 'operator', entryId: 'x', reason: 'called' });
    expect(entry).toMatchObject({ by: 'operator', entryId: 'x' });
    expect(entry).not.toHaveProperty('reason');
  });

  it('a failure at the provider is published if the number was in, and not if it was out', () => {
    const failed: OptOutStatement = { phone, state: 'out', at: at(2), by: 'provider', messageId: 'm' };
    expect(published(says('in', 1), failed)).toMatchObject([
      { detailType: 'SMS Opt-Out', detail: { by: 'provider' } },
    ]);
    expect(published(says('out', 1), failed)).toEqual([]);
    expect(published(failed, says('in', 3))).toHaveLength(1);
  });

  it('by source: each source whose state changed is published, and says that it is about that source only', () => {
    const said = (source: string | undefined, state: 'out' | 'in', second: number) => ({
      ...says(state, second),
      ...(source !== undefined && { source }),
      onlySource: true,
    });
    const bySource = (before: readonly unknown[], ...after: readonly unknown[]) =>
      publishedFor({ kind: 'optout', before, after }).map(({ detailType, detail }) => [detailType, detail]);
    const [main, backup] = [said(undefined, 'out', 1), said('backup', 'in', 2)];
    expect(bySource([main], main, backup)).toMatchObject([
      ['SMS Opt-In', { source: 'backup', onlySource: true }],
    ]);
    const backupOut = said('backup', 'out', 3);
    expect(bySource([main, backup], backupOut, main)).toMatchObject([
      ['SMS Opt-Out', { source: 'backup', onlySource: true }],
    ]);
    expect(bySource([main], backupOut, main)).toMatchObject([['SMS Opt-Out', { source: 'backup' }]]);
    expect(bySource([main, backup], said(undefined, 'out', 4), backup)).toEqual([]);
    // What was said before opt-outs counted by source counts for each of them.
    expect(bySource([says('out')], backupOut, main, says('out'))).toEqual([]);
    expect(bySource([says('out')], backup, main, says('out'))).toMatchObject([
      ['SMS Opt-In', { source: 'backup' }],
    ]);
  });

  it('a statement about all sources is published if it changes the state of any', () => {
    const only = (source: string, state: 'out' | 'in', second: number): OptOutStatement => ({
      ...says(state, second),
      replyId: `${source}-${second}`,
      source,
      onlySource: true,
    });
    const events = (before: readonly unknown[], ...after: readonly unknown[]) =>
      publishedFor({ kind: 'optout', before, after });
    const [b1, c2] = [only('b', 'out', 1), only('c', 'in', 2)];
    // The newest one known says out, and `c` was in.
    expect(events([only('b', 'out', 3), c2], says('out', 4))).toMatchObject([{ detailType: 'SMS Opt-Out' }]);
    expect(events([b1, says('in')], says('in', 4))).toMatchObject([{ detailType: 'SMS Opt-In' }]);
    expect(events([b1, says('out')], says('out', 4))).toEqual([]);
    // A late one, that `c` is newer than: the event about `c` has the id that it had.
    expect(events([c2], c2, says('out', 1))).toEqual([...events([], c2), ...events([], says('out', 1))]);
    // A copy moves a START at `b` to before the STOP, which counts for `b` again under an id that was not published yet.
    const [first] = events([], says('out', 2));
    const [again] = events([only('b', 'in', 3), says('out', 2)], says('out', 2));
    expect(again?.detailType).toBe('SMS Opt-Out');
    expect(again?.detail.eventId).not.toBe(first?.detail.eventId);
  });

  it('a consumer that keeps the newest event about each source knows what the register says, also if opt-outs begin or cease to count by source', () => {
    const spoken = fc.record({
      state: fc.constantFrom('out' as const, 'in' as const),
      second: fc.nat(20),
      source: fc.constantFrom(undefined, 'b', 'c'),
      isLimited: fc.boolean(),
    });
    assertProperty(
      fc.property(fc.array(spoken, { maxLength: 12 }), fc.boolean(), (all, areCorrected) => {
        let known: readonly OptOutStatement[] = [];
        const events: { state: 'out' | 'in'; about: string | undefined; at: string }[] = [];
        for (const [index, { state, second, source, isLimited }] of all.entries()) {
          const own = {
            ...says(state, second),
            // The service sends a reply again, and its time is read in another way.
            replyId: areCorrected ? `r-${index % 5}` : `r-${index}`,
            ...(source !== undefined && { source }),
          };
          const next = joinStatements(known, [isLimited ? { ...own, onlySource: true } : own]);
          const [before, after] = [known, next].map((one) => countingStatements(one));
          for (const { detailType, detail } of publishedFor({ kind: 'optout', before, after }))
            events.push({
              state: detailType === 'SMS Opt-Out' ? 'out' : 'in',
              about: 'onlySource' in detail && detail.onlySource ? (detail.source ?? 'main') : undefined,
              at: 'occurredAt' in detail ? detail.occurredAt : '',
            });
          known = next;
        }
        const state = stateOfNumber(known, true);
        for (const source of ['main', 'b', 'c', 'added-later']) {
          const [newest] = events
            .filter(({ about }) => about === undefined || about === source)
            .sort((x, y) => (y.at + y.state).localeCompare(x.at + x.state));
          const isOut = state !== undefined && isOutOf(source, state);
          // After a correction a consumer may leave the person opted out, and never the reverse.
          expect(areCorrected ? [isOut, true] : [isOut]).toContain(newest?.state === 'out');
        }
      }),
    );
  });

  it('a changed state is published, and a repeated one is not', () => {
    expect(published(says('out'), says('in', 1))).toHaveLength(1);
    expect(published(says('out'), says('out', 1))).toEqual([]);
  });

  it('another spelling of the number is published, because the SMS service may have a contact for it', () => {
    const [before, after] = ['+525512345678', '+5215512345678'].map((spelling) => ({
      ...says('out'),
      phone: spelling,
    }));
    if (before === undefined || after === undefined) throw new Error('two spellings');
    expect(published(before, after)).toMatchObject([{ detail: { phone: '+5215512345678' } }]);
  });

  it('an older statement that counts again, because a copy made the newest one earlier, is published under a new id', () => {
    const idOf = (before: OptOutStatement | undefined, after: OptOutStatement) =>
      published(before, after)[0]?.detail.eventId;
    const first = idOf(undefined, says('out', 1));
    const again = idOf(says('in', 2), says('out', 1));
    expect(again).not.toBe(first);
    expect(idOf(says('in', 2), says('out', 1))).toBe(again);
    expect(idOf(says('in', 3), says('out', 1))).not.toBe(again);
    expect(idOf(says('out', 1), says('in', 1))).not.toBe(idOf(undefined, says('in', 1)));
    // STOP at the time of a START that stood is said for the first time.
    expect(idOf(says('in', 1), says('out', 1))).toBe(first);
  });
});
