import { expect, it } from 'vitest';
import { status } from '../../../../../functions/registration/setup/actions.ts';
import {
  documentWith,
  reportOf,
  startScriptedSetup,
  startSetup,
  webhookUrl,
} from './doubles/setup-under-test.ts';

it('status reports a webhook that was never configured', async () => {
  const { dependencies, log } = startSetup();
  expect(await status(dependencies)).toEqual({
    kind: 'ok',
    value: reportOf({
      registeredUrl: '',
      state: 'never-configured',
      desiredState: null,
      secret: { stored: false, matchesService: null, since: null },
      lastReconcile: null,
    }),
  });
  expect(log.lines).toEqual([]);
});

it('status reads neither the service nor the store again after a run', async () => {
  const { dependencies, journal } = startScriptedSetup({});
  const seen = { service: { url: webhookUrl, secret: 's' }, document: documentWith('s') };
  expect(await status(dependencies, seen)).toMatchObject({ value: { secret: { matchesService: true } } });
  expect(journal).toEqual([]);
});
