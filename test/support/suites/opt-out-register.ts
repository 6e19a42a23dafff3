import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OptOutReader } from '../../../functions/automations/opt-out/opt-out-read-store.ts';
import type { OptOutChange } from '../../../functions/history/opt-out/opt-out.ts';
import type { OptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { assertProperty } from '../property.ts';
import { at } from './reports.ts';

// Few moments and replies, so that many changes compete for one.
const changes = fc
  .uniqueArray(
    fc.record<Omit<OptOutChange, 'phone'>>({
      state: fc.constantFrom('out', 'in'),
      at: fc.integer({ min: 0, max: 4 }).map(at),
      replyId: fc.constantFrom('r-1', 'r-2', 'r-3'),
    }),
    { minLength: 1, maxLength: 6, selector: (one) => JSON.stringify(one) },
  )
  .chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray([...all, ...all], { minLength: all.length, maxLength: all.length * 2 }),
    ),
  );

/** Of copies the earliest counts, of what is left the newest, and of one moment "out". */
function latestState(all: readonly Omit<OptOutChange, 'phone'>[]): OptOutChange['state'] | undefined {
  const rankOfChange = ({ at: time, state, replyId }: (typeof all)[number]) => `${time} ${state} ${replyId}`;
  const first = all.filter((one) =>
    all.every((other) => other.state !== one.state || other.replyId !== one.replyId || other.at >= one.at),
  );
  return first.toSorted((one, other) => (rankOfChange(one) < rankOfChange(other) ? 1 : -1))[0]?.state;
}

/** What the opt-out register promises. @param start is called once */
export function optOutRegisterSuite(name: string, start: () => Promise<OptOutRegister & OptOutReader>): void {
  describe(`the opt-out register: ${name}`, () => {
    let register: OptOutRegister & OptOutReader;
    let numbers = 0;
    const newPhone = () => `+1202555${String(1000 + numbers++)}`;

    beforeAll(async () => {
      register = await start();
    });

    it('has the same state for any order and repetition of STOP and START, also when they are concurrent', async () => {
      await assertProperty(
        fc.asyncProperty(changes, async ([all, again]) => {
          const [inOrder, shuffled, concurrent] = [newPhone(), newPhone(), newPhone()];
          for (const one of all) await register.record({ ...one, phone: inOrder });
          for (const one of [...again, ...all]) await register.record({ ...one, phone: shuffled });
          await Promise.all(all.map((one) => register.record({ ...one, phone: concurrent })));
          const state = latestState(all);
          for (const phone of [inOrder, shuffled, concurrent])
            expect(await register.read(phone)).toEqual({ state });
        }),
        { numRuns: 12 },
      );
    });

    it('records several statements of a number at once', async () => {
      const phone = newPhone();
      await register.record(
        { phone, state: 'in', at: at(2), replyId: 'r-2', eventId: 'b' },
        { phone, state: 'out', at: at(1), replyId: 'r-1', eventId: 'a' },
      );
      expect(await register.read(phone)).toEqual({ state: 'in' });
      await register.record();
    });

    it('knows a number in each of its spellings, and has no state for an unknown one', async () => {
      expect(await register.read('+12025559999')).toBeUndefined();
      await register.record({ phone: '+5215512345678', state: 'out', at: at(0), replyId: 'r-1' });
      expect(await register.read('+525512345678')).toEqual({ state: 'out' });
    });
  });
}
