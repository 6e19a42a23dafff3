import { expect, it } from 'vitest';
import { judgeRetries } from '../../../../../cli/commands/doctor/retries.ts';

const source = 'https://service.example/retries';
const day = { hours: 24, describe: 'For 24 hours.', source };
const never = { hours: 0, describe: 'One retry.', urlSuffix: '#rc=5&rp=all', source };

it.each([
  ['a day of retries', day, false, 'ok', 'For 24 hours.', undefined],
  ['retries of seconds', never, false, 'warn', 'One retry.', 'An outage of minutes loses reports for good'],
  ['a setting of the service', never, false, 'warn', 'One retry.', 'output WebhookUrlWithRetries'],
  [
    'retries of a quarter of an hour',
    { ...day, hours: 0.25 },
    false,
    'warn',
    'For 24 hours.',
    'An outage of more than 15 min',
  ],
  ['lookups', never, true, 'ok', 'Lookups find lost reports, but no replies', undefined],
  ['no documentation', undefined, false, 'skipped', 'does not say how the service retries', undefined],
  ['no documentation, and lookups', undefined, true, 'ok', 'lookups find lost reports', undefined],
])('with %s the check of retries says so', (_, retries, hasLookups, state, found, hint) => {
  const verdict = judgeRetries(retries === undefined ? {} : { retries }, hasLookups);
  expect(verdict.state).toBe(state);
  expect(verdict.found).toContain(found);
  expect(verdict.hint ?? '').toContain(hint ?? '');
});
