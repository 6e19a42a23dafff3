import { describe, expect, it } from 'vitest';
import { type BusEvent, detailSchemas } from '../../../../../functions/bus/details.ts';
import type { EventBus, PublishOutcome } from '../../../../../functions/bus/event-bus-client.ts';
import { busEventId } from '../../../../../functions/bus/event-types.ts';
import { deactivate } from '../../../../../functions/setup/deactivate.ts';
import { reconcile } from '../../../../../functions/setup/reconcile.ts';
import { register } from '../../../../../functions/setup/register.ts';
import type { SetupDependencies } from '../../../../../functions/setup/request.ts';
import { rotate } from '../../../../../functions/setup/rotate.ts';
import { WebhookSecretError } from '../../../../../functions/webhook/webhook-secret-store.ts';
import { createMemoryBus } from '../doubles/memory-bus.ts';
import { hour, startSetup, webhookUrl } from '../doubles/setup-under-test.ts';

const elsewhere = 'https://other.example/hook';
const gently = { force: false, overlap: true };
const drifted = (kind: string, isRepaired = true) => ({
  name: 'WEBHOOK_DRIFTED',
  fields: { kind, isRepaired },
});

/** A registered webhook, and nothing logged. */
async function startRegistered() {
  const setup = await startSetup();
  await register(setup.dependencies);
  setup.log.lines.length = 0;
  return { ...setup, told: () => setup.log.lines.filter(({ name }) => name === 'WEBHOOK_DRIFTED') };
}

describe('a registration', () => {
  it('tells what it puts right', async () => {
    const { dependencies, changeElsewhere, told, log } = await startRegistered();
    await changeElsewhere({ url: elsewhere, rotate: true });
    await register(dependencies);
    expect(told()).toEqual([drifted('url-changed'), drifted('secret-rotated')]);
    expect(log.counts.get('webhookDrifted')).toBe(1);
  });

  it('does not tell again what a run has told, and it is known no more', async () => {
    const { dependencies, changeElsewhere, told, state } = await startRegistered();
    await changeElsewhere({ url: elsewhere });
    await reconcile({ ...dependencies, onDrift: 'report' });
    await register(dependencies);
    expect(told()).toEqual([drifted('url-changed', false)]);
    expect(state.known.drift).toBeUndefined();
  });

  it('is no drift where none was wanted: the first one, and the one after a deactivation', async () => {
    const { dependencies, changeElsewhere, log } = await startSetup();
    await changeElsewhere({ url: elsewhere });
    await register(dependencies);
    await deactivate(dependencies);
    await changeElsewhere({ rotate: true });
    await register(dependencies);
    expect(log.lines.map(({ name }) => name)).not.toContain('WEBHOOK_DRIFTED');
    expect(log.counts.get('webhookDrifted')).toBeUndefined();
  });
});

describe('a rotation', () => {
  it('tells of the secret it takes over, though it is refused, and it is known no more', async () => {
    const { dependencies, changeElsewhere, told, state, log, advance } = await startRegistered();
    await changeElsewhere({ rotate: true });
    await reconcile({ ...dependencies, onDrift: 'report' });
    expect(state.known.drift?.kinds).toEqual(['secret-rotated']);
    advance(1_000);
    expect(await rotate(dependencies, gently)).toMatchObject({ error: { kind: 'overlap' } });
    expect(state.known.drift).toBeUndefined();
    expect(state.known.lastReconcile).toEqual({ at: '2026-01-15T12:00:01.000Z' });
    expect(told()).toEqual([drifted('secret-rotated', false)]);
    expect(log.counts.get('webhookDrifted')).toBe(2);
  });

  it('tells of the secret it takes over where it goes on', async () => {
    const { dependencies, changeElsewhere, told, logged } = await startRegistered();
    await changeElsewhere({ rotate: true });
    expect(await rotate(dependencies, { force: true, overlap: true })).toMatchObject({ ok: true });
    expect(told()).toEqual([drifted('secret-rotated')]);
    expect(logged()).toContain('SECRET_ROTATED');
  });

  it('claims to have taken over nothing that it could not store', async () => {
    const { dependencies, changeElsewhere, told, state } = await startRegistered();
    await changeElsewhere({ rotate: true });
    await reconcile({ ...dependencies, onDrift: 'report' });
    const replace = () =>
      Promise.reject(new WebhookSecretError('PutSecretValue of x: LimitExceededException'));
    const broken = { ...dependencies, store: { ...dependencies.store, replace } };
    expect(await rotate(broken, gently)).toMatchObject({
      error: { kind: 'secret-store', message: 'PutSecretValue of x: LimitExceededException' },
    });
    expect(told()).toEqual([drifted('secret-rotated', false)]);
    expect(state.known.drift?.kinds).toEqual(['secret-rotated']);
  });

  it('leaves another URL as it is, and as drifted, and tells of it as such', async () => {
    const { dependencies, changeElsewhere, told, state } = await startRegistered();
    await changeElsewhere({ url: elsewhere, rotate: true });
    expect(await rotate(dependencies, gently)).toMatchObject({
      error: { kind: 'not-registered', message: expect.stringContaining('that one is stored now') },
    });
    expect(told()).toEqual([drifted('url-changed', false), drifted('secret-rotated')]);
    expect(state.known.drift?.kinds).toEqual(['url-changed']);
  });

  it('tells of nothing where nothing was changed', async () => {
    const { dependencies, told, state } = await startRegistered();
    const { lastReconcile } = state.known;
    expect(await rotate(dependencies, gently)).toMatchObject({ ok: true });
    expect([told(), state.known.lastReconcile]).toEqual([[], lastReconcile]);
  });
});

