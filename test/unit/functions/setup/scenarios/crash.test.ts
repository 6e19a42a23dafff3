import { expect, it } from 'vitest';
import { register, rotate } from '../../../../../functions/setup/actions.ts';
import { reconcile } from '../../../../../functions/setup/reconcile.ts';
import type { SetupPorts } from '../../../../../functions/setup/request.ts';
import { acceptedSecrets, rotationLimitMs } from '../../../../../functions/webhook/secret-document.ts';
import { createMemorySetup, type Stop } from '../doubles/memory-setup.ts';
import { hour } from '../doubles/setup-under-test.ts';

type Setup = ReturnType<typeof createMemorySetup>;
type Run = (dependencies: SetupPorts) => Promise<unknown>;

/** @returns whether the run was stopped; false once there is no such call any more */
async function runUntil(setup: Setup, run: Run, stop?: Stop, change?: Partial<SetupPorts>) {
  const { dependencies, stopped } = setup.invoke(stop);
  return (await Promise.race([run({ ...dependencies, ...change }), stopped])) === 'stopped';
}

/** Stops a run at its first call, at its second..., before and after what the call does. @returns the stops tried */
async function stopEverywhere(tryStop: (stop: Stop) => Promise<boolean>): Promise<number> {
  let stops = 0;
  for (const isDone of [false, true])
    for (let at = 1; await tryStop({ at, isDone }); at++) {
      expect(at).toBeLessThan(100);
      stops++;
    }
  return stops;
}

/** Says where it failed: the number of the call is the only thing that differs. */
function expectSettled(setup: Setup, at: string, overlap: boolean): void {
  const { document } = setup.store;
  const accepted = document === undefined ? [] : acceptedSecrets(document, setup.clock());
  const { firstSecret, webhook } = setup;
  const keepsOld = overlap || webhook.secret === firstSecret;
  expect({
    at,
    broken: setup.broken,
    current: document?.current.secret,
    mark: document?.rotating,
    acceptsOld: accepted.includes(firstSecret),
    rotations: setup.rotations(),
  }).toEqual({
    at,
    broken: [],
    current: webhook.secret,
    mark: undefined,
    acceptsOld: keepsOld,
    rotations: webhook.secret === firstSecret ? 0 : 1,
  });
}

/** What the schedule does afterwards: at once, and once more past the limit of any mark. */
async function reconcileAfterwards(setup: Setup, onDrift: 'repair' | 'report'): Promise<void> {
  await runUntil(setup, reconcile, undefined, { onDrift });
  const { document } = setup.store;
  expect(document?.current.secret).toBe(setup.webhook.secret);
  if (document?.rotating === undefined) return;
  setup.advance(rotationLimitMs);
  await runUntil(setup, reconcile, undefined, { onDrift });
}

const cases = [true, false].flatMap((overlap) =>
  (['repair', 'report'] as const).map((onDrift) => ({ overlap, onDrift })),
);

it.each(cases)(
  'a rotation that crashes anywhere is settled by reconciling: %o',
  async ({ overlap, onDrift }) => {
    const stops = await stopEverywhere(async (stop) => {
      const setup = createMemorySetup();
      const run: Run = (dependencies) => rotate(dependencies, { force: false, overlap });
      const wasStopped = await runUntil(setup, run, stop);
      await reconcileAfterwards(setup, onDrift);
      expectSettled(setup, JSON.stringify(stop), overlap);
      return wasStopped;
    });
    // Each of the eleven calls of a rotation, and the reports afterwards.
    expect(stops).toBeGreaterThanOrEqual(20);
  },
);

it('a scheduled rotation that crashes anywhere is settled by the next run, which does not rotate again', async () => {
  const stops = await stopEverywhere(async (stop) => {
    const setup = createMemorySetup();
    const change = { rotateAfterMs: 24 * hour };
    const wasStopped = await runUntil(setup, reconcile, stop, change);
    // The last: a run that ended before it had begun is not followed by another one at once.
    for (const ms of [rotationLimitMs, rotationLimitMs, 6 * hour, rotationLimitMs]) {
      setup.advance(ms);
      await runUntil(setup, reconcile, undefined, change);
    }
    expectSettled(setup, JSON.stringify(stop), true);
    expect(setup.rotations()).toBe(1);
    return wasStopped;
  });
  expect(stops).toBeGreaterThanOrEqual(20);
});

it('runs that crash publish a change made elsewhere at most once', async () => {
  const stops = await stopEverywhere(async (first) => {
    let wasStopped = false;
    await stopEverywhere(async (second) => {
      const setup = createMemorySetup();
      setup.webhook.url = 'https://other.example/hook';
      wasStopped = await runUntil(setup, reconcile, first, { onDrift: 'report' });
      setup.advance(300_000);
      const wasStoppedAgain = await runUntil(setup, reconcile, second, { onDrift: 'report' });
      setup.advance(300_000);
      await runUntil(setup, reconcile, undefined, { onDrift: 'report' });
      const events = setup.published.length;
      expect({ first, second, atMostOnce: events <= 1 }).toEqual({ first, second, atMostOnce: true });
      expect(setup.state.known.drift?.kinds).toEqual(['url-changed']);
      return wasStoppedAgain;
    });
    return wasStopped;
  });
  expect(stops).toBeGreaterThanOrEqual(12);
});

it('a registration that crashes anywhere loses no earlier rotation', async () => {
  await stopEverywhere(async (stop) => {
    const setup = createMemorySetup();
    await runUntil(setup, (dependencies) => rotate(dependencies, { force: false, overlap: true }), {
      // Right after the service has rotated.
      at: 8,
      isDone: true,
    });
    expect(setup.rotations()).toBe(1);
    setup.webhook.url = 'https://other.example/hook';
    const wasStopped = await runUntil(setup, register, stop);
    await reconcileAfterwards(setup, 'repair');
    expectSettled(setup, JSON.stringify(stop), true);
    return wasStopped;
  });
});
