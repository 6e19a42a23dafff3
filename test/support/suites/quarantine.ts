import { beforeAll, describe, expect, it } from 'vitest';
import { CursorError } from '../../../functions/history/lists/cursor.ts';
import { type QuarantineEntry, quarantineId } from '../../../functions/receive/quarantine/quarantine.ts';
import type { QuarantineReader } from '../../../functions/receive/quarantine/quarantine-list-store.ts';
import type { Quarantine } from '../../../functions/receive/quarantine/quarantine-store.ts';
import type { RemoveQuarantined } from '../../../functions/receive/quarantine/requeue-store.ts';
import { at, readAll } from './reports.ts';

interface KeptEntries extends Quarantine, QuarantineReader {
  readonly remove: RemoveQuarantined;
}

/** What the quarantine promises. @param start is called once */
export function quarantineSuite(name: string, start: () => Promise<KeptEntries>): void {
  describe(`the quarantine: ${name}`, () => {
    let quarantine: KeptEntries;
    const range = { since: '2026-03-01T00:00:00.000Z', until: '2026-03-03T00:00:00.000Z' };
    const entries = Array.from({ length: 40 }, (_, number) => ({
      reason: number % 4 === 0 ? ('bad-time' as const) : ('not-json' as const),
      // Several of one moment, over two days and a later one.
      receivedAt: new Date(Date.UTC(2026, 2, 1, Math.floor(number / 3) * 5)).toISOString(),
      requestId: `list-${number}`,
      ...(number % 2 === 0 ? { index: number } : {}),
      raw: Buffer.from(`raw ${number}`),
    }));
    const inRange = entries.filter(({ receivedAt }) => receivedAt < range.until);

    beforeAll(async () => {
      quarantine = await start();
      for (const entry of entries) await quarantine.keep(entry);
    });

    it('keeps an entry once, however often it is redelivered, and each position of a body as an entry', async () => {
      const entry = {
        reason: 'not-json',
        receivedAt: at(50),
        requestId: 'req',
        raw: Buffer.from([0, 255]),
      } as const;
      for (const one of [entry, entry, { ...entry, index: 3 }]) await quarantine.keep(one);
      const found = await readAll((page) => quarantine.list({ since: at(50), until: at(51) }, page), 1);
      expect(found.map(({ id }) => id).sort()).toEqual([`${at(50)}#req#3`, `${at(50)}#req#body`]);
    });

    it('lists the entries of a range over all pages, each once, newest first, without the received bytes', async () => {
      const found = await readAll((page) => quarantine.list(range, page), 7);
      expect(inRange.length).toBeGreaterThan(20);
      expect(inRange.length).toBeLessThan(entries.length);
      expect(found.map(({ id }) => id).sort()).toEqual(inRange.map(quarantineId).sort());
      const times = found.map(({ receivedAt }) => receivedAt);
      expect(times).toEqual(times.toSorted().toReversed());
      expect(found[0]).not.toHaveProperty('raw');
      const { raw: _, ...four } = entries[4] ?? entries[0] ?? { raw: undefined };
      expect(found).toContainEqual({ ...four, id: `${entries[4]?.receivedAt}#list-4#4` });
    });

    it('lists the entries of one reason, and rejects a cursor of another list', async () => {
      const found = await readAll((page) => quarantine.list({ ...range, reason: 'bad-time' }, page));
      const wanted = inRange.filter(({ reason }) => reason === 'bad-time').map(quarantineId);
      expect(found.map(({ id }) => id).sort()).toEqual(wanted.sort());
      const { next = '' } = await quarantine.list(range, { limit: 1 });
      const other = quarantine.list({ ...range, reason: 'bad-time' }, { limit: 1, cursor: next });
      await expect(other).rejects.toThrow(CursorError);
    });

    it('lists the entries of one source', async () => {
      const [receivedAt, raw] = [at(60), Buffer.from('raw')];
      for (const source of ['backup', undefined])
        await quarantine.keep({
          reason: 'not-json',
          receivedAt,
          requestId: `of-${source}`,
          raw,
          ...(source !== undefined && { source }),
        });
      const idsOf = async (source: string) => {
        const found = await readAll((page) =>
          quarantine.list({ since: at(60), until: at(61), source }, page),
        );
        return found.map(({ requestId }) => requestId);
      };
      expect([await idsOf('backup'), await idsOf('main')]).toEqual([['of-backup'], ['of-undefined']]);
    });

    it('returns an entry by its id with all that was received, and removes it', async () => {
      const raw = Buffer.from(JSON.stringify(Array(50_000).fill(1e20)));
      const entry: QuarantineEntry = {
        reason: 'signature-mismatch',
        receivedAt: at(40),
        requestId: 'one',
        raw,
        headers: { 'webhook-id': 'evt' },
        url: 'https://api.example/webhooks/sms?x=1',
      };
      await quarantine.keep(entry);
      const id = `${at(40)}#one#body`;
      const found = await quarantine.entry(id);
      expect(found).toMatchObject({ ...entry, id, raw: expect.anything() });
      expect(raw.equals(found?.raw ?? Buffer.alloc(0))).toBe(true);
      await quarantine.remove(id);
      expect(await quarantine.entry(id)).toBeUndefined();
      await quarantine.remove(id);
    });

    it.each(['', 'x', `${at(40)}#one`, `${at(40)}#other#body`, `${at(40)}#one#0`])(
      'has no entry for an unknown id: %j',
      async (id) => {
        expect(await quarantine.entry(id)).toBeUndefined();
      },
    );
  });
}
