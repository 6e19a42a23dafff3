import { describe, expect, it } from 'vitest';
import type { PassResult } from '../../../../../tools/drills/rotation/pass-result.ts';
import { remarksOn, verdictOf } from '../../../../../tools/drills/rotation/rotation-verdict.ts';

const good: PassResult = {
  planned: { sent: 960, seconds: 16, forged: 210, rotations: 2 },
  sent: 960,
  sendingSeconds: 16.1,
  acknowledged: 958,
  refused: [
    { status: 401, isSecretUnknown: true, afterRotationElsewhereMs: 10 },
    { status: 401, isSecretUnknown: true, afterRotationElsewhereMs: 90_000 },
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
  control: { answer: 200, tries: 1, stored: 1 },
  deadLetters: 0,
  drainSeconds: 20,
  rotations: 2,
  leaks: [],
};

const refusedLate = { status: 401, isSecretUnknown: false, afterRotationElsewhereMs: 10 };
const refusedElsewhere = { status: 401, isSecretUnknown: false, afterRotationElsewhereMs: undefined };
const forbidden = { status: 403, isSecretUnknown: true, afterRotationElsewhereMs: 10 };
const timedOut = { status: 'timeout', isSecretUnknown: false, afterRotationElsewhereMs: 10 } as const;
const unavailable = { ...timedOut, status: 503 };

describe('the verdict on a pass', () => {
  it('is empty when every promise held', () => {
    expect(verdictOf(good, true)).toEqual([]);
  });

  it('excuses no rejection when everything is parked', () => {
    expect(verdictOf(good, false)).toEqual(['2 genuine events were refused']);
    expect(verdictOf({ ...good, acknowledged: 960, stored: 960, refused: [] }, false)).toEqual([]);
  });

  it('judges no event that was not acknowledged, wherever it is, and remarks on it', () => {
    const lost = { ...good, acknowledged: 956, stored: 956, storedUnacknowledged: 1 };
    const pass = { ...lost, refused: [...good.refused, timedOut, unavailable] };
    expect(verdictOf(pass, true)).toEqual([]);
    expect(remarksOn(pass)).toEqual(['2 genuine events were not acknowledged: 5xx or no answer']);
  });

  it.each<[string, Partial<PassResult>]>([
    ['sending took 19.3 s, not 16', { sendingSeconds: 19.3 }],
    ['167 forged requests were sent, not about 210', forged([401, 122], [200, 45])],
  ])('remarks on a slow machine, and judges the promises all the same: %s', (line, change) => {
    expect(remarksOn({ ...good, ...change })).toEqual([line]);
    expect(verdictOf({ ...good, ...change }, true)).toEqual([]);
  });

  it('remarks on nothing in a pass that went as planned', () => {
    expect(remarksOn(good)).toEqual([]);
  });

  it.each<[string, Partial<PassResult>]>([
    ['a forged request was not answered and parked', { ...forged([401, 160], [200, 44], ['timeout', 3]) }],
    ['the control event was sent again', { control: { answer: 200, tries: 2, stored: 2 } }],
  ])('is empty where %s', (_, change) => {
    expect(verdictOf({ ...good, ...change }, true)).toEqual([]);
  });

  it.each<[string, Partial<PassResult>]>([
    ['959 events were sent, not 960', { sent: 959, acknowledged: 957, stored: 957 }],
    ['957 acknowledged and 2 refused are not the 960 sent', { acknowledged: 957, stored: 957 }],
    ['the service rotated 1 times, not 2', { rotations: 1 }],
    ['the service rotated 3 times, not 2', { rotations: 3 }],
    ['1 acknowledged events are not in history', { stored: 957 }],
    ['1 events are in history that should not be', { unexpected: 1 }],
    ['1 genuine events are in quarantine', { quarantinedGenuine: 1 }],
    ['1 messages are in the dead letter queue', { deadLetters: 1 }],
    ['1 genuine events were refused', { refused: [refusedLate, ...good.refused.slice(1)] }],
    ['1 genuine events were refused', { refused: [refusedElsewhere, ...good.refused.slice(1)] }],
    ['1 genuine events were refused', { refused: [forbidden, ...good.refused.slice(1)] }],
    ['the control event was answered with 401', { control: { answer: 401, tries: 1, stored: 1 } }],
    ['the control event is in history 0 times', { control: { answer: 200, tries: 1, stored: 0 } }],
    ['the control event is in history 2 times', { control: { answer: 200, tries: 1, stored: 2 } }],
    ['1 forged events are in history', { forgedStored: 1 }],
    ['3 forged requests were answered with 403', forged([401, 160], [200, 45], [403, 3])],
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

  it('rejects a pass without events', () => {
    const nothing = { sent: 0, acknowledged: 0, stored: 0, refused: [], rotations: 0 };
    const noForgeries = { forgedAnswers: new Map(), quarantinedForged: new Map() };
    expect(verdictOf({ ...good, ...nothing, ...noForgeries }, true)).toEqual([
      '0 events were sent, not 960',
      'the service rotated 0 times, not 2',
      'only 0 of 960 events were acknowledged',
      'no forged request was sent',
    ]);
  });
});

function forged(...answers: [number | 'timeout', number][]): Partial<PassResult> {
  return { forgedAnswers: new Map(answers) };
}
