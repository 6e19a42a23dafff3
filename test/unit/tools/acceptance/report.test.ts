import { expect, it } from 'vitest';
import { figuresOf } from '../../../../tools/acceptance/aws-figures.ts';
import { failuresIn } from '../../../../tools/acceptance/inbox.ts';
import {
  figuresOrReason,
  missesOf,
  type Pass,
  reportOf,
  unitsOf,
} from '../../../../tools/acceptance/report.ts';

const line = (billedDurationMs: number, more: object = {}) =>
  JSON.stringify({
    time: '2026-01-15T12:00:00.000Z',
    type: 'platform.report',
    record: { requestId: 'one', metrics: { durationMs: 1, billedDurationMs, ...more }, status: 'success' },
  });

const figures = {
  functions: [
    figuresOf('worker', [
      line(400, { initDurationMs: 180.4 }),
      line(600),
      'no JSON',
      '{"type":"platform.start"}',
    ]),
    { name: 'ingest', invocations: 3, billedMs: 2000, coldStartsMs: [] },
  ],
  writeUnits: 5,
};

const pass: Pass = {
  name: 'a secret that is stored by hand',
  outcome: {
    steps: [
      { name: 'one', found: 'all acknowledged', broken: [] },
      { name: 'two', found: '1 time 401', broken: ['1 time 401'] },
    ],
    latencies: { answered: [30, 10, 20], stored: [], published: [1500] },
    posts: 1_000_000,
    published: 2,
  },
  figures,
  memory: { worker: 1024, ingest: 512 },
  left: ['SmsAcceptance-0123abcd-Events: it is in use'],
  seconds: 90.4,
};

it('the misses are those of the steps, and what was not destroyed', () => {
  expect(missesOf(pass)).toEqual([
    'two: 1 time 401',
    'not destroyed: SmsAcceptance-0123abcd-Events: it is in use',
  ]);
});

it("the units are those of the requests, of the functions' report lines and memory, and of the bus", () => {
  expect(unitsOf(pass, figures)).toEqual({
    httpApiRequests: 1_000_000,
    lambdaRequests: 5,
    lambdaGbSeconds: 2,
    dynamoDbWriteUnits: 5,
    eventBridgeEvents: 2,
  });
});

it('the report names what was missed, latencies, cold starts and costs', () => {
  const text = reportOf({ date: '2026-01-15', place: 'account 1, eu-west-1', versions: { Node: '24' } }, [
    pass,
  ]);
  for (const part of [
    'account 1, eu-west-1',
    '- **a secret that is stored by hand**: two: 1 time 401',
    '| two | 1 time 401 | **missed** |',
    '| its answer | 3 | 20 | 30 | 30 | 30 |',
    '| the history, each alone | 0 |',
    '| worker | 2 | 1,000 | 1 | 180 |',
    '| ingest | 3 | 2,000 | 0 |  |',
    '| API Gateway: HTTP API requests | 1000000 | 1.00000 |',
  ])
    expect(text).toContain(part);
});

it('a report before the destruction, and without figures, has what was found', async () => {
  const late = await figuresOrReason(() => Promise.reject(new Error('CloudWatch is late')));
  const early = { ...pass, figures: late, left: undefined };
  const text = reportOf({ date: '2026-01-15', place: 'account 1', versions: {} }, [early]);
  for (const part of [
    '| two | 1 time 401 | **missed** |',
    'not known: CloudWatch is late',
    'not destroyed yet',
  ])
    expect(text).toContain(part);
});

it('notices are counted by the failed messages that they speak of', () => {
  expect(failuresIn(['1 message failed: error 30003.\n', '22 messages failed: x', 'another notice'])).toBe(
    23,
  );
});
