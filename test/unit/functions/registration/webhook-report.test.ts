import { describe, expect, it } from 'vitest';
import type { SecretDocument } from '../../../../functions/registration/secret/secret-document.ts';
import { isSameUrl } from '../../../../functions/registration/webhook-drift.ts';
import {
  reportWebhook,
  type WebhookFacts,
  webhookState,
} from '../../../../functions/registration/webhook-report.ts';

const ours = 'https://abc.execute-api.us-east-1.amazonaws.com/webhooks/sms';
const now = Date.parse('2026-01-15T12:00:00.000Z');
const stored: SecretDocument = { version: 1, current: { secret: 's1', since: '2026-01-15T11:00:00.000Z' } };

describe('isSameUrl', () => {
  it.each([
    [ours, ours, true],
    [ours, ours.replace('abc', 'ABC'), true],
    [ours, ours.replace('.com/', '.com:443/'), true],
    [ours, `${ours}/`, false],
    [ours, ours.replace('https', 'http'), false],
    [ours, '', false],
    ['not a url', ours, false],
    ['', '', true],
  ])('%s and %s: %s', (one, other, same) => {
    expect(isSameUrl(one, other)).toBe(same);
  });
});

describe('webhookState', () => {
  it.each([
    [{ url: ours, secret: '' }, false, 'registered'],
    [{ url: 'https://other.example/hook', secret: 's1' }, true, 'elsewhere'],
    [{ url: '', secret: 's1' }, false, 'deactivated'],
    [{ url: '', secret: '' }, true, 'deactivated'],
    [{ url: '', secret: '' }, false, 'never-configured'],
  ])('%o, stored before: %s', (service, hasDocument, state) => {
    expect(webhookState(service, ours, hasDocument)).toBe(state);
  });
});

describe('reportWebhook', () => {
  const service = { url: ours, secret: 's1' };
  const report = (facts: Partial<WebhookFacts> = {}, time = now) =>
    reportWebhook(
      {
        webhookUrl: ours,
        service,
        document: stored,
        state: {},
        mismatchesLastHour: 0,
        ...facts,
      },
      time,
    );

  it('reports that the stored secret matches, and null for unknown facts', () => {
    expect(report()).toEqual({
      webhookUrl: ours,
      registeredUrl: ours,
      state: 'registered',
      serviceFailure: null,
      desiredState: null,
      secret: {
        stored: true,
        matchesService: true,
        since: '2026-01-15T11:00:00.000Z',
        previousValidUntil: null,
        rotating: null,
      },
      drift: null,
      lastReconcile: null,
      lastVerifiedAt: null,
      mismatchesLastHour: 0,
    });
  });

  it('reports the stored facts if the service could not be read', () => {
    expect(report({ service: { failure: 'read webhook: no answer' } })).toMatchObject({
      registeredUrl: '',
      state: 'unknown',
      serviceFailure: 'read webhook: no answer',
      secret: { stored: true, matchesService: null, since: '2026-01-15T11:00:00.000Z' },
    });
  });

  it('reports the rest of the state', () => {
    const at = '2026-01-15T11:59:00.000Z';
    const known = {
      desiredState: 'registered',
      drift: { kinds: ['url-changed'], since: at },
      lastReconcile: { at, failure: 'timeout' },
      lastVerifiedAt: at,
    } as const;
    expect(
      report({ state: { ...known, confirmed: { at, versionId: 'v1' } }, mismatchesLastHour: 7 }),
    ).toMatchObject({
      ...known,
      mismatchesLastHour: 7,
    });
    expect(report({ state: { lastReconcile: { at } } }).lastReconcile).toEqual({ at, failure: null });
  });

  it('reports which run rotates, and since when', () => {
    const rotating = { since: '2026-01-15T11:59:59.000Z', by: 'a run', overlapMs: 0 };
    expect(report({ document: { ...stored, rotating } }).secret.rotating).toEqual({
      since: rotating.since,
      by: 'a run',
    });
  });

  it('reports no comparison if one side has no secret', () => {
    expect(report({ service: { url: ours, secret: '' } }).secret.matchesService).toBeNull();
    expect(report({ document: undefined }).secret).toEqual({
      stored: false,
      matchesService: null,
      since: null,
      previousValidUntil: null,
      rotating: null,
    });
  });

  it('shows the previous secret only while it is accepted', () => {
    const previous = { secret: 's0', validUntil: '2026-01-15T13:00:00.000Z' };
    const at = (time: number) =>
      report({ document: { ...stored, previous } }, time).secret.previousValidUntil;
    expect(at(now)).toBe(previous.validUntil);
    expect(at(Date.parse(previous.validUntil))).toBeNull();
  });

  it('shows another URL without its credentials and query', () => {
    const shown = (url: string) => report({ service: { url, secret: '' } }).registeredUrl;
    expect(shown('https://user:pass@other.example/hook?token=abc#x')).toBe('https://other.example/hook');
    expect(shown('no url')).toBe('no url');
    expect(shown('other.example/hook?token=SECRET-1#x')).toBe('other.example/hook');
    expect(shown('other.example/hook#SECRET-1')).toBe('other.example/hook');
    expect(shown('user:SECRET-1@other.example/hook')).toBe('other.example/hook');
    expect(shown('https://user:SECRET-1@:x/hook?a')).toBe(':x/hook');
    expect(shown('app:user:SECRET-1@other.example')).toBe('other.example');
  });

  it.each([
    'https://user:SECRET#1@other.example/hook',
    'https://user:SECRET?1@other.example/hook',
    'https://SECRET#1@other.example/hook?a',
    'https://user:1234/SECRET@other.example/hook',
    'https://other.example/hook?user=me@corp.example&key=SECRET',
    'https://other.example/hook?mail=me@corp.example;token=SECRET',
    'https://other.example/hook?token=abc@SECRET',
    'https://other.example/hook#a@SECRET',
    'https://other.example/hook?next=https://u:p@third.example/SECRET',
    'other.example/hook?mail=me@corp.example&key=SECRET',
  ])('shows no part of another URL of which a password may be anywhere: %s', (url) => {
    expect(report({ service: { url, secret: '' } }).registeredUrl).toMatch(/^an address that is not shown/);
  });

  it('shows no secret', () => {
    const secrets = {
      current: 'whsec_Y3VycmVudA==',
      previous: 'whsec_cHJldmlvdXM=',
      service: 'whsec_bmV3LXNlY3JldC1vZi1hLXRlc3Q=',
    };
    const text = JSON.stringify(
      report({
        service: { url: 'https://other.example/whsec', secret: secrets.service },
        document: {
          version: 1,
          current: { secret: secrets.current, since: '2026-01-15T11:00:00.000Z' },
          previous: { secret: secrets.previous, validUntil: '2026-01-15T13:00:00.000Z' },
        },
      }),
    );
    for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  });
});
