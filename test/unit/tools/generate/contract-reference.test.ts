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
  '- `service.token.exchange.apiKey.in`: `"body"|"header"|"query"` ',
  '- `service.token.exchange.defaultLifetimeSeconds?`: `integer = 300` ',
  '- `service.token.revoke`: `object|null` ',
  '- `events.defaultCountry?`: country ',
  '- `events.id.from`: (`signed-id`) id that the signature covers; (`body`) field of the event; (`content`) hash of the event',
  '- `samples[].request.secret`: its secret',
  '- `samples[].request.url?`: `text = "https://example.com/webhooks/sms"` ',
  '- `samples[].body?`: `JSON` ',
  '- `webhook.signature.secret.prefixOptional?`: (`hmac`, `jwt`) `boolean` ',
])('the reference has %s', (item) => {
  expect(reference).toContain(`\n${item}`);
});

it('the reference has each field once, with the forms that have it', () => {
  const paths = (reference.match(/^- .+?(?=: )/gm) ?? []).flatMap((names) => names.slice(2).split(', '));
  expect(paths.length).toBeGreaterThan(70);
  expect(new Set(paths).size).toBe(paths.length);
  expect(reference).toMatch(/^- `webhook\.signature\.signedContent`: \(signatures\) /m);
});

it('fields with the same values and meaning share an item', () => {
  expect(reference).toContain('- `service.token.exchange.path`, `service.token.revoke.path`: ');
});

it('the fields of a place in a request have no rows: the page explains them once', () => {
  expect(reference).toContain('- `webhook.signature.header?`: ');
  expect(reference).not.toContain('`webhook.signature.timestamp.header`');
});

it('the reference replaces only the marked part of the document', () => {
  const document = 'before\n<!-- generated: x -->\nold\n<!-- end of generated: x -->\nafter\n';
  const written = withGenerated(document, 'x', 'new');
  expect(written).toBe('before\n<!-- generated: x -->\n\nnew\n\n<!-- end of generated: x -->\nafter\n');
  expect(withGenerated(written, 'x', 'new')).toBe(written);
  expect(() => withGenerated('nothing', 'x', 'new')).toThrow('no part between');
});
