import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { presetContracts } from '../../support/preset-contracts.ts';

const page = readFileSync(new URL('../../../docs/operate/outage.md', import.meta.url), 'utf8');

/** The rows of the table. */
const rows = page.split('\n').filter((line) => line.startsWith('| ['));

/** What the table says of a preset, and how many seconds that is from the first retry to the last. */
const documented: readonly (readonly [preset: string, words: string, seconds: number])[] = [
  ['46elks', 'at least 6 hours', 6 * 3600],
  ['8x8', '4 retries, after 1, 10, 30 and 90 s', 1 + 10 + 30 + 90],
  ['aws-end-user-messaging-bare', '185 retries in 24 hours', 24 * 3600],
  ['aws-end-user-messaging-eventbridge', '185 retries in 24 hours', 24 * 3600],
  ['bandwidth', 'for 24 hours', 24 * 3600],
  ['bird-channels', 'for 8 hours', 8 * 3600],
  ['gatewayapi', '6 retries, after 60, 120 and 360 s, 24 min, 2 h and 12 h', 540 + 144 * 60 + 12 * 3600],
  ['bulksms', 'for 2 days', 48 * 3600],
  ['plivo-v2', '3 retries, after 60, 120 and 240 s', 60 + 120 + 240],
  ['plivo-v3', '3 retries, after 60, 120 and 240 s', 60 + 120 + 240],
  ['seven', 'in about 3.5 days', 84 * 3600],
  ['signalwire', '2 retries of a status', 0],
  ['sinch-sms', '22 h 45 min after the first failure', 22.75 * 3600],
  ['sinch-sms-basic', '22 h 45 min after the first failure', 22.75 * 3600],
  ['telnyx', '3 attempts at the URL', 0],
  ['twilio', '1 retry', 0],
  ['twilio-event-streams', 'for 4 hours', 4 * 3600],
  ['vonage-messages', 'for 24 hours', 24 * 3600],
  ['vonage-sms', 'for 24 hours', 24 * 3600],
  ['zenvia', 'about 15 min', 15 * 60],
];

const retriesOf = (preset: string) =>
  presetContracts.find(({ name }) => name === `${preset}.json`)?.contract.webhook.retries;

it.each(documented)('the preset %s retries as the page on outages says: %s', (preset, words, seconds) => {
  const retries = retriesOf(preset);
  expect(retries?.hours).toBeCloseTo(seconds / 3600, 2);
  const own = rows.filter((row) => row.includes(`](${retries?.source})`));
  expect(own.some((row) => row.includes(words))).toBe(true);
});

it('no other preset says how its service retries', () => {
  const found = presetContracts
    .filter(({ contract }) => contract.webhook.retries !== undefined)
    .map(({ name }) => name.replace(/\.json$/, ''));
  expect(found.sort()).toEqual(documented.map(([preset]) => preset).sort());
});

it('a text behind the URL is in the table', () => {
  const { urlSuffix = 'missing' } = retriesOf('twilio') ?? {};
  expect(rows.some((row) => row.includes(`\`${urlSuffix}\``))).toBe(true);
});

it('the page names all presets that reject a late retry', () => {
  const [, list = ''] = /if its signed time is more than five minutes old: (.*)\.$/m.exec(page) ?? [];
  const named = [...list.matchAll(/`([^`]+)`/g)].map(([, preset]) => preset);
  const timed = presetContracts.flatMap(({ name, contract: { webhook } }) => {
    const timestamp = 'timestamp' in webhook.signature ? webhook.signature.timestamp : undefined;
    if (name === 'contract.json' || !timestamp) return [];
    const { hours = 0 } = webhook.retries ?? {};
    const preset = name.replace(/\.json$/, '');
    return [{ preset, tolerance: timestamp.toleranceSeconds, retried: hours * 3600 }];
  });
  const strict = timed.filter(({ tolerance }) => tolerance <= 300).map(({ preset }) => preset);
  expect(named).toEqual(strict);
  const tooStrict = timed.filter(({ tolerance, retried }) => tolerance > 300 && tolerance < retried);
  expect(tooStrict).toEqual([]);
});
