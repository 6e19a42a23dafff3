import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceptedSecrets,
  parseSecretDocument,
  type SecretDocument,
  secretsAcceptedAt,
  withMark,
  withNewSecret,
  withoutMark,
} from '../../../../../functions/registration/secret/secret-document.ts';
import { assertProperty } from '../../../../support/property.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');
const hour = 3_600_000;

const whole: SecretDocument = {
  version: 1,
  current: { secret: 'second', since: '2026-01-15T11:00:00.000Z' },
  previous: { secret: 'first', validUntil: '2026-01-16T11:00:00.000Z' },
  rotating: { since: '2026-01-15T11:59:00.000Z', by: 'schedule', overlapMs: 24 * hour },
};

const times = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const isoTimes = times.map((time) => time.toISOString());
const secrets = fc.string({ minLength: 1 });
const documents: fc.Arbitrary<SecretDocument> = fc.record(
  {
    version: fc.constant(1 as const),
    current: fc.record({ secret: secrets, since: isoTimes }),
    previous: fc.record({ secret: secrets, validUntil: isoTimes }),
    rotating: fc.record({ since: isoTimes, by: secrets, overlapMs: fc.nat() }),
    retired: fc.array(fc.record({ secret: secrets, until: isoTimes }), { minLength: 1, maxLength: 5 }),
  },
  { requiredKeys: ['version', 'current'] },
);

describe('parseSecretDocument', () => {
  it('reads back every document as it was written', () => {
    assertProperty(
      fc.property(documents, (document) => {
        expect(parseSecretDocument(JSON.parse(JSON.stringify(document)))).toEqual({ kind: 'ok', document });
      }),
    );
  });

  it('never throws, and never accepts a document without a secret to verify with', () => {
    assertProperty(
      fc.property(fc.anything(), (value) => {
        const parsed = parseSecretDocument(value);
        if (parsed.kind === 'ok') expect(parsed.document.current.secret).not.toBe('');
        else expect(parsed.problems).not.toEqual([]);
      }),
    );
  });

  it('accepts a time without milliseconds, as an operator writes one', () => {
    const current = { secret: 'second', since: '2026-01-15T12:00:00Z' };
    expect(parseSecretDocument({ version: 1, current })).toMatchObject({ kind: 'ok', document: { current } });
  });

  it('ignores unknown fields', () => {
    const parsed = parseSecretDocument({ ...whole, note: 'x', current: { ...whole.current, note: 'x' } });
    expect(parsed).toEqual({ kind: 'ok', document: whole });
  });

  it.each([
    ['a plain text', 'whsec_AAAA', ['document: expected an object']],
    ['nothing', undefined, ['document: expected an object']],
    ['a list', [], ['document: expected an object']],
    ['an empty object', {}, ['version: expected 1', 'current: expected an object']],
    ['a later version', { ...whole, version: 2 }, ['version: expected 1']],
    [
      'an empty secret',
      { ...whole, current: { ...whole.current, secret: '' } },
      ['current.secret: expected a text that is not empty'],
    ],
    [
      'wrong types throughout',
      {
        version: 1,
        current: { secret: 1, since: 2 },
        previous: null,
        rotating: { since: 'yesterday', by: '' },
      },
      [
        'current.secret: expected a text that is not empty',
        'current.since: expected a time like 2026-01-15T12:00:00.000Z',
        'previous: expected an object',
        'rotating.by: expected a text that is not empty',
        'rotating.since: expected a time like 2026-01-15T12:00:00.000Z',
      ],
    ],
    [
      'retired secrets that are none',
      { ...whole, retired: [{ secret: 'old', until: '2026-01-01T00:00:00.000Z' }, null, { secret: 'old' }] },
      ['retired.1: expected an object', 'retired.2.until: expected a time like 2026-01-15T12:00:00.000Z'],
    ],
    ['retired secrets in another shape', { ...whole, retired: {} }, ['retired: expected a list']],
  ])('rejects %s, naming each wrong path', (_, value, problems) => {
    expect(parseSecretDocument(value)).toEqual({ kind: 'error', problems });
  });

  it.each([
    'at 2026-01-15T12:00:00.000Z',
    '2026-01-15T12:00:00.000Z?',
    '2026-13-01T00:00:00.000Z',
    '2026-01-15T12:00:00',
  ])('rejects the time %s', (since) => {
    expect(parseSecretDocument({ ...whole, current: { secret: 'second', since } })).toEqual({
      kind: 'error',
      problems: ['current.since: expected a time like 2026-01-15T12:00:00.000Z'],
    });
  });

  it.each([undefined, -1, '1'])('rejects a mark with the overlap %s', (overlapMs) => {
    expect(parseSecretDocument({ ...whole, rotating: { ...whole.rotating, overlapMs } })).toEqual({
      kind: 'error',
      problems: ['rotating.overlapMs: expected a number of milliseconds'],
    });
  });

  it('quotes nothing from the document', () => {
    const current = { secret: ['a-secret'], since: 'a-secret' };
    const parsed = parseSecretDocument({ version: 'a-secret', current });
    expect(JSON.stringify(parsed)).not.toContain('a-secret');
  });
});

