import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PipelineModel, type RunFaults } from './pipeline.ts';
import { faults } from './service.ts';

/** Schedules of each property, and where they begin: `MODEL_SEED=1 MODEL_SCHEDULES=100000 npm run model`. */
const schedules = Number(process.env.MODEL_SCHEDULES ?? 10_000);
const seed = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

const instances = 2;

type Command = (model: PipelineModel) => unknown;

/** Named, so that a schedule that breaks a promise can be read. */
function command(name: string, run: Command): Command {
  return Object.assign(run, { [fc.toStringMethod]: () => name });
}

const pick = fc.nat({ max: 30 });
const runFaults: fc.Arbitrary<RunFaults> = fc.record({
  setWebhook: fc.constantFrom(...faults),
  readsFail: fc.nat({ max: 9 }).map((number) => number === 0),
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
  .constantFrom(10, 300, 1_000, 2_100, 3_000, 3_000, 10_000, 70_000, 200_000)
  .map((ms) => command(`wait ${ms} ms`, (model) => model.schedule.tick(ms)));
const genuine = fc
  .tuple(pick, fc.boolean())
  .map(([instance, late]) =>
    command(`genuine ${instance}${late ? ' late' : ''}`, (model) => model.sendGenuine(instance, late)),
  );
const forged = pick.map((instance) => command(`forged ${instance}`, (model) => model.sendForged(instance)));
const work = fc.constant(command('work', (model) => model.work()));
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
const kill = pick.map((run) => command(`kill ${run}`, (model) => model.kill(run)));
const rotateElsewhere = fc.constant(
  command('rotate elsewhere', (model) => model.service.rotate('elsewhere')),
);

const usual: fc.MaybeWeightedArbitrary<Command>[] = [
  { weight: 12, arbitrary: steps },
  { weight: 3, arbitrary: wait },
  { weight: 4, arbitrary: genuine },
  { weight: 2, arbitrary: forged },
  { weight: 2, arbitrary: work },
  { weight: 2, arbitrary: reconcile },
  { weight: 1, arbitrary: kill },
];

/** Plays the schedules; what came of the requests of all of them, by `genuine stored`, `forged refused`... */
async function outcomesOf(...commands: fc.MaybeWeightedArbitrary<Command>[]): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const schedule = fc.array(fc.oneof(...commands), { minLength: 20, maxLength: 120, size: 'max' });
  await fc.assert(
    fc.asyncProperty(schedule, async (played) => {
      const model = new PipelineModel(instances);
      for (const run of played) await run(model);
      await model.finish();
      expect(model.broken).toEqual([]);
      for (const [outcome, count] of model.outcomes())
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
    }),
    { numRuns: schedules, seed },
  );
  const counts = [...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', ');
  console.info(`rotation model: ${schedules} schedules, seed ${seed}: ${counts}`);
  return outcomes;
}

describe('in any order of calls, answers, faults and crashes', { timeout: 600_000 }, () => {
  it('a rotation refuses and loses no genuine event, and accepts no forged one', async () => {
    const outcomes = await outcomesOf(...usual, {
      weight: 2,
      arbitrary: rotate(fc.constant(false), fc.constant(false)),
    });
    expect([...outcomes.keys()].toSorted()).toEqual([
      'forged quarantined',
      'forged refused',
      'genuine stored',
      'genuine verified',
    ]);
  });

  it('forced rotations, leaked secrets and rotations elsewhere cost only what nobody could know', async () => {
    const outcomes = await outcomesOf(
      ...usual,
      { weight: 2, arbitrary: rotate(fc.boolean(), rarely) },
      { weight: 1, arbitrary: rotateElsewhere },
    );
    for (const outcome of ['genuine verified', 'genuine stored', 'forged refused', 'forged quarantined'])
      expect(outcomes.get(outcome)).toBeGreaterThan(0);
  });
});
