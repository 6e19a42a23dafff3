import { expect, it } from 'vitest';
import {
  acceptedSecrets,
  rotationLimitMs,
} from '../../../../../../functions/registration/secret/secret-document.ts';
import { register } from '../../../../../../functions/registration/setup/actions.ts';
import { reconcile } from '../../../../../../functions/registration/setup/reconcile.ts';
import type { SetupPorts } from '../../../../../../functions/registration/setup/request.ts';
import { hour, startSetup } from '../doubles/setup-under-test.ts';

/** Where a run is stopped: at a call of a port, counted from 1, before or after what the call does. */
interface Stop {
  readonly at: number;
  readonly isDone: boolean;
}

/** A registered webhook, and runs of `reconcile` that are stopped anywhere. */
async function start(change: Partial<SetupPorts>) {
  const setup = startSetup();
  await register(setup.dependencies);

  /** @returns whether the run was stopped; false once it makes no such call any more */
  async function reconcileUntil(stop?: Stop): Promise<boolean> {
    let calls = 0;
    const stopped = Promise.withResolvers<'stopped'>();
    const stoppable = <P extends object>(port: P): P =>
      new Proxy(port, {
        get: (target, name) => {
          const call: unknown = Reflect.get(target, name);
          if (typeof call !== 'function') return call;
          return async (...args: unknown[]) => {
            if (++calls < (stop?.at ?? Number.POSITIVE_INFINITY)) return call(...args);
            if (stop?.isDone) await call(...args);
            stopped.resolve('stopped');
            return new Promise(() => undefined);
          };
        },
      });
    const { service, store, state, bus, sleep, ...others } = setup.later();
    const run = reconcile({
      ...others,
      service: stoppable(service),
      store: stoppable(store),
      state: stoppable(state),
      bus: stoppable(bus),
      sleep: stoppable({ sleep }).sleep,
      ...change,
    });
    return (await Promise.race([run, stopped.promise])) === 'stopped';
  }
  return { ...setup, reconcileUntil };
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

it('a scheduled rotation that crashes anywhere is settled by the next run, which does not rotate again', async () => {
  const stops = await stopEverywhere(async (stop) => {
    const { reconcileUntil, store, webhook, rotations, advance, ports } = await start({
      rotateAfterMs: 24 * hour,
    });
    const first = webhook.secret;
    advance(24 * hour);
    const wasStopped = await reconcileUntil(stop);
    // The last: a run that ended before it had begun is not followed by another one at once.
    for (const ms of [rotationLimitMs, rotationLimitMs, 6 * hour, rotationLimitMs]) {
      advance(ms);
      await reconcileUntil();
    }
    const { document } = store;
    const accepted = document && acceptedSecrets(document, ports.clock());
    expect([stop, document?.rotating, accepted]).toEqual([stop, undefined, [webhook.secret, first]]);
    expect(rotations()).toBe(1);
    return wasStopped;
  });
  expect(stops).toBeGreaterThanOrEqual(20);
});

it('runs that crash publish a change made elsewhere at most once', async () => {
  const stops = await stopEverywhere(async (first) => {
    let wasStopped = false;
    await stopEverywhere(async (second) => {
      const { reconcileUntil, changeElsewhere, bus, state, advance } = await start({ onDrift: 'report' });
      changeElsewhere({ url: 'https://other.example/hook' });
      wasStopped = await reconcileUntil(first);
      advance(300_000);
      const wasStoppedAgain = await reconcileUntil(second);
      advance(300_000);
      await reconcileUntil();
      const atMostOnce = bus.published.length <= 1;
      expect({ first, second, atMostOnce }).toEqual({ first, second, atMostOnce: true });
      expect(state.known.drift?.kinds).toEqual(['url-changed']);
      return wasStoppedAgain;
    });
    return wasStopped;
  });
  expect(stops).toBeGreaterThanOrEqual(12);
});
