import { beforeEach, describe, expect, it } from 'vitest';
import type { WebhookState, WebhookStateTable } from '../../../functions/registration/webhook-state-store.ts';

const minute = 60_000;
const now = Date.parse('2026-01-15T12:34:30.000Z');
const at = (second: number) => new Date(now + second * 1000).toISOString();

const whole: WebhookState = {
  desiredState: 'registered',
  registeredAt: at(0),
  lastReconcile: { at: at(0) },
  confirmed: { at: at(1), versionId: 'v1' },
  drift: { kinds: ['url-changed'], since: at(0) },
  lastVerifiedAt: at(2),
};

const { registeredAt: _, ...neverRegistered } = whole;

/** What setup and the worker rely on, of the state in memory and of the table. @param create makes an empty state */
export function describeWebhookState(
  name: string,
  create: () => WebhookStateTable | Promise<WebhookStateTable>,
): void {
  let table: WebhookStateTable;

  beforeEach(async () => {
    table = await create();
  });

  async function writeWhole(): Promise<void> {
    await table.setDesiredState('registered');
    await table.recordReconcile({ at: at(0) });
    await table.recordRegistered(at(0));
    await table.noteDrift(whole.drift, at(-1), at(0));
    await table.recordConfirmed({ at: at(1), versionId: 'v1' });
    await table.recordVerified(at(2));
  }

  describe(`the state of the webhook in ${name}`, () => {
    it('assumes a desired state only while there is none', async () => {
      expect(await table.assumeDesiredState('registered')).toBe('registered');
      await table.setDesiredState('deactivated');
      expect(await table.assumeDesiredState('registered')).toBe('deactivated');
      expect(await table.read()).toEqual({ desiredState: 'deactivated' });
    });

    it('does not record as registered what was deactivated meanwhile', async () => {
      await table.setDesiredState('deactivated');
      await table.recordRegistered(at(0));
      expect(await table.read()).toEqual({ desiredState: 'deactivated' });
    });

    it.each<[string, () => Promise<unknown>, WebhookState]>([
      ['the first time it was registered, once', () => table.recordRegistered(at(9)), whole],
      [
        'a deactivation, which forgets that it was registered',
        () => table.setDesiredState('deactivated'),
        { ...neverRegistered, desiredState: 'deactivated' },
      ],
      [
        'a reconcile that failed',
        () => table.recordReconcile({ at: at(9), failure: 'timeout' }),
        { ...whole, lastReconcile: { at: at(9), failure: 'timeout' } },
      ],
      [
        'a confirmation',
        () => table.recordConfirmed({ at: at(9), versionId: 'v1' }),
        { ...whole, confirmed: { at: at(9), versionId: 'v1' } },
      ],
      [
        'an older confirmation, which changes nothing',
        () => table.recordConfirmed({ at: at(0), versionId: 'v1' }),
        whole,
      ],
      ['a verified request', () => table.recordVerified(at(9)), { ...whole, lastVerifiedAt: at(9) }],
      ['an older verified request, which changes nothing', () => table.recordVerified(at(1)), whole],
      ['a turn', () => table.takeTurn('reconcileForMismatches', minute, now), whole],
      ['mismatches', () => table.addMismatches(3, now), whole],
    ])('keeps all other values with %s', async (_, write, expected) => {
      await writeWhole();
      await write();
      expect(await table.read()).toEqual(expected);
    });

    it('drops the reason of a failed reconcile when one succeeds', async () => {
      await table.recordReconcile({ at: at(0), failure: 'server' });
      expect(await table.read()).toEqual({ lastReconcile: { at: at(0), failure: 'server' } });
      await table.recordReconcile({ at: at(1) });
      expect(await table.read()).toEqual({ lastReconcile: { at: at(1) } });
    });

    it('keeps the newest of concurrent confirmations', async () => {
      await Promise.all(
        [3, 7, 1, 9, 5].map((second) => table.recordConfirmed({ at: at(second), versionId: 'v1' })),
      );
      expect(await table.read()).toEqual({ confirmed: { at: at(9), versionId: 'v1' } });
    });

    it('keeps the values of concurrent writers', async () => {
      await table.setDesiredState('registered');
      await Promise.all([
        table.recordRegistered(at(0)),
        table.recordReconcile({ at: at(0) }),
        table.noteDrift(whole.drift, at(-1), at(0)),
        table.recordConfirmed({ at: at(1), versionId: 'v1' }),
        table.recordVerified(at(2)),
      ]);
      expect(await table.read()).toEqual(whole);
    });
  });

  describe(`a drift note in ${name}`, () => {
    const urlChanged = { kinds: ['url-changed'], since: at(0) } as const;
    const rotated = { kinds: ['secret-rotated'], since: at(60) } as const;

    it('replaces the noted drift, and removes it if none is left', async () => {
      expect(await table.noteDrift(urlChanged, at(-1), at(0))).toBe(true);
      expect(await table.noteDrift(rotated, at(59), at(60))).toBe(true);
      expect(await table.read()).toEqual({ drift: rotated });
      expect(await table.noteDrift(undefined, at(61), at(62))).toBe(true);
      expect(await table.read()).toEqual({});
    });

    it.each([
      ['left', urlChanged],
      ['repaired', undefined],
    ])('writes nothing for a run that began before the last drift note (%s)', async (_, noted) => {
      await table.noteDrift(noted, at(-1), at(0));
      const before = await table.read();
      for (const startedAt of [at(-1), at(0)])
        expect(await table.noteDrift(rotated, startedAt, at(1))).toBe(false);
      expect(await table.read()).toEqual(before);
      expect(await table.noteDrift(rotated, at(0.001), at(1))).toBe(true);
    });

    it.each([
      ['left', urlChanged],
      ['repaired', undefined],
    ])('lets one of many concurrent runs write (%s)', async (_, left) => {
      const notes = Array.from({ length: 10 }, (_, number) => table.noteDrift(left, at(-1), at(number)));
      expect((await Promise.all(notes)).filter(Boolean)).toHaveLength(1);
    });

    it('counts a retry of the same note after a lost answer as written', async () => {
      const note = () => table.noteDrift(undefined, at(-1), at(0));
      expect([await note(), await note()]).toEqual([true, true]);
    });
  });

  describe(`mismatches in ${name}`, () => {
    it('add up within the last hour, minute by minute', async () => {
      await table.addMismatches(1, now);
      await table.addMismatches(2, now + 29_000);
      await table.addMismatches(10, now - 30 * minute);
      await table.addMismatches(100, now - 60 * minute);
      await table.addMismatches(1000, now - 61 * minute);
      // What comes after the moment that is asked about does not count either.
      await table.addMismatches(10_000, now + 2 * minute);
      expect(await table.mismatchesLastHour(now)).toBe(113);
      expect(await table.mismatchesLastHour(now + minute)).toBe(13);
      expect(await table.mismatchesLastHour(now + 180 * minute)).toBe(0);
    });

    it('are all counted when reported concurrently', async () => {
      await Promise.all(Array.from({ length: 20 }, () => table.addMismatches(3, now)));
      expect(await table.mismatchesLastHour(now)).toBe(60);
    });
  });

  describe(`a turn in ${name}`, () => {
    it('is free again after the interval, to the millisecond', async () => {
      const take = (ms: number) => table.takeTurn('reconcileForMismatches', minute, now + ms);
      expect([await take(0), await take(0), await take(minute - 1)]).toEqual([true, false, false]);
      expect([await take(minute), await take(minute + 1), await take(2 * minute)]).toEqual([
        true,
        false,
        true,
      ]);
    });

    it('of one name does not affect another name', async () => {
      expect(await table.takeTurn('reconcileForMismatches', minute, now)).toBe(true);
      expect(await table.takeTurn('reconcileForRotation', minute, now)).toBe(true);
    });

    it('goes to one of many concurrent callers', async () => {
      const takeAll = (ms: number) =>
        Promise.all(
          Array.from({ length: 20 }, () => table.takeTurn('reconcileForRotation', 10_000, now + ms)),
        );
      expect((await takeAll(0)).filter(Boolean)).toHaveLength(1);
      expect((await takeAll(10_000)).filter(Boolean)).toHaveLength(1);
    });
  });
}
