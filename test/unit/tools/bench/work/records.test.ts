import { expect, it } from 'vitest';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import type { Message } from '../../../../../functions/history/message.ts';
import type { Change } from '../../../../../functions/publisher/history-events.ts';
import { readChange } from '../../../../../functions/publisher/item-kinds.ts';
import { decodeEnvelope } from '../../../../../functions/webhook/envelope.ts';
import { eventOf } from '../../../../../tools/bench/reports.ts';
import { batchesOf } from '../../../../../tools/bench/work/measure-work.ts';
import { queueRecord, reportsOf, streamRecord } from '../../../../../tools/bench/work/records.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';

it('reports are about another message each, or three of one beside each other, in whole batches', () => {
  const places = (perMessage: 1 | 3) =>
    reportsOf(4, perMessage, 7).map(({ message, step }) => [message, step].join());
  expect(places(1)).toEqual(['7,0', '8,1', '9,2', '10,0']);
  expect(places(3)).toEqual(['7,0', '7,1', '7,2', '8,0']);
  const batches = batchesOf({ name: 'worker', batchSize: 10, perMessage: 3 }, 35, 0);
  expect(batches.map(({ length }) => length)).toEqual([10, 10, 10]);
});

it('the worker reads from its records the very reports', () => {
  const map = createMapper(shippedContract);
  for (const report of reportsOf(6, 3, 0)) {
    const envelope = decodeEnvelope(queueRecord(report).body);
    if (envelope === undefined) throw new Error('no envelope');
    expect(map(envelope.body, envelope.signedId, envelope.receivedAt)).toMatchObject([
      { kind: 'event', event: eventOf(report) },
    ]);
  }
});

it('the publisher reads from its records the message before and after the report', () => {
  const reports = reportsOf(3, 3, 5);
  const changes = reports.map(
    (report, index) => readChange(streamRecord(report, index))?.change as Change<Message>,
  );
  const reportsIn = (message: Message | undefined) => [...(message?.events.keys() ?? [])];
  const ids = reports.map((report) => eventOf(report).eventId);
  expect(changes.map(({ before, after }) => [reportsIn(before), reportsIn(after)])).toEqual([
    [[], ids.slice(0, 1)],
    [ids.slice(0, 1), ids.slice(0, 2)],
    [ids.slice(0, 2), ids],
  ]);
});
