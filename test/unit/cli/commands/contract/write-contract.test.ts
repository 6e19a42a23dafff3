import { describe, expect, it } from 'vitest';
import { withSections } from '../../../../../cli/commands/contract/write-contract.ts';
import { extendContract } from '../../../../../contract/document/extend.ts';

const base = {
  webhook: {
    signature: { scheme: 'hmac', header: 'x-sign', id: null, secret: { encoding: 'utf8' } },
    bodyFormat: 'json',
  },
  events: { list: '[@]', id: { from: 'body', path: 'id' } },
  statuses: { DONE: 'delivered' },
};

function wanted(signature: object, id: object) {
  return {
    webhook: { ...base.webhook, signature },
    events: { ...base.events, id },
    statuses: { DONE: 'delivered', LOST: 'undelivered' },
  };
}

describe('a contract that extends another', () => {
  it('keeps only the differences', () => {
    const own = { extends: 'x', service: 1, webhook: { signature: { header: 'old' } } };
    const want = wanted({ ...base.webhook.signature, header: 'y-sign' }, base.events.id);
    const next = withSections(own, base, want);
    expect(next).toEqual({
      ...{ extends: 'x', service: 1 },
      webhook: { signature: { header: 'y-sign' } },
      statuses: { LOST: 'undelivered' },
    });
    expect(extendContract(base, next)).toEqual({ service: 1, ...want });
  });

  it('keeps a value of another form as a whole', () => {
    const want = wanted({ scheme: 'token', header: 'x-sign', prefix: '' }, { from: 'content' });
    const next = withSections({ extends: 'x' }, base, want);
    expect(next.webhook).toEqual({ signature: { scheme: 'token', header: 'x-sign', prefix: '' } });
    expect(next.events).toEqual({ id: { from: 'content' } });
    expect(extendContract(base, next)).toEqual(want);
  });

  it('is replaced section by section when it extends nothing', () => {
    const want = wanted({ scheme: 'token' }, { from: 'content' });
    expect(withSections({ $schema: 's', statuses: {}, service: 1 }, undefined, want)).toEqual({
      ...{ $schema: 's', service: 1 },
      ...want,
    });
  });
});
