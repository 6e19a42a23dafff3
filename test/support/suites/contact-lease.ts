import { beforeEach, describe, expect, it } from 'vitest';
import {
  type ContactLease,
  leaseMs,
} from '../../../functions/automations/contact-sync/contact-lease-store.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');
const day = 86_400_000;

/** What the lease of a contact promises. @param start is called for each test, and returns leases of no number */
export function contactLeaseSuite(name: string, start: () => Promise<ContactLease>): void {
  describe(`the contact lease: ${name}`, () => {
    const phone = '+12025550143';
    let lease: ContactLease;

    beforeEach(async () => {
      lease = await start();
    });

    it('goes to one of many concurrent callers, and the others learn when it ends', async () => {
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => lease.claim(phone, `owner-${index}`, now)),
      );
      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
      expect(claims.filter(({ kind }) => kind !== 'claimed')).toEqual(
        Array(19).fill({ kind: 'running', until: now + leaseMs }),
      );
      expect(await lease.claim('+12025550144', 'other', now)).toEqual({ kind: 'claimed' });
    });

    it('remains with a caller that retries after a lost answer', async () => {
      await lease.claim(phone, 'a', now);
      expect(await lease.claim(phone, 'a', now + 1)).toEqual({ kind: 'claimed' });
    });

    it('that is finished lasts until the end of the period', async () => {
      await lease.claim(phone, 'a', now);
      await lease.finish(phone, 'a', now + day);
      expect(await lease.claim(phone, 'b', now + day - 1)).toEqual({ kind: 'done' });
      expect(await lease.claim(phone, 'b', now + day)).toEqual({ kind: 'claimed' });
    });

    it('that is released is free at once, and one that is finished cannot be released', async () => {
      await lease.claim(phone, 'a', now);
      await lease.release(phone, 'a');
      expect(await lease.claim(phone, 'b', now)).toEqual({ kind: 'claimed' });
      await lease.finish(phone, 'b', now + day);
      await lease.release(phone, 'b');
      expect(await lease.claim(phone, 'c', now)).toEqual({ kind: 'done' });
    });

    it('that is abandoned expires, and its owner cannot end the next one', async () => {
      await lease.claim(phone, 'a', now);
      expect(await lease.claim(phone, 'b', now + leaseMs - 1)).toMatchObject({ kind: 'running' });
      expect(await lease.claim(phone, 'b', now + leaseMs)).toEqual({ kind: 'claimed' });
      await lease.release(phone, 'a');
      await lease.finish(phone, 'a', now + day);
      const third = await lease.claim(phone, 'c', now + leaseMs);
      expect(third).toEqual({ kind: 'running', until: now + 2 * leaseMs });
    });
  });
}
