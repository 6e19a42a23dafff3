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
  '| `service.token.exchange.apiKey.in` | `"body"`, `"header"`, `"query"` | required |',
  '| `service.token.exchange.defaultLifetimeSeconds` | whole number | `300` |',
  '| `service.token.revoke` | object or null | required |',
  '| `events.defaultCountry` | text or null | `null` |',
  '| `events.id.from` | `"content"` | required | (`content`) ',
  '| `samples[].request.secret` | text | required |',
  '| `samples[].body` | JSON | optional |',
])('the reference has the row %s', (row) => {
  expect(reference).toContain(row);
});

it('the reference joins the common fields of several schemes', () => {
  expect(reference).toMatch(
    /\| `webhook\.signature\.signedContent` \| text \| required \| \(`hmac`, `hash`, `public-key`\) /,
  );
  expect(reference.match(/\| `webhook\.signature\.timestamp\.toleranceSeconds` /g)).toHaveLength(1);
});

it('the reference replaces only the marked part of the document', () => {
  const document = 'before\n<!-- generated: x -->\nold\n<!-- end of generated: x -->\nafter\n';
  const written = withGenerated(document, 'x', 'new');
  expect(written).toBe('before\n<!-- generated: x -->\n\nnew\n\n<!-- end of generated: x -->\nafter\n');
  expect(withGenerated(written, 'x', 'new')).toBe(written);
  expect(() => withGenerated('nothing', 'x', 'new')).toThrow('no part between');
});
