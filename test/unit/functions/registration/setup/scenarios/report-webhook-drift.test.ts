import { describe, expect, it } from 'vitest';
import { deadlineAt } from '../../../../../../functions/base/basics.ts';
import { detailSchemas } from '../../../../../../functions/publish/bus/details.ts';
import type { PublishOutcome } from '../../../../../../functions/publish/bus/event-bus-client.ts';
import { busEventId } from '../../../../../../functions/publish/bus/event-id.ts';
import { WebhookSecretError } from '../../../../../../functions/registration/secret/secret-document.ts';
import { register, rotate } from '../../../../../../functions/registration/setup/actions.ts';
import { reconcile } from '../../../../../../functions/registration/setup/reconcile.ts';
import { memoryBus } from '../../../../../support/fakes/event-bus.ts';
import { startSetup } from '../doubles/setup-under-test.ts';

const elsewhere = 'https://other.example/hook';
const gently = { force: false, overlap: true };
const drifted = (kind: string, isRepaired = true) => ({
  name: 'WEBHOOK_DRIFTED',
  fields: { kind, isRepaired },
});

/** A registered webhook, and nothing logged. */
async function startRegistered() {
  const setup = startSetup();
  await register(setup.dependencies);
  setup.log.lines.length = 0;
  return { ...setup, reported: () => setup.log.lines.filter(({ name }) => name === 'WEBHOOK_DRIFTED') };
}

describe('register', () => {
  it('reports the changes that it repairs', async () => {
    const { dependencies, changeElsewhere, reported, log } = await startRegistered();
    changeElsewhere({ url: elsewhere, rotate: true });
    await register(dependencies);
    expect(reported()).toEqual([drifted('url-changed'), drifted('secret-rotated')]);
    expect(log.counts.get('webhookDrifted')).toBe(1);
  });
});

describe('rotate', () => {
  it('reports the secret that it adopts and forgets the drift, even if the rotation is rejected', async () => {
    const { dependencies, changeElsewhere, reported, state, log, advance } = await startRegistered();
    changeElsewhere({ rotate: true });
    await reconcile({ ...dependencies, onDrift: 'report' });
    expect(state.known.drift?.kinds).toEqual(['secret-rotated']);
    advance(1_000);
    expect(await rotate(dependencies, gently)).toMatchObject({ error: { kind: 'overlap' } });
    expect(state.known.drift).toBeUndefined();
    expect(state.known.lastReconcile).toEqual({ at: '2026-01-15T12:00:01.000Z' });
    expect(reported()).toEqual([drifted('secret-rotated', false)]);
    expect(log.counts.get('webhookDrifted')).toBe(2);
  });

  it('reports no secret as adopted that it could not store', async () => {
    const { dependencies, changeElsewhere, reported, state } = await startRegistered();
    changeElsewhere({ rotate: true });
    await reconcile({ ...dependencies, onDrift: 'report' });
    const replace = () =>
      Promise.reject(new WebhookSecretError('PutSecretValue of x: LimitExceededException'));
    const broken = { ...dependencies, store: { ...dependencies.store, replace } };
    expect(await rotate(broken, gently)).toMatchObject({
      error: { kind: 'secret-store', message: 'PutSecretValue of x: LimitExceededException' },
    });
    expect(reported()).toEqual([drifted('secret-rotated', false)]);
    expect(state.known.drift?.kinds).toEqual(['secret-rotated']);
  });

  it('leaves another URL as it is, and reports it as not repaired', async () => {
    const { dependencies, changeElsewhere, reported, state } = await startRegistered();
    changeElsewhere({ url: elsewhere, rotate: true });
    expect(await rotate(dependencies, gently)).toMatchObject({
      error: { kind: 'not-registered', message: expect.stringContaining('that one is stored now') },
    });
    expect(reported()).toEqual([drifted('url-changed', false), drifted('secret-rotated')]);
    expect(state.known.drift?.kinds).toEqual(['url-changed']);
  });
});

