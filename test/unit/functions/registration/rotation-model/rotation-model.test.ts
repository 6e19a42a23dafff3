import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertySeed } from '../../../../support/fixed-seed.ts';
import { assertProperty } from '../../../../support/property.ts';
import { PipelineModel, type RunFaults } from './pipeline.ts';
import { faults } from './service.ts';

/** Schedules of each property; the nightly run tries more. */
const schedules = Number(process.env.PROPERTY_RUNS ?? 100);

const instances = 2;

type Command = (model: PipelineModel) => unknown;

/** Named, so that a schedule that breaks a promise can be read. */
function command(name: string, run: Command): Command {
  return Object.assign(run, { [fc.toStringMethod]: () => name });
}

const pick = fc.nat({ max: 30 });
const runFaults: fc.Arbitrary<RunFaults> = fc.record({
  setWebhook: fc.constantFrom(...faults),
  reads: fc.nat({ max: 9 }).map((number) => (number === 0 ? 'fails' : number === 1 ? 'is old' : 'none')),
  stalls: fc.boolean(),
  write: fc.option(fc.record({ number: fc.nat({ max: 2 }), isMade: fc.boolean() }), {
    nil: undefined,
    freq: 4,
  }),
});
const rarely = fc.nat({ max: 4 }).map((number) => number === 0);

const steps = fc.array(pick, { minLength: 1, maxLength: 8 }).map((calls) =>
  command(`steps ${calls}`, async (model) => {
    for (const call of calls) await model.schedule.step(call);
  }),
);
const wait = fc
  .constantFrom(10, 300, 1_000, 2_100, 3_000, 3_000, 10_000, 20_000, 45_000, 70_000, 200_000, 86_400_000)
  .map((ms) => command(`wait ${ms} ms`, (model) => model.schedule.tick(ms)));
const genuine = fc
  .tuple(pick, fc.boolean())
  .map(([instance, late]) =>
    command(`genuine ${instance}${late ? ' late' : ''}`, (model) => model.sendGenuine(instance, late)),
  );
const leaked = pick.map((instance) => command(`leaked ${instance}`, (model) => model.sendLeaked(instance)));
const forged = pick.map((instance) => command(`forged ${instance}`, (model) => model.sendForged(instance)));
const work = fc
  .boolean()
  .map((readsOld) => command(`work${readsOld ? ' on an old read' : ''}`, (model) => model.work(readsOld)));
const rotate = (force: fc.Arbitrary<boolean>, leaked: fc.Arbitrary<boolean>) =>
  fc
    .tuple(force, leaked, runFaults)
    .map(([isForced, isLeaked, given]) =>
      command(
        `rotate${isForced ? ' forced' : ''}${isLeaked ? ' no overlap' : ''} ${fc.stringify(given)}`,
        (model) => model.rotate(isForced, !isLeaked, given),
      ),
    );
const reconcile = runFaults.map((given) =>
  command(`reconcile ${fc.stringify(given)}`, (model) => model.reconcile(given)),
);
const setBack = fc
  .constantFrom(100, 3_000, 4_800, 60_000, 3_600_000)
  .map((ms) => command(`set the wall clock back ${ms} ms`, (model) => model.setWallClockBack(ms)));
const kill = pick.map((run) => command(`kill ${run}`, (model) => model.kill(run)));
const rotateElsewhere = fc.constant(
  command('rotate elsewhere', (model) => model.service.rotate('elsewhere')),
);

const returnToEarlier = fc.constant(
  command('return to an earlier secret', (model) => model.service.returnToEarlier()),
);

/** A rotation that gets as far as the service, and genuine events while the new secret is not stored yet. */
const episode = (force: fc.Arbitrary<boolean>) =>
  fc
    .record({
      isForced: force,
      given: runFaults,
      before: fc.array(pick, { minLength: 6, maxLength: 10 }),
      during: fc.array(pick, { minLength: 4, maxLength: 9 }),
      isKilled: fc.boolean(),
      after: fc.array(pick, { maxLength: 12 }),
    })
    .map(({ isForced, given, before, during, isKilled, after }) =>
      command(
        `episode${isForced ? ' forced' : ''}${isKilled ? ' killed' : ''} ${fc.stringify([given, before, during, after])}`,
        async (model) => {
          model.rotate(isForced, true, given);
          for (const call of before) await model.schedule.step(call);
          await model.schedule.tick(1_400);
          // An instance may have read the document just before it shows the mark.
          model.sendForged(0);
          for (const call of during) await model.schedule.step(call);
          await model.schedule.tick(1_600);
          for (const call of during) await model.schedule.step(call);
          if (isKilled) model.kill(0);
          model.sendGenuine(0, false);
          model.sendGenuine(1, true);
          for (const call of after) await model.schedule.step(call);
        },
      ),
    );

