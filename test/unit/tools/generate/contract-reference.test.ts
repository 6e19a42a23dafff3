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
  '| `service.token.exchange.apiKey.in` | yes | `"body"`, `"header"`, `"query"` | ',
  '| `service.token.exchange.defaultLifetimeSeconds` | no, default `300` | integer | ',
  '| `service.token.revoke` | yes | object, null | ',
  '| `events.defaultCountry` | no | text | The country ',
  '| `events.id.from` | yes | `"body"` | The id of an event is one of its fields. |',
  '| `samples[].request.url` | no, default `"https://example.com/webhooks/sms"` | text | ',
  '| `samples[].body` | no | JSON | ',
  '| `webhook.signature.secret.prefixOptional` | no | boolean | With `hmac` or `jwt`: whether ',
])('the reference has %s', (row) => {
  expect(reference).toContain(`\n${row}`);
});

it('the reference has each field, and one row for each way in which forms explain it', () => {
  const rows = (reference.match(/^\| `.+?(?= \| (?:yes|no))/gm) ?? []).map((names) => names.slice(2));
  const paths = rows.flatMap((names) => names.split(', '));
  expect(new Set(paths).size).toBeGreaterThan(110);
  expect(rows.filter((names) => names === '`webhook.signature.header`')).toHaveLength(2);
  expect(rows.filter((names) => names === '`webhook.signature.signedContent`')).toHaveLength(1);
  expect(rows.filter((names) => names === '`events.status.status`')).toHaveLength(1);
});

it('the text of a default that is null is left out, because the field may be missing', () => {
  expect(reference).toContain("JMESPath to the recipient's number. |");
});

it('fields of one table with the same values and meaning share a row', () => {
  expect(reference).toContain('| `service.token.exchange.path`, `service.token.revoke.path` | ');
  expect(reference).not.toMatch(/`lookups\.[^|]*`events\./);
});

it('the fields of a place in a request have no rows: the page explains them once', () => {
  expect(reference).toContain('| `webhook.signature.header` | ');
  expect(reference).not.toContain('`webhook.signature.timestamp.header`');
});

it('the reference replaces only the marked part of the document', () => {
  const document = 'before\n<!-- generated: x -->\nold\n<!-- end of generated: x -->\nafter\n';
  const written = withGenerated(document, 'x', 'new');
  expect(written).toBe('before\n<!-- generated: x -->\n\nnew\n\n<!-- end of generated: x -->\nafter\n');
  expect(withGenerated(written, 'x', 'new')).toBe(written);
  expect(() => withGenerated('nothing', 'x', 'new')).toThrow('no part between');
});