describe('the event of a drift', () => {
  const failed: PublishOutcome = { kind: 'failed', error: 'ThrottlingException' };
  const both = { url: elsewhere, rotate: true };

  it('is published once for each change, by the run that finds it first', async () => {
    const { dependencies, changeElsewhere, bus, advance } = await startRegistered();
    changeElsewhere(both);
    for (let runs = 0; runs < 2; runs++) {
      await reconcile({ ...dependencies, onDrift: 'report' });
      advance(10_000);
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

  it.each(['repair', 'report'] as const)(
    'is logged as not published after three attempts, and no later run publishes it (%s)',
    async (onDrift) => {
      const { dependencies, changeElsewhere, log, state, bus, advance } = await startRegistered();
      const down = memoryBus(() => failed);
      changeElsewhere(both);
      expect(await reconcile({ ...dependencies, onDrift, bus: down })).toMatchObject({ kind: 'ok' });
      expect(down.calls).toHaveLength(3);
      expect(log.lines).toContainEqual({
        name: 'DRIFT_NOT_PUBLISHED',
        fields: { events: 2, error: 'ThrottlingException' },
      });
      expect(state.known.drift?.kinds).toEqual(
        onDrift === 'repair' ? undefined : ['url-changed', 'secret-rotated'],
      );
      advance(10_000);
      await reconcile({ ...dependencies, onDrift });
      expect(bus.calls).toEqual([]);
      expect(log.counts.get('webhookDrifted')).toBe(onDrift === 'repair' ? 1 : 2);
    },
  );

  it('is not retried if the bus rejects it', async () => {
    const { dependencies, changeElsewhere, log } = await startRegistered();
    const refused: PublishOutcome = { kind: 'refused', error: 'ValidationException' };
    const bus = memoryBus((_, asked) => [refused, failed][asked] ?? { kind: 'published' });
    changeElsewhere(both);
    await reconcile({ ...dependencies, bus });
    expect(bus.calls.map((events) => events.map(({ detail }) => detail))).toMatchObject([
      [{ kind: 'url-changed' }, { kind: 'secret-rotated' }],
      [{ kind: 'secret-rotated' }],
    ]);
    expect(log.lines.filter(({ name }) => name === 'DRIFT_NOT_PUBLISHED')).toEqual([
      { name: 'DRIFT_NOT_PUBLISHED', fields: { events: 1, error: 'ValidationException' } },
    ]);
  });

  it.each([
    [0, 0, 'OutOfTime'],
    [100, 1, 'ThrottlingException'],
  ])('is not published after the deadline: %i ms left, %i calls', async (leftMs, calls, error) => {
    const { dependencies, changeElsewhere, log } = await startRegistered();
    const { clock } = dependencies;
    const bus = memoryBus(() => failed);
    changeElsewhere({ url: elsewhere });
    await reconcile({ ...dependencies, bus, deadline: deadlineAt(clock() + leftMs, clock) });
    expect(bus.calls).toHaveLength(calls);
    expect(log.lines).toContainEqual({ name: 'DRIFT_NOT_PUBLISHED', fields: { events: 1, error } });
  });

  it('is published even if the drift cannot be noted', async () => {
    const { dependencies, changeElsewhere, bus, log, reported } = await startRegistered();
    const noteDrift = () => Promise.reject(new Error('DynamoDB is down'));
    changeElsewhere({ url: elsewhere });
    await reconcile({ ...dependencies, state: { ...dependencies.state, noteDrift } });
    expect(bus.published).toHaveLength(1);
    expect(reported()).toEqual([drifted('url-changed')]);
    expect(log.lines).toContainEqual({ name: 'STATE_NOT_WRITTEN', fields: { error: 'Error' } });
  });
});

describe('of two concurrent runs', () => {
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

  it.each(['repair', 'report'] as const)('one reports a change that both find (%s)', async (onDrift) => {
    const { dependencies, changeElsewhere, advance, bus, reported, log } = await startRegistered();
    const { service, state } = dependencies;
    changeElsewhere({ url: elsewhere });
    const other = async () => {
      advance(50);
      await reconcile({ ...dependencies, onDrift });
      advance(50);
    };
    // The other run overtakes this one after it has seen the change: before the repair, or before the note.
    await reconcile({
      ...dependencies,
      onDrift,
      ...(onDrift === 'repair'
        ? { service: { ...service, set: overtaken(service.set, other) } }
        : { state: { ...state, noteDrift: overtaken(state.noteDrift, other) } }),
    });
    expect(bus.published).toHaveLength(1);
    expect(reported()).toHaveLength(1);
    expect(log.counts.get('webhookDrifted')).toBe(2);
  });
});