/** A rotation that stands still on its way to the service until its mark was removed as overdue. */
const frozen = fc
  .record({
    before: fc.array(pick, { minLength: 5, maxLength: 14 }),
    during: fc.array(pick, { maxLength: 6 }),
    after: fc.array(pick, { minLength: 2, maxLength: 8 }),
  })
  .map(({ before, during, after }) =>
    command(`frozen ${fc.stringify([before, during, after])}`, async (model) => {
      model.rotate(false, true, { setWebhook: 'none', reads: 'none', stalls: false, write: undefined });
      for (const call of before) await model.schedule.step(call);
      await model.schedule.tick(3_000);
      for (const call of during) await model.schedule.step(call);
      await model.schedule.tick(80_000);
      await model.schedule.tick(110_000);
      model.reconcile();
      for (let step = 0; step < 40; step++) await model.schedule.step(0);
      await model.schedule.tick(150_000);
      for (const call of after) await model.schedule.step(call);
      model.sendGenuine(0, false);
      model.sendGenuine(1, false);
    }),
  );

const usual: fc.MaybeWeightedArbitrary<Command>[] = [
  { weight: 12, arbitrary: steps },
  { weight: 3, arbitrary: wait },
  { weight: 4, arbitrary: genuine },
  { weight: 2, arbitrary: forged },
  { weight: 1, arbitrary: leaked },
  { weight: 2, arbitrary: work },
  { weight: 2, arbitrary: reconcile },
  { weight: 1, arbitrary: kill },
  { weight: 1, arbitrary: setBack },
];

/** Plays the schedules; what came of the requests of all of them, by `genuine stored`, `forged rejected`... */
async function outcomesOf(...commands: fc.MaybeWeightedArbitrary<Command>[]): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const schedule = fc.array(fc.oneof(...commands), { minLength: 20, maxLength: 120, size: 'max' });
  await assertProperty(
    fc.asyncProperty(schedule, async (played) => {
      const model = new PipelineModel(instances);
      for (const run of played) await run(model);
      await model.finish();
      expect(model.broken).toEqual([]);
      for (const [outcome, count] of model.outcomes())
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
    }),
    { numRuns: schedules },
  );
  const counts = [...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', ');
  // The console of a test that passes is not shown.
  process.stdout.write(`rotation model: ${schedules} schedules, seed ${propertySeed}: ${counts}\n`);
  // The schedules reach what the promises are about.
  expect(outcomes.get('genuine stored')).toBeGreaterThan(schedules / 10);
  return outcomes;
}

describe('in any order of calls, answers, faults and crashes', { timeout: 600_000 }, () => {
  it('a rotation rejects and loses no genuine event, and accepts no forged one', async () => {
    const never = fc.constant(false);
    const outcomes = await outcomesOf(
      ...usual,
      { weight: 1, arbitrary: rotate(never, never) },
      { weight: 2, arbitrary: episode(never) },
      { weight: 1, arbitrary: frozen },
    );
    expect([...outcomes.keys()].toSorted()).toEqual([
      'forged quarantined',
      'forged rejected',
      'genuine stored',
      'genuine verified',
    ]);
  });

  it('forced rotations, leaked secrets and rotations elsewhere cost only what no reader could know', async () => {
    const outcomes = await outcomesOf(
      ...usual,
      { weight: 1, arbitrary: rotate(fc.boolean(), rarely) },
      { weight: 2, arbitrary: episode(fc.boolean()) },
      { weight: 1, arbitrary: rotateElsewhere },
    );
    for (const outcome of ['genuine verified', 'genuine stored', 'forged rejected', 'forged quarantined'])
      expect(outcomes.get(outcome)).toBeGreaterThan(0);
  });

  it('a forced rotation ends the use of an earlier secret, and costs no event of the new one', async () => {
    await outcomesOf(
      ...usual,
      { weight: 2, arbitrary: rotate(fc.boolean(), rarely) },
      { weight: 2, arbitrary: episode(fc.boolean()) },
      { weight: 1, arbitrary: returnToEarlier },
    );
  });
});
