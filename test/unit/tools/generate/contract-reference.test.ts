import { expect, it } from 'vitest';
import { wholeSchema } from '../../../../tools/generate/contract-json-schema.ts';
import {
  contractReference,
  unexplainedFields,
  withGenerated,
} from '../../../../tools/generate/contract-reference.ts';

const reference = contractReference(wholeSchema());

it('the schema describes every field of the contract', () => {
  expect(unexplainedFields(wholeSchema())).toEqual([]);
});

it.each([
  '| `service.token.exchange.apiKey.in` | `"body"`, `"header"`, `"query"` |',
  '| `service.token.exchange.defaultLifetimeSeconds` | whole number, default `300` |',
  '| `service.token.revoke` | object or null |',
  '| `events.defaultCountry` | text or null, default `null` |',
  '(`content`) `"content"`',
  '| `samples[].request.secret` | text |',
  '| `samples[].body` | JSON, optional |',
])('the reference has %s', (row) => {
  expect(reference).toContain(row);
});

it('the reference has one row for each field, with the forms that have it', () => {
  const paths = reference.match(/^\| `[^`]+`/gm) ?? [];
  expect(new Set(paths).size).toBe(paths.length);
  expect(reference).toMatch(/\| `webhook\.signature\.signedContent` \| text \| \(signatures\) /);
});

it('the fields of a place in a request have no rows: the page explains them once', () => {
  expect(reference).toContain('| `webhook.signature.header` ');
  expect(reference).not.toContain('`webhook.signature.timestamp.header`');
});

it('the reference replaces only the marked part of the document', () => {
  const document = 'before\n<!-- generated: x -->\nold\n<!-- end of generated: x -->\nafter\n';
  const written = withGenerated(document, 'x', 'new');
  expect(written).toBe('before\n<!-- generated: x -->\n\nnew\n\n<!-- end of generated: x -->\nafter\n');
  expect(withGenerated(written, 'x', 'new')).toBe(written);
  expect(() => withGenerated('nothing', 'x', 'new')).toThrow('no part between');
});
