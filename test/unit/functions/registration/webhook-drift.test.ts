import { expect, it } from 'vitest';
import type { SecretDocument } from '../../../../functions/registration/secret/secret-document.ts';
import {
  type Drift,
  detectDrift,
  type ServiceWebhook,
} from '../../../../functions/registration/webhook-drift.ts';

const ours = 'https://pipeline.example/webhooks/sms';
const elsewhere = 'https://other.example/hook';
const since = '2026-01-15T12:00:00.000Z';
const stored: SecretDocument = { version: 1, current: { secret: 's1', since } };
const marked: SecretDocument = { ...stored, rotating: { since, by: 'a run', overlapMs: 0 } };
const replaced: SecretDocument = { ...stored, previous: { secret: 's0', validUntil: since } };

it.each<[string, SecretDocument | undefined, ServiceWebhook, Drift[]]>([
  ['none', stored, { url: ours, secret: 's1' }, []],
  [
    'none: only the spelling differs',
    stored,
    { url: ours.replace('.example/', '.example:443/'), secret: 's1' },
    [],
  ],
  ['another URL', stored, { url: elsewhere, secret: 's1' }, ['url-changed']],
  ['no URL', stored, { url: '', secret: 's1' }, ['deactivated']],
  ['another secret', stored, { url: ours, secret: 's2' }, ['secret-rotated']],
  ['another URL and secret', stored, { url: elsewhere, secret: 's2' }, ['url-changed', 'secret-rotated']],
  ['no URL, another secret', stored, { url: '', secret: 's2' }, ['deactivated', 'secret-rotated']],
  ['none: the service returns no secret', stored, { url: ours, secret: '' }, []],
  ['none: the API of the service has no secret', stored, { url: ours, secret: undefined }, []],
  ['none: nothing is stored to compare with', undefined, { url: ours, secret: 's1' }, []],
  ['none: our own rotation made it', marked, { url: ours, secret: 's2' }, []],
  ['the URL, whatever our rotation made of the secret', marked, { url: '', secret: 's2' }, ['deactivated']],
  ['the secret before the stored one', replaced, { url: ours, secret: 's0' }, ['secret-rotated']],
])('detectDrift finds %s', (_, document, service, drift) => {
  expect(detectDrift(document, service, ours)).toEqual(drift);
});
