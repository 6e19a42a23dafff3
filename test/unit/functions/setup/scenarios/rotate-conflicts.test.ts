import { describe, expect, it } from 'vitest';
import { rotate } from '../../../../../functions/setup/actions.ts';
import { reconcile } from '../../../../../functions/setup/reconcile.ts';
import type { SetupPorts } from '../../../../../functions/setup/request.ts';
import type { SecretDocument } from '../../../../../functions/webhook/secret-document.ts';
import { hang, type Step } from '../../sms-service/scripted-server.ts';
import {
  documentWith,
  hour,
  newSecret,
  oldSecret,
  read,
  scriptedWebhook,
  set,
  startScriptedSetup,
} from '../doubles/setup-under-test.ts';

const gently = { force: false, overlap: true };
const theirs = { since: '2026-01-15T12:00:00.000Z', by: 'another run', overlapMs: hour };
/** What a rotation leaves that took the secret over so long after noon. */
const rotatedAfter = (time: string): SecretDocument => ({
  version: 1,
  current: { secret: newSecret, since: `2026-01-15T12:00:${time}Z` },
  previous: { secret: oldSecret, validUntil: `2026-01-16T12:00:${time}Z` },
});
const rotated = rotatedAfter('03.000');

/** A registered webhook at a service that answers in this way when it is asked to rotate. */
async function start(whenAsked: (webhook: ReturnType<typeof scriptedWebhook>) => Step) {
  const webhook = scriptedWebhook();
  const script = { [read]: [webhook.show], [set]: [whenAsked(webhook)] };
  const setup = startScriptedSetup(script, documentWith(oldSecret));
  setup.state.known = { wanted: 'registered' };
  return {
    ...setup,
    ...webhook,
    /** Has something happen right before one of the run's swaps, the first being 1. */
    beforeSwap(number: number, happen: () => unknown) {
      setup.store.beforeSwap = async (reached) => {
        if (reached === number) await happen();
      };
    },
  };
}

describe('if another run stores before the mark', () => {
  it('its own mark, that run wins', async () => {
    const { dependencies, beforeSwap, store, server } = await start(({ rotates }) => rotates());
    beforeSwap(1, () => store.put({ ...documentWith(oldSecret), rotating: theirs }));
    expect(await rotate(dependencies, gently)).toMatchObject({
      error: { kind: 'rotation-under-way', message: expect.stringContaining('another run') },
    });
    expect(server.count(set)).toBe(0);
    expect(store.document?.rotating).toEqual(theirs);
  });
});

describe('if another run stores before the new secret', () => {
  it('the new secret under the mark, this one removes its mark', async () => {
    const { dependencies, beforeSwap, store, log, logged } = await start(({ rotates }) => rotates());
    beforeSwap(2, async () => {
      await reconcile({ ...dependencies, requestId: 'another' });
      expect(store.document).toMatchObject({ current: { secret: newSecret }, rotating: {} });
    });
    expect(await rotate(dependencies, gently)).toMatchObject({
      kind: 'ok',
      value: { secret: { matchesService: true, rotating: null } },
    });
    expect(store.document).toEqual(rotated);
    expect(logged()).toEqual(['SECRET_STORED_UNDER_MARK', 'SECRET_ROTATED']);
    expect(log.counts.get('secretRotated')).toBe(1);
  });
});

it('a rotation whose mark another run has removed fails with `overtaken`', async () => {
  const { dependencies, store } = await start(() => hang);
  const sleep = async (ms: number) => {
    await dependencies.sleep(ms);
    if (ms === 1_000) store.put(documentWith(oldSecret));
  };
  expect(await rotate({ ...dependencies, sleep }, gently)).toMatchObject({ error: { kind: 'overtaken' } });
  expect(store.document).toEqual(documentWith(oldSecret));
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
    const { dependencies, store, server } = await start(({ rotates }) => rotates());
    const late = readingLate(dependencies.store, (read) => read === 2 || read === 3);
    expect(await rotate({ ...dependencies, store: late }, gently)).toMatchObject({ kind: 'ok' });
    expect([server.count(set), store.document]).toEqual([1, rotatedAfter('03.600')]);
  });

  it('that remains stale fails the run before it asks the service', async () => {
    const { dependencies, server } = await start(({ rotates }) => rotates());
    const late = readingLate(dependencies.store, (read) => read > 1);
    expect(await rotate({ ...dependencies, store: late }, gently)).toMatchObject({
      error: { kind: 'secret-store', message: expect.stringContaining('a version that was replaced') },
    });
    expect(server.count(set)).toBe(0);
  });
});
