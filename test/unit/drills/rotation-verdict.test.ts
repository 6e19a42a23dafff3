import { describe, expect, it } from 'vitest';
import type { PassResult } from '../../drills/pass-result.ts';
import { verdictOf } from '../../drills/rotation-verdict.ts';

const good: PassResult = {
  planned: { sent: 960, seconds: 16, forged: 210, rotations: 2 },
  sent: 960,
  sendingSeconds: 16.1,
  acknowledged: 958,
  refused: [
    { status: 401, afterRotationElsewhereMs: 10 },
    { status: 401, afterRotationElsewhereMs: 5_000 },
  ],
  stored: 958,
  storedUnacknowledged: 0,
  unexpected: 0,
  quarantinedGenuine: 0,
  forgedAnswers: new Map([
    [401, 160],
    [200, 45],
  ]),
  forgedStored: 0,
  quarantinedForged: new Map([['signature-mismatch', 45]]),
  control: { answer: 200, stored: 1 },
  deadLetters: 0,
  drainSeconds: 20,
  rotations: 2,
  leaks: [],
};

const refusedLate = { status: 401, afterRotationElsewhereMs: 5_001 };
const refusedElsewhere = { status: 401, afterRotationElsewhereMs: undefined };
const timedOut = { status: 'timeout', afterRotationElsewhereMs: 10 } as const;

describe('the verdict on a pass', () => {
  it('is empty where every promise held', () => {
    expect(verdictOf(good, true)).toEqual([]);
  });

  it('excuses no refusal where everything is parked', () => {
    expect(verdictOf(good, false)).toEqual(['2 genuine events were refused']);
    expect(verdictOf({ ...good, acknowledged: 960, stored: 960, refused: [] }, false)).toEqual([]);
  });

  it('lets an event be in history whose answer was lost, but not go without an answer', () => {
    const lost = { ...good, acknowledged: 957, stored: 957, storedUnacknowledged: 1 };
    expect(verdictOf({ ...lost, refused: [...good.refused, timedOut] }, true)).toEqual([
      '1 genuine events were refused',
    ]);
  });

  it.each<[string, Partial<PassResult>]>([
    ['959 events were sent, not 960', { sent: 959, acknowledged: 957, stored: 957 }],
    ['957 acknowledged and 2 refused are not the 960 sent', { acknowledged: 957, stored: 957 }],
    ['sending took 19.3 s, not 16', { sendingSeconds: 19.3 }],
    ['the service rotated 1 times, not 2', { rotations: 1 }],
    ['the service rotated 3 times, not 2', { rotations: 3 }],
    ['167 forged requests were sent, not about 210', forged([401, 122], [200, 45])],
    ['1 acknowledged events are not in history', { stored: 957 }],
    ['1 events are in history that should not be', { unexpected: 1 }],
    ['1 genuine events are in quarantine', { quarantinedGenuine: 1 }],
    ['1 messages are in the dead letter queue', { deadLetters: 1 }],
    ['1 genuine events were refused', { refused: [refusedLate, ...good.refused.slice(1)] }],
    ['1 genuine events were refused', { refused: [refusedElsewhere, ...good.refused.slice(1)] }],
    ['1 genuine events were refused', { refused: [timedOut, ...good.refused.slice(1)] }],
    ['the control event was answered with 401', { control: { answer: 401, stored: 1 } }],
    ['the control event is in history 0 times', { control: { answer: 200, stored: 0 } }],
    ['1 forged events are in history', { forgedStored: 1 }],
    ['3 forged requests were answered with 500', forged([401, 160], [200, 45], [500, 3])],
    ['3 forged requests were answered with timeout', forged([401, 160], [200, 45], ['timeout', 3])],
    [
      '44 of 45 forged events that were parked are in quarantine',
      { quarantinedForged: new Map([['signature-mismatch', 44]]) },
    ],
    [
      '1 forged events are in quarantine for not-an-envelope',
      {
        quarantinedForged: new Map([
          ['signature-mismatch', 44],
          ['not-an-envelope', 1],
        ]),
      },
    ],
    ['a secret stands in the output of ingest.log', { leaks: ['ingest.log'] }],
  ])('says: %s', (line, change) => {
    expect(verdictOf({ ...good, ...change }, true)).toEqual([line]);
  });

  it('does not take a pass in which nothing happened for a good one', () => {
    const nothing = { sent: 0, acknowledged: 0, stored: 0, refused: [], rotations: 0 };
    const noForgeries = { forgedAnswers: new Map(), quarantinedForged: new Map() };
    expect(verdictOf({ ...good, ...nothing, ...noForgeries }, true)).toHaveLength(3);
  });
});

function forged(...answers: [number | 'timeout', number][]): Partial<PassResult> {
  return { forgedAnswers: new Map(answers) };
}
