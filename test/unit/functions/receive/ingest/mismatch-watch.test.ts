import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMismatchWatch } from '../../../../../functions/receive/ingest/rejection-policy.ts';
import {
  decodeSignal,
  encodeSignal,
  type MismatchSignal,
} from '../../../../../functions/registration/setup/mismatch-signal.ts';
import { assertProperty } from '../../../../support/property.ts';

function watchAt(start = 0) {
  const time = { now: start };
  return { time, watch: createMismatchWatch(() => time.now) };
}

describe('the mismatch watch of an instance', () => {
  it('reports its first mismatch, and twenty in a row as a burst, at once', () => {
    const { watch } = watchAt();
    const reported = Array.from({ length: 20 }, () => watch.mismatched(false));
    expect(reported).toEqual([
      { mismatches: 1, isBurst: false, isRotating: false },
      ...Array.from({ length: 18 }, () => undefined),
      { mismatches: 19, isBurst: true, isRotating: false },
    ]);
  });

  it('reports no burst when verified requests come between the mismatches', () => {
    const { watch } = watchAt();
    const reported: (MismatchSignal | undefined)[] = [];
    for (let round = 0; round < 10; round += 1) {
      for (let mismatch = 0; mismatch < 19; mismatch += 1) reported.push(watch.mismatched(false));
      watch.verified();
    }
    expect(reported.filter((signal) => signal !== undefined)).toEqual([
      { mismatches: 1, isBurst: false, isRotating: false },
    ]);
  });

  it('reports a second burst a second after the first one, when a request was verified between them', () => {
    const { time, watch } = watchAt();
    const burst = () =>
      Array.from({ length: 25 }, () => watch.mismatched(false)).filter((signal) => signal?.isBurst);
    expect(burst()).toHaveLength(1);
    watch.verified();
    time.now = 999;
    expect(burst()).toEqual([]);
    time.now = 1000;
    expect(watch.mismatched(false)).toMatchObject({ isBurst: true });
  });

  it('reports a burst that continues after the rotation mark is gone again, a second later: it may have another cause', () => {
    const { time, watch } = watchAt();
    const burst = (isRotating: boolean) =>
      Array.from({ length: 25 }, () => watch.mismatched(isRotating)).filter((signal) => signal?.isBurst);
    expect(burst(true)).toHaveLength(1);
    time.now = 999;
    expect(burst(false)).toEqual([]);
    time.now = 1000;
    expect(burst(false)).toEqual([{ mismatches: 31, isBurst: true, isRotating: false }]);
    time.now = 5999;
    expect(burst(false)).toEqual([]);
  });

  it('counts a single mismatch as a burst when no request was verified for a minute', () => {
    const { time, watch } = watchAt();
    watch.verified();
    time.now = 59_999;
    expect(watch.mismatched(true)).toEqual({ mismatches: 1, isBurst: false, isRotating: true });
    watch.verified();
    time.now += 60_000;
    expect(watch.mismatched(true)).toEqual({ mismatches: 1, isBurst: true, isRotating: true });
  });
});

describe('a signal to setup', () => {
  it('decodes to the encoded signal', () => {
    assertProperty(
      fc.property(
        fc.record({
          mismatches: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
          isBurst: fc.boolean(),
          isRotating: fc.boolean(),
        }),
        (signal) => {
          expect(decodeSignal(encodeSignal(signal))).toEqual(signal);
        },
      ),
    );
  });

  it.each([
    '',
    'null',
    '[]',
    '7',
    '{}',
    '{"mismatches":1,"isBurst":true}',
    '{"mismatches":0,"isBurst":true,"isRotating":true}',
    '{"mismatches":-1,"isBurst":true,"isRotating":true}',
    '{"mismatches":1.5,"isBurst":true,"isRotating":true}',
    '{"mismatches":"1","isBurst":true,"isRotating":true}',
    '{"mismatches":1,"isBurst":1,"isRotating":true}',
    '{"mismatches":1,"isBurst":true,"isRotating":"no"}',
  ])('is rejected for %j', (text) => {
    expect(decodeSignal(text)).toBeUndefined();
  });
});