describe('on the bus', () => {
  const failed: PublishOutcome = { kind: 'failed', error: 'ThrottlingException' };
  const published: PublishOutcome = { kind: 'published' };
  const both = { url: elsewhere, rotate: true };

  it('there is one event for each thing, the first time it is seen', async () => {
    const { dependencies, changeElsewhere, bus, advance } = await startRegistered();
    await changeElsewhere(both);
    for (let times = 0; times < 2; times++) {
      await reconcile({ ...dependencies, onDrift: 'report' });
      advance(60_000);
    }
    const foundAt = '2026-01-15T12:00:00.000Z';
    const detail = { version: 1, isRepaired: false, foundAt };
    expect(bus.published).toEqual(
      (['url-changed', 'secret-rotated'] as const).map((kind) => ({
        detailType: 'SMS Webhook Drifted',
        detail: { ...detail, kind, eventId: busEventId('drift', kind, foundAt) },
      })),
    );
    for (const { detailType, detail } of bus.published)
      expect(detailSchemas[detailType].safeParse(detail).error).toBeUndefined();
  });

  it('what fails is tried again alone', async () => {
    const { dependencies, changeElsewhere, logged, sleeps } = await startRegistered();
    const bus = createMemoryBus([published, failed]);
    await changeElsewhere(both);
    await reconcile({ ...dependencies, bus });
    expect(bus.calls.map((events) => events.length)).toEqual([2, 1]);
    expect(bus.published).toHaveLength(2);
    expect(sleeps).toContain(200);
    expect(logged()).not.toContain('DRIFT_NOT_PUBLISHED');
  });

  it('what fails three times is logged, and what was changed is repaired all the same', async () => {
    const { dependencies, changeElsewhere, service, log, state } = await startRegistered();
    const bus = createMemoryBus([failed], [failed], [failed]);
    await changeElsewhere({ url: elsewhere });
    expect(await reconcile({ ...dependencies, bus })).toMatchObject({ ok: true });
    expect(log.lines).toContainEqual({
      name: 'DRIFT_NOT_PUBLISHED',
      fields: { events: 1, error: 'ThrottlingException' },
    });
    expect(bus.calls).toHaveLength(3);
    expect(await service.readWebhook()).toMatchObject({ value: { url: webhookUrl } });
    expect(state.known.drift).toBeUndefined();
  });

  /** Runs at the schedule's pace, each with a bus of its own. */
  function scheduled({ dependencies, advance }: Awaited<ReturnType<typeof startRegistered>>) {
    return async (bus: EventBus, change: Partial<SetupDependencies> = {}) => {
      const deadline = dependencies.clock() + 45_000;
      await reconcile({ ...dependencies, deadline, bus, ...change });
      advance(300_000);
    };
  }
  const down = () => createMemoryBus(...Array(9).fill([failed, failed]));
  const idsOf = (events: readonly BusEvent[]) => events.map(({ detail }) => detail.eventId);

  it.each(['repair', 'report'] as const)(
    'what no run could publish is published by a later one, as it was found (%s)',
    async (onDrift) => {
      const setup = await startRegistered();
      const run = scheduled(setup);
      const foundAt = new Date(setup.dependencies.clock()).toISOString();
      await setup.changeElsewhere(both);
      await run(down(), { onDrift });
      await run(down(), { onDrift });
      const bus = createMemoryBus();
      await run(bus, { onDrift });
      await run(bus, { onDrift });
      expect(bus.published).toMatchObject([
        { detail: { kind: 'url-changed', foundAt, isRepaired: onDrift === 'repair' } },
        { detail: { kind: 'secret-rotated', foundAt, isRepaired: onDrift === 'repair' } },
      ]);
      expect(new Set(idsOf(bus.published)).size).toBe(2);
      expect(setup.told()).toHaveLength(2);
      expect(setup.state.known.pendingDrift).toBeUndefined();
    },
  );

  it('what was published and is not noted as such is published again with the same id', async () => {
    const setup = await startRegistered();
    const run = scheduled(setup);
    await setup.changeElsewhere({ url: elsewhere });
    const bus = createMemoryBus();
    const forgetPendingDrift = () => Promise.reject(new Error('crash'));
    await run(bus, { state: { ...setup.dependencies.state, forgetPendingDrift } });
    await run(bus);
    await run(bus);
    expect(bus.published).toHaveLength(2);
    expect(new Set(idsOf(bus.published)).size).toBe(1);
    expect(setup.logged()).toContain('STATE_NOT_WRITTEN');
  });

  it('what is pending is told after a deactivation too', async () => {
    const setup = await startRegistered();
    const run = scheduled(setup);
    await setup.changeElsewhere({ url: elsewhere });
    await run(down());
    await deactivate(setup.dependencies);
    const bus = createMemoryBus();
    await run(bus);
    expect(bus.published).toMatchObject([{ detail: { kind: 'url-changed' } }]);
  });

  it('nothing is begun once the time is up, and the next run tells it', async () => {
    const setup = await startRegistered();
    const run = scheduled(setup);
    await setup.changeElsewhere({ url: elsewhere });
    const bus = createMemoryBus();
    await run(bus, { deadline: setup.dependencies.clock() });
    expect(bus.calls).toEqual([]);
    expect(setup.log.lines).toContainEqual({
      name: 'DRIFT_NOT_PUBLISHED',
      fields: { events: 1, error: 'OutOfTime' },
    });
    await run(bus);
    expect(bus.published).toHaveLength(1);
  });

  it('what the bus has not taken for a day is given up', async () => {
    const setup = await startRegistered();
    const run = scheduled(setup);
    await setup.changeElsewhere({ url: elsewhere });
    await run(down());
    setup.advance(24 * hour - 400_000);
    await run(down());
    expect(setup.state.known.pendingDrift).toHaveLength(1);
    await run(down());
    expect(setup.state.known.pendingDrift).toBeUndefined();
  });

  /** A call that another run overtakes the first time it is made. */
  function overtaken<A extends readonly unknown[], R>(
    call: (...args: A) => Promise<R>,
    other: () => Promise<unknown>,
  ) {
    let isFirst = true;
    return async (...args: A): Promise<R> => {
      if (isFirst) {
        isFirst = false;
        await other();
      }
      return call(...args);
    };
  }

  it.each(['repair', 'report'] as const)('of two runs at once one tells it (%s)', async (onDrift) => {
    const { dependencies, changeElsewhere, advance, bus, told, log } = await startRegistered();
    const { service, state } = dependencies;
    await changeElsewhere({ url: elsewhere });
    const other = async () => {
      await reconcile({ ...dependencies, onDrift });
      advance(50);
    };
    // Both have seen it by then: the one that repairs, before it does so.
    await reconcile({
      ...dependencies,
      onDrift,
      ...(onDrift === 'repair'
        ? { service: { ...service, setWebhook: overtaken(service.setWebhook, other) } }
        : { state: { ...state, noteDrift: overtaken(state.noteDrift, other) } }),
    });
    expect(bus.published).toHaveLength(1);
    expect(told()).toHaveLength(1);
    expect(log.counts.get('webhookDrifted')).toBe(2);
  });

  it('a run that saw nothing takes nothing back that a newer one has noted', async () => {
    const setup = await startRegistered();
    const run = scheduled(setup);
    const { state } = setup.dependencies;
    const bus = createMemoryBus();
    const other = async () => {
      await setup.changeElsewhere({ url: elsewhere });
      await run(bus, { onDrift: 'report' });
    };
    const recordReconcile = overtaken(state.recordReconcile, other);
    await run(bus, { onDrift: 'report', state: { ...state, recordReconcile } });
    await run(bus, { onDrift: 'report' });
    expect(bus.published).toHaveLength(1);
  });

  it('nor does one that saw that something had been put right', async () => {
    const setup = await startRegistered();
    const run = scheduled(setup);
    const { state } = setup.dependencies;
    const bus = createMemoryBus();
    await setup.changeElsewhere({ url: elsewhere });
    await run(bus, { onDrift: 'report' });
    await setup.changeElsewhere({ url: webhookUrl });
    const other = async () => {
      await setup.changeElsewhere({ rotate: true });
      await run(bus, { onDrift: 'report' });
    };
    const noteDrift = overtaken(state.noteDrift, other);
    await run(bus, { onDrift: 'report', state: { ...state, noteDrift } });
    await run(bus, { onDrift: 'report' });
    expect(bus.published).toMatchObject([
      { detail: { kind: 'url-changed' } },
      { detail: { kind: 'secret-rotated' } },
    ]);
    expect(setup.state.known.drift?.kinds).toEqual(['secret-rotated']);
  });

  it('nor does one that saw something else', async () => {
    const setup = await startRegistered();
    const { dependencies, changeElsewhere, advance, bus } = setup;
    const { state } = dependencies;
    await changeElsewhere({ url: elsewhere });
    const other = async () => {
      await changeElsewhere({ url: webhookUrl, rotate: true });
      advance(50);
      await reconcile({ ...dependencies, onDrift: 'report' });
    };
    const noteDrift = overtaken(state.noteDrift, other);
    await reconcile({ ...dependencies, onDrift: 'report', state: { ...state, noteDrift } });
    expect(setup.state.known.drift?.kinds).toEqual(['url-changed', 'secret-rotated']);
    advance(50);
    await reconcile({ ...dependencies, onDrift: 'report' });
    const kinds = setup.told().map(({ fields }) => fields);
    expect(kinds).toEqual([drifted('secret-rotated', false).fields, drifted('url-changed', false).fields]);
    expect(new Set(idsOf(bus.published)).size).toBe(2);
    expect(setup.state.known.drift?.kinds).toEqual(['secret-rotated']);
  });

  it('what the bus refuses is given up, and logged once', async () => {
    const setup = await startRegistered();
    const run = scheduled(setup);
    await setup.changeElsewhere(both);
    const bus = createMemoryBus([{ kind: 'refused', error: 'ValidationException' }, failed]);
    await run(bus);
    await run(bus);
    expect(bus.calls.map((events) => events.map(({ detail }) => detail))).toMatchObject([
      [{ kind: 'url-changed' }, { kind: 'secret-rotated' }],
      [{ kind: 'secret-rotated' }],
    ]);
    expect(setup.state.known.pendingDrift).toBeUndefined();
    expect(setup.log.lines.filter(({ name }) => name === 'DRIFT_NOT_PUBLISHED')).toEqual([
      { name: 'DRIFT_NOT_PUBLISHED', fields: { events: 1, error: 'ValidationException' } },
    ]);
  });

  it('the bus may begin calls until the time is up', async () => {
    const { dependencies, changeElsewhere, advance } = await startRegistered();
    const asked: (boolean | undefined)[] = [];
    const publish: EventBus['publish'] = async (events, hasTime) => {
      asked.push(hasTime?.());
      advance(45_000);
      asked.push(hasTime?.());
      return events.map(() => published);
    };
    await changeElsewhere({ url: elsewhere });
    await reconcile({ ...dependencies, bus: { publish } });
    expect(asked).toEqual([true, false]);
  });

  it('what cannot be noted is told all the same', async () => {
    const setup = await startRegistered();
    await setup.changeElsewhere({ url: elsewhere });
    const bus = createMemoryBus();
    const noteDrift = () => Promise.reject(new Error('DynamoDB is down'));
    await scheduled(setup)(bus, { state: { ...setup.dependencies.state, noteDrift } });
    expect(bus.published).toHaveLength(1);
    expect(setup.told()).toEqual([drifted('url-changed')]);
    expect(setup.log.lines).toContainEqual({ name: 'STATE_NOT_WRITTEN', fields: { error: 'Error' } });
  });

  it('nothing is tried again when the time is up', async () => {
    const { dependencies, changeElsewhere, log } = await startRegistered();
    const bus = createMemoryBus([failed]);
    await changeElsewhere({ url: elsewhere });
    await reconcile({ ...dependencies, bus, deadline: dependencies.clock() + 100 });
    expect(bus.calls).toHaveLength(1);
    expect(log.lines.map(({ name }) => name)).toContain('DRIFT_NOT_PUBLISHED');
  });

  it('nothing is told where nothing was changed', async () => {
    const { dependencies, bus } = await startRegistered();
    await reconcile(dependencies);
    expect(bus.calls).toEqual([]);
  });
});
