import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import type { Message } from '../../../../../functions/history/message.ts';
import type { Change } from '../../../../../functions/publisher/history-events.ts';
import { readChange } from '../../../../../functions/publisher/item-kinds.ts';
import { decodeEnvelope } from '../../../../../functions/webhook/envelope.ts';
import { batchesOf } from '../../../../../tools/bench/work/measure-work.ts';
import {
  queueRecord,
  reportsOf,
  statusEvent,
  streamRecord,
} from '../../../../../tools/bench/work/records.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';

describe('reports of a run', () => {
  it('are about another message each, or three of one beside each other', () => {
    expect(reportsOf(3, 1, 7)).toEqual([
      { message: 7, step: 0 },
      { message: 8, step: 1 },
      { message: 9, step: 2 },
    ]);
    expect(reportsOf(4, 3, 7)).toEqual([
      { message: 7, step: 0 },
      { message: 7, step: 1 },
      { message: 7, step: 2 },
      { message: 8, step: 0 },
    ]);
  });

  it('come in whole batches', () => {
    const sizes = (batchSize: number, events: number) =>
      batchesOf({ name: 'worker', batchSize, perMessage: 3 }, events, 0).map(({ length }) => length);
    expect(sizes(10, 35)).toEqual([10, 10, 10]);
    expect(sizes(100, 35)).toEqual([100]);
  });
});

it('the worker reads from its records the very reports', () => {
  const map = createMapper(shippedContract);
  for (const report of reportsOf(6, 3, 0)) {
    const { body } = queueRecord(report);
    const envelope = decodeEnvelope(body);
    if (envelope === undefined) throw new Error('no envelope');
    expect(map(envelope.body, envelope.signedId, envelope.receivedAt)).toMatchObject([
      { kind: 'event', event: statusEvent(report) },
    ]);
  }
});

it('the publisher reads from its records the message before and after the report', () => {
  const changes = reportsOf(3, 3, 5).map(
    (report, index) => readChange(streamRecord(report, index))?.change as Change<Message>,
  );
  const reportsIn = (message: Message | undefined) => [...(message?.events.keys() ?? [])];
  const ids = reportsOf(3, 3, 5).map((report) => statusEvent(report).eventId);
  expect(changes.map(({ before, after }) => [reportsIn(before), reportsIn(after)])).toEqual([
    [[], ids.slice(0, 1)],
    [ids.slice(0, 1), ids.slice(0, 2)],
    [ids.slice(0, 2), ids],
  ]);
});
