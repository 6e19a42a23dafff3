import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSourceCheck } from '../../../../functions/ingest/receive.ts';
import { failing, ingest, signed } from './ingest-under-test.ts';

describe('allowed addresses', () => {
  it('are those of the ranges, of both families, and nothing that is no address', () => {
    const allows = createSourceCheck(['192.0.2.0/24', '198.51.100.7/32', '2001:db8::/32']);
    const wanted = ['192.0.2.0', '192.0.2.255', '198.51.100.7', '2001:db8::1', '::ffff:192.0.2.1'];
    const others = ['192.0.3.0', '198.51.100.8', '2001:db9::1', '', 'unknown', '192.0.2.1, 192.0.2.2'];
    expect(wanted.filter((address) => allows?.(address) !== true)).toEqual([]);
    expect(others.filter((address) => allows?.(address) !== false)).toEqual([]);
  });

  it('never let through what is no address, and never throw', () => {
    const allows = createSourceCheck(['0.0.0.0/0']);
    fc.assert(fc.property(fc.string(), (text) => allows?.(`x${text}`) === false));
    fc.assert(fc.property(fc.ipV4(), (address) => allows?.(address) === true));
  });

  it('are not asked about where there are no ranges', () => {
    expect(createSourceCheck([])).toBeUndefined();
  });
});

describe('a request from another address', () => {
  const allowsSource = createSourceCheck(['198.51.100.0/24']);

  it('is refused before anything is read or sent, though it is signed', async () => {
    const cache = { read: failing, reread: failing };
    const { post, sent, signals, counts, lines } = ingest({ allowsSource, cache });
    for (const request of [signed('{}'), { body: '{}' }, { method: 'GET' }])
      expect(await post(request)).toMatchObject({ statusCode: 403 });
    expect([sent, signals]).toEqual([[], []]);
    expect(Object.fromEntries(counts)).toEqual({ rejectedSource: 3 });
    expect(lines[0]).toEqual({ name: 'REQUEST_REJECTED', fields: { reason: 'source-address' } });
  });

  it('is not what a header says: only API Gateway knows who sends', async () => {
    const { post } = ingest({ allowsSource });
    const headers = { ...signed('{}').headers, 'x-forwarded-for': '198.51.100.1' };
    expect(await post({ ...signed('{}'), headers })).toMatchObject({ statusCode: 403 });
  });

  it('is taken as ever where it comes from an allowed one', async () => {
    const { post, sent } = ingest({ allowsSource: createSourceCheck(['192.0.2.1/32']) });
    expect(await post(signed('{}'))).toMatchObject({ statusCode: 200 });
    expect(sent).toHaveLength(1);
  });
});
