import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSourceCheck } from '../../../../../functions/receive/ingest/receive.ts';
import { assertProperty } from '../../../../support/property.ts';
import { failing, ingest, signed } from './ingest-under-test.ts';

describe('allowed addresses', () => {
  it('are those in the IPv4 and IPv6 ranges, and no text that is not an address', () => {
    const allows = createSourceCheck(['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/32']);
    const wanted = ['192.0.2.0', '192.0.2.255', '198.51.100.7', '2001:db8::1', '::ffff:192.0.2.1'];
    const others = ['192.0.3.0', '198.51.100.8', '2001:db9::1', '', 'unknown', '192.0.2.1, 192.0.2.2'];
    expect(wanted.filter((address) => allows?.(address) !== true)).toEqual([]);
    expect(others.filter((address) => allows?.(address) !== false)).toEqual([]);
  });

  it('exclude any text that is not an address, without an exception', () => {
    const allows = createSourceCheck(['0.0.0.0/0']);
    assertProperty(fc.property(fc.string(), (text) => void expect(allows?.(`x${text}`)).toBe(false)));
    assertProperty(fc.property(fc.ipV4(), (address) => void expect(allows?.(address)).toBe(true)));
  });

  it('are not checked if no ranges are set', () => {
    expect(createSourceCheck([])).toBeUndefined();
  });
});

describe('a source address outside the ranges', () => {
  const allowsSource = createSourceCheck(['198.51.100.0/24']);

  it('is rejected before ingest reads or sends anything, even with a signed request', async () => {
    const cache = { read: failing, reread: failing };
    const { post, sent, signals, counts, lines } = ingest({ allowsSource, cache });
    for (const request of [signed('{}'), { body: '{}' }, { method: 'GET' }])
      expect(await post(request)).toMatchObject({ statusCode: 403 });
    expect([sent, signals]).toEqual([[], []]);
    expect(Object.fromEntries(counts)).toEqual({ rejectedSource: 3 });
    expect(lines[0]).toEqual({ name: 'REQUEST_REJECTED', fields: { reason: 'source-address' } });
  });

  it('is taken from API Gateway, not from a header', async () => {
    const { post } = ingest({ allowsSource });
    const headers = { ...signed('{}').headers, 'x-forwarded-for': '198.51.100.1' };
    expect(await post({ ...signed('{}'), headers })).toMatchObject({ statusCode: 403 });
  });

  it('does not include an allowed address: its request is accepted', async () => {
    const { post, sent } = ingest({ allowsSource: createSourceCheck(['192.0.2.1/32']) });
    expect(await post(signed('{}'))).toMatchObject({ statusCode: 200 });
    expect(sent).toHaveLength(1);
  });
});
