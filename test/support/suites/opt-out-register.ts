import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OptOutReader } from '../../../functions/automations/opt-out/opt-out-read-store.ts';
import type { OptOutStatement } from '../../../functions/history/opt-out/opt-out.ts';
import type { OptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { assertProperty } from '../property.ts';
import { at } from './reports.ts';

type Change = Omit<OptOutStatement, 'phone'>;

// Few moments, replies and messages, so that many changes compete for one.
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    state: fc.constantFrom('out' as const, 'in' as const),
    at: fc.integer({ min: 0, max: 4 }).map(at),
    by: fc.constant('person' as const),
    replyId: fc.constantFrom('1', '2', '3'),
  }),
  fc.record({
    state: fc.constant('out' as const),
    at: fc.integer({ min: 0, max: 4 }).map(at),
    by: fc.constant('provider' as const),
    messageId: fc.constantFrom('1', '2'),
    eventId: fc.constantFrom('e-1', 'e-2'),
  }),
);
const changes = fc
  .uniqueArray(change, { minLength: 1, maxLength: 6, selector: (one) => JSON.stringify(one) })
  .chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray([...all, ...all], { minLength: all.length, maxLength: all.length * 2 }),
    ),
  );

/** Of copies the earliest counts, of what is left the newest, and of one moment "out". */
function latestState(all: readonly Change[]): OptOutStatement['state'] | undefined {
  const idOf = ({ at: _, ...id }: Change) => JSON.stringify(id);
  const first = all.filter((one) => all.every((other) => idOf(other) !== idOf(one) || other.at >= one.at));
  const newest = first
    .map((one) => one.at)
    .toSorted()
    .at(-1);
  const says = first.filter((one) => one.at === newest).map(({ state }) => state);
  return says.includes('out') ? 'out' : says[0];
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

    it('has the same state for any order and repetition of STOP, START and failures, also when they are concurrent', async () => {
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
        { phone, state: 'in', at: at(2), by: 'person', replyId: 'r-2', eventId: 'b' },
        { phone, state: 'out', at: at(1), by: 'person', replyId: 'r-1', eventId: 'a' },
      );
      expect(await register.read(phone)).toEqual({ state: 'in' });
      await register.record();
    });

    it('knows a number in each of its spellings, and has no state for an unknown one', async () => {
      expect(await register.read('+12025559999')).toBeUndefined();
      await register.record({
        phone: '+5215512345678',
        state: 'out',
        at: at(0),
        by: 'person',
        replyId: 'r-1',
      });
      expect(await register.read('+525512345678')).toEqual({ state: 'out' });
    });
  });
}
