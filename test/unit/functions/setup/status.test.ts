import { expect, it } from 'vitest';
import { register, status } from '../../../../functions/setup/actions.ts';
import { answer } from '../sms-service/scripted-server.ts';
import {
  documentWith,
  read,
  startScriptedSetup,
  startSetup,
  webhookUrl,
} from './doubles/setup-under-test.ts';

it('status reports a webhook that was never configured', async () => {
  const { dependencies, log } = startSetup();
  expect(await status(dependencies)).toEqual({
    kind: 'ok',
    value: {
      webhookUrl,
      registeredUrl: '',
      state: 'never-configured',
      serviceFailure: null,
      wanted: null,
      secret: {
        stored: false,
        matchesService: null,
        since: null,
        previousValidUntil: null,
        rotating: null,
      },
      drift: null,
      lastReconcile: null,
      lastVerifiedAt: null,
      mismatchesLastHour: 0,
      captureUntil: null,
    },
  });
  expect(log.lines).toEqual([]);
});

it('status finds a secret that was rotated elsewhere, and changes nothing', async () => {
  const { dependencies, changeElsewhere, store, state } = startSetup();
  await register(dependencies);
  const { document } = store;
  const { known } = state;
  changeElsewhere({ rotate: true });
  expect(await status(dependencies)).toMatchObject({
    value: { state: 'registered', secret: { stored: true, matchesService: false } },
  });
  expect(store.document).toBe(document);
  expect(state.known).toBe(known);
});

it('status reports the rest of the state, and a rotation that was left unfinished', async () => {
  const rotating = { since: '2026-01-15T11:59:00.000Z', by: 'a run that died', overlapMs: 0 };
  const { dependencies, state } = startScriptedSetup(
    { [read]: [answer(200, { url: webhookUrl, secret: 'whsec_b2xk' })] },
    { ...documentWith('whsec_b2xk'), rotating },
  );
  const drift = { kinds: ['url-changed'], since: '2026-01-15T11:00:00.000Z' } as const;
  state.known = { wanted: 'registered', drift, lastVerifiedAt: '2026-01-15T11:58:00.000Z' };
  await state.addMismatches(12, dependencies.clock());
  expect(await status(dependencies)).toMatchObject({
    value: {
      wanted: 'registered',
      secret: { rotating: { since: rotating.since, by: 'a run that died' } },
      drift,
      lastReconcile: null,
      lastVerifiedAt: '2026-01-15T11:58:00.000Z',
      mismatchesLastHour: 12,
    },
  });
});

it('status reads neither the service nor the store again after a run', async () => {
  const { dependencies, journal } = startScriptedSetup({});
  const seen = { service: { url: webhookUrl, secret: 's' }, document: documentWith('s') };
  expect(await status(dependencies, seen)).toMatchObject({ value: { secret: { matchesService: true } } });
  expect(journal).toEqual([]);
});

it('status reports why the service cannot be read, and the stored facts', async () => {
  const { dependencies, state } = startScriptedSetup(
    { [read]: [answer(403, 'no')] },
    documentWith('whsec_b2xk'),
  );
  state.known = { wanted: 'registered', lastVerifiedAt: '2026-01-15T11:58:00.000Z' };
  expect(await status(dependencies)).toMatchObject({
    kind: 'ok',
    value: {
      registeredUrl: '',
      state: 'unknown',
      serviceFailure: 'read webhook: the SMS service answered 403 (refused): no',
      wanted: 'registered',
      secret: { stored: true, matchesService: null, since: '2026-01-01T00:00:00.000Z' },
      lastVerifiedAt: '2026-01-15T11:58:00.000Z',
    },
  });
});
