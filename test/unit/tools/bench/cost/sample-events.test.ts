import { expect, it } from 'vitest';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import { emittedMetrics } from '../../../../../tools/bench/cost/sample.ts';
import { roundsOf } from '../../../../../tools/bench/cost/sample-events.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';

it('a sample has three reports of each message, each in its own round, and its replies', () => {
  const rounds = roundsOf('a', { messages: 190, replyShare: 0.05 });
  expect(rounds.map(({ length }) => length)).toEqual([190, 190, 190, 30]);
  const idsOf = (index: number) => rounds[index]?.map(({ body }) => JSON.parse(body.toString()).data.id);
  expect(new Set(idsOf(0)).size).toBe(190);
  expect(idsOf(1)).toEqual(idsOf(0));
  expect(idsOf(2)).toEqual(idsOf(0));
  expect(new Set(rounds.flat().map(({ id }) => id)).size).toBe(600);
});

it('a sample is the same for the same name, and shares no event with another name', () => {
  const size = { messages: 5, replyShare: 0 };
  expect(roundsOf('a', size)).toEqual(roundsOf('a', size));
  const [a, b] = ['a', 'b'].map((name) =>
    roundsOf(name, size)
      .flat()
      .map(({ id }) => id),
  );
  expect(a?.filter((id) => b?.includes(id))).toEqual([]);
});

it('a sample is readable by the contract', () => {
  const map = createMapper(shippedContract);
  const events = roundsOf('a', { messages: 19, replyShare: 0.05 })
    .flat()
    .flatMap(({ body, id }) => map(body, id, new Date(0).toISOString()));
  expect(events).toHaveLength(60);
  for (const event of events) expect(event).toHaveProperty('event');
});

it('metrics are identified by service and name, each once', () => {
  const line = (service: string, ...names: string[]) =>
    JSON.stringify({
      _aws: { CloudWatchMetrics: [{ Namespace: 'N', Metrics: names.map((Name) => ({ Name })) }] },
      service,
    });
  const log = [line('worker', 'A', 'B'), '{"level":"WARN"}', 'no JSON', line('worker', 'A')].join('\n');
  expect(emittedMetrics(log)).toEqual(['worker A', 'worker B']);
});
