import { describe, expect, it } from 'vitest';
import { deadlineAt } from '../../../../../functions/base/basics.ts';
import { register, rotate } from '../../../../../functions/registration/setup/actions.ts';
import type { SetupPorts } from '../../../../../functions/registration/setup/request.ts';
import { hour, read, set, startSetup, webhookUrl } from './doubles/setup-under-test.ts';

const gently = { force: false, overlap: true };

/** A registered webhook, and nothing in the journal. */
async function startRegistered() {
  const setup = startSetup();
  await register(setup.dependencies);
  setup.journal.length = 0;
  setup.log.lines.length = 0;
  setup.store.stored.length = 0;
  const { document } = setup.store;
  return { ...setup, document, secret: document?.current.secret ?? '' };
}

describe('a rotation', () => {
  it('stores its mark, waits until every reader can see it, asks, and then stores the new secret', async () => {
    const { dependencies, store, service, journal, secret } = await startRegistered();
    expect(await rotate(dependencies, gently)).toMatchObject({
      kind: 'ok',
      value: {
        secret: {
          matchesService: true,
          since: '2026-01-15T12:00:03.000Z',
          previousValidUntil: '2026-01-16T12:00:03.000Z',
          rotating: null,
        },
      },
    });
    expect(journal).toEqual([read, 'store mark', 'pause 3000', read, set, 'store secrets']);
    const webhookAnswer = await service.read();
    const since = '2026-01-15T12:00:00.000Z';
    expect(store.stored).toEqual([
      {
        version: 1,
        current: { secret, since },
        rotating: { since, by: 'the rotate command (request-1)', overlapMs: 24 * hour },
      },
      {
        version: 1,
        current: {
          secret: webhookAnswer.kind === 'ok' ? webhookAnswer.value.secret : '',
          since: '2026-01-15T12:00:03.000Z',
        },
        previous: { secret, validUntil: '2026-01-16T12:00:03.000Z' },
      },
    ]);
    expect(webhookAnswer).toMatchObject({ value: { url: webhookUrl } });
  });

  it('is logged, counted and confirmed once', async () => {
    const { dependencies, log, state } = await startRegistered();
    await rotate(dependencies, gently);
    expect(log.lines).toEqual([{ name: 'SECRET_ROTATED', fields: {} }]);
    expect([...log.counts]).toEqual([['secretRotated', 1]]);
    expect(state.known.confirmed?.at).toBe('2026-01-15T12:00:03.000Z');
  });

  it('is rejected during the overlap, with the time left', async () => {
    const { dependencies, store, advance, journal } = await startRegistered();
    await rotate(dependencies, gently);
    const { document } = store;
    advance(90 * 60_000);
    journal.length = 0;
    expect(await rotate(dependencies, gently)).toMatchObject({
      kind: 'error',
      error: {
        kind: 'overlap',
        message: expect.stringContaining('for 22 h 30 min (until 2026-01-16T12:00:03.000Z)'),
      },
    });
    expect(journal).toEqual([read]);
    expect(store.document).toBe(document);
  });
});

describe('a rotation beside other runs', () => {
  it('adopts a secret that was rotated elsewhere first, and is rejected by its overlap', async () => {
    const { dependencies, changeElsewhere, store, secret } = await startRegistered();
    changeElsewhere({ rotate: true });
    expect(await rotate(dependencies, gently)).toMatchObject({
      error: {
        kind: 'overlap',
        message: expect.stringMatching(
          /^The secret had been rotated elsewhere; that one is stored now\. The /,
        ),
      },
    });
    expect(store.document?.previous?.secret).toBe(secret);
  });

  it('yields to a concurrent deactivation', async () => {
    const { dependencies, service, state } = await startRegistered();
    const sleep = async (ms: number) => {
      await state.setDesiredState('deactivated');
      await dependencies.sleep(ms);
    };
    await rotate({ ...dependencies, sleep }, gently);
    expect(await service.read()).toMatchObject({ value: { url: '' } });
  });
});

describe('a rotation with other failures', () => {
  const failing = () => Promise.reject(new Error('throttled'));

  it('succeeds if its confirmation cannot be written, and logs that', async () => {
    const { dependencies, state, log } = await startRegistered();
    const outcome = await rotate({ ...dependencies, state: { ...state, recordConfirmed: failing } }, gently);
    expect(outcome).toMatchObject({
      kind: 'ok',
      value: { secret: { matchesService: true, rotating: null } },
    });
    expect(log.lines).toContainEqual({ name: 'STATE_NOT_WRITTEN', fields: { error: 'Error' } });
  });

  it('fails with `state-table` if the state cannot be read afterwards', async () => {
    const { dependencies, state, store, secret } = await startRegistered();
    const outcome = await rotate({ ...dependencies, state: { ...state, read: failing } }, gently);
    expect(outcome).toMatchObject({
      error: { kind: 'state-table', message: expect.stringContaining('The secret was rotated') },
    });
    expect(store.document?.previous?.secret).toBe(secret);
  });

  it('does not ask the service after the deadline, and removes its mark', async () => {
    const { dependencies, store, document, journal } = await startRegistered();
    const deadline = deadlineAt(dependencies.clock() + 3_000, dependencies.clock);
    expect(await rotate({ ...dependencies, deadline }, gently)).toMatchObject({
      error: { kind: 'out-of-time' },
    });
    expect(journal).not.toContain(set);
    expect(store.document).toEqual(document);
  });

  it('does not ask for a webhook that was changed under the mark, and removes its mark', async () => {
    const { dependencies, store, document, journal, changeElsewhere } = await startRegistered();
    const sleep = async (ms: number) => {
      changeElsewhere({ url: 'https://other.example/hook' });
      await dependencies.sleep(ms);
    };
    expect(await rotate({ ...dependencies, sleep }, gently)).toMatchObject({
      error: { kind: 'not-registered' },
    });
    expect(journal).not.toContain(set);
    expect(store.document).toEqual(document);
  });
});

describe('a stale read of the store', () => {
  /** A store that answers some reads, counted from 1, with the version that it answered the first one with. */
  function readingLate(store: SetupPorts['store'], isLate: (read: number) => boolean) {
    let reads = 0;
    let first: Awaited<ReturnType<typeof store.read>>;
    const read = async () => {
      reads += 1;
      const stored = await store.read();
      if (reads === 1) first = stored;
      return isLate(reads) ? first : stored;
    };
    return { ...store, read };
  }

  it('after the mark was stored is repeated', async () => {
    const { dependencies, journal } = await startRegistered();
    const store = readingLate(dependencies.store, (read) => read === 2 || read === 3);
    expect(await rotate({ ...dependencies, store }, gently)).toMatchObject({
      value: { secret: { since: '2026-01-15T12:00:03.600Z', rotating: null } },
    });
    expect(journal.filter((entry) => entry === set)).toHaveLength(1);
  });

  it('that remains stale fails the run before it asks the service', async () => {
    const { dependencies, journal } = await startRegistered();
    const store = readingLate(dependencies.store, (read) => read > 1);
    expect(await rotate({ ...dependencies, store }, gently)).toMatchObject({
      error: { kind: 'secret-store', message: expect.stringContaining('a version that was replaced') },
    });
    expect(journal).not.toContain(set);
  });
});
