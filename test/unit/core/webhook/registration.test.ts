import { describe, expect, it } from 'vitest';
import {
  isSameUrl,
  needsRegistration,
  reportWebhook,
  webhookState,
} from '../../../../functions/core/webhook/registration.ts';
import type { SecretDocument } from '../../../../functions/core/webhook/secret-document.ts';

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

describe('needsRegistration', () => {
  it.each([
    ['nothing configured', { url: '', secret: '' }, true],
    ['deactivated', { url: '', secret: 's1' }, true],
    ['somebody else', { url: 'https://other.example/hook', secret: 's1' }, true],
    ['ours, but no secret told', { url: ours, secret: '' }, true],
    ['ours', { url: ours, secret: 's1' }, false],
  ])('%s', (_, service, needed) => {
    expect(needsRegistration(service, ours)).toBe(needed);
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
  it('says that stored and registered fit together', () => {
    expect(reportWebhook({ url: ours, secret: 's1' }, stored, ours, now)).toEqual({
      webhookUrl: ours,
      registeredUrl: ours,
      state: 'registered',
      secret: {
        stored: true,
        matchesService: true,
        since: '2026-01-15T11:00:00.000Z',
        previousValidUntil: null,
      },
    });
  });

  it('says that the secret was rotated elsewhere', () => {
    expect(reportWebhook({ url: ours, secret: 's2' }, stored, ours, now).secret.matchesService).toBe(false);
  });

  it('compares nothing where one side has no secret', () => {
    expect(reportWebhook({ url: ours, secret: '' }, stored, ours, now).secret.matchesService).toBeNull();
    expect(reportWebhook({ url: ours, secret: 's1' }, undefined, ours, now).secret).toEqual({
      stored: false,
      matchesService: null,
      since: null,
      previousValidUntil: null,
    });
  });

  it('shows the previous secret only while it is accepted', () => {
    const previous = { secret: 's0', validUntil: '2026-01-15T13:00:00.000Z' };
    const service = { url: ours, secret: 's1' };
    const at = (time: number) =>
      reportWebhook(service, { ...stored, previous }, ours, time).secret.previousValidUntil;
    expect(at(now)).toBe(previous.validUntil);
    expect(at(Date.parse(previous.validUntil))).toBeNull();
  });

  it("shows somebody else's URL without what may be a credential", () => {
    const shown = (url: string) => reportWebhook({ url, secret: '' }, undefined, ours, now).registeredUrl;
    expect(shown('https://user:pass@other.example/hook?token=abc#x')).toBe('https://other.example/hook');
    expect(shown('no url')).toBe('no url');
  });
});