describe('acceptedSecrets', () => {
  it('accepts the current secret, and the previous one until its last millisecond', () => {
    const end = Date.parse('2026-01-16T11:00:00.000Z');
    expect(acceptedSecrets(whole, end - 1)).toEqual(['second', 'first']);
    expect(acceptedSecrets(whole, end)).toEqual(['second']);
  });
});

describe('secretsAcceptedAt', () => {
  const at = '2026-01-15T11:30:00.000Z';
  const document = { ...whole, retired: [{ secret: 'leaked', until: at }] };

  it('includes a dropped secret for requests that were received before', () => {
    expect(secretsAcceptedAt(document, Date.parse(at) - 1)).toEqual(['second', 'first', 'leaked']);
    expect(secretsAcceptedAt(document, Date.parse(at))).toEqual(['second', 'first']);
  });
});

describe('withNewSecret', () => {
  it('keeps the replaced secret for the overlap and ends a rotation', () => {
    expect(withNewSecret(whole, 'third', now, hour)).toEqual({
      version: 1,
      current: { secret: 'third', since: '2026-01-15T12:00:00.000Z' },
      previous: { secret: 'second', validUntil: '2026-01-15T13:00:00.000Z' },
      retired: [{ secret: 'first', until: '2026-01-15T12:00:00.000Z' }],
    });
  });

  it('drops the replaced secret at once without an overlap', () => {
    expect(withNewSecret(whole, 'third', now, 0)).not.toHaveProperty('previous');
  });

  it('retires a secret as of when it was last accepted, and forgets it after 14 days', () => {
    const ended = { ...whole, previous: { secret: 'first', validUntil: '2026-01-15T11:30:00.000Z' } };
    const retired = [{ secret: 'first', until: '2026-01-15T11:30:00.000Z' }];
    expect(withNewSecret(ended, 'third', now, hour).retired).toEqual(retired);
    expect(withNewSecret(ended, 'third', now + 14 * 24 * hour, hour)).not.toHaveProperty('retired');
  });

  it('returns the same document object for the same secret', () => {
    assertProperty(
      fc.property(documents, times, fc.nat(), (document, time, overlap) => {
        expect(withNewSecret(document, document.current.secret, time.getTime(), overlap)).toBe(document);
      }),
    );
  });

  it('accepts both secrets through the overlap, only the new one after it, and can be stored', () => {
    assertProperty(
      fc.property(
        documents,
        secrets,
        times,
        fc.integer({ min: 1, max: 30 * 24 * hour }),
        (before, secret, time, overlap) => {
          fc.pre(secret !== before.current.secret);
          const at = time.getTime();
          const after = withNewSecret(before, secret, at, overlap);
          expect(acceptedSecrets(after, at)).toEqual([secret, before.current.secret]);
          expect(acceptedSecrets(after, at + overlap - 1)).toEqual([secret, before.current.secret]);
          expect(acceptedSecrets(after, at + overlap)).toEqual([secret]);
          expect(parseSecretDocument(JSON.parse(JSON.stringify(after)))).toEqual({
            kind: 'ok',
            document: after,
          });
        },
      ),
    );
  });
});

describe('a rotation mark', () => {
  const mark = { since: '2026-01-15T12:00:00.000Z', by: 'the rotate command', overlapMs: hour };

  it('leaves all secrets unchanged when it is set and when it is removed', () => {
    assertProperty(
      fc.property(documents, (document) => {
        const marked = withMark(document, mark);
        const unmarked = withoutMark(document);
        expect(unmarked).not.toHaveProperty('rotating');
        expect(marked).toEqual({ ...unmarked, rotating: mark });
        expect(withoutMark(marked)).toEqual(unmarked);
      }),
    );
  });
});

it('the document that docs/concepts/rotation.md shows is valid', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../../docs/concepts/rotation.md'), 'utf8');
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const document: unknown = JSON.parse(shown);
  expect(parseSecretDocument(document)).toEqual({ kind: 'ok', document });
});
