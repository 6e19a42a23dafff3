import { expect, it } from 'vitest';
import { createReread } from '../../../../cli/stores/reread-message.ts';
import { message } from '../support/harness.ts';

const stored = message('m-1', [
  { status: 'sent', word: 'ENROUTE', second: 1 },
  { status: 'DELIVRD', second: 2 },
  { status: 'failed', word: 'ERR', errorCode: '42', errorReason: 'unreachable', second: 0 },
]);

it('finds nothing where words and codes mean what they meant', () => {
  const same = createReread({ statuses: { ENROUTE: 'sent', ERR: 'failed' }, errors: { 42: 'unreachable' } });
  expect(same(stored)).toEqual({ reports: 3, changed: [] });
});

it('tells the words and codes that mean something else, and the message that ends otherwise', () => {
  const reread = createReread({
    statuses: { ENROUTE: 'sent', DELIVRD: 'delivered', ERR: 'failed' },
    errors: {},
  });
  expect(reread(stored)).toEqual({
    reports: 3,
    changed: [
      {
        word: 'DELIVRD',
        status: { from: 'DELIVRD', to: 'delivered' },
        code: undefined,
        errorReason: { from: undefined, to: undefined },
      },
      {
        word: 'ERR',
        status: { from: 'failed', to: 'failed' },
        code: '42',
        errorReason: { from: 'unreachable', to: undefined },
      },
    ],
    status: { from: 'failed', to: 'delivered' },
  });
});

it('takes a word that is listed no more for itself', () => {
  const { changed, status } = createReread({ statuses: { ERR: 'failed' }, errors: { 42: 'unreachable' } })(
    stored,
  );
  expect(changed.map((report) => report.status)).toEqual([{ from: 'sent', to: 'ENROUTE' }]);
  expect(status).toBeUndefined();
});

it('tells of a word that is spelled as a status and was not listed, or is not any more', () => {
  const was = message('m-2', [{ status: 'delivered', rank: 0, second: 1 }]);
  const listed = { word: 'delivered', code: undefined, errorReason: { from: undefined, to: undefined } };
  const change = { from: 'unlisted', to: 'delivered' };
  expect(createReread({ statuses: { delivered: 'delivered' }, errors: {} })(was)).toEqual({
    ...{ reports: 1, status: change },
    changed: [{ ...listed, status: change }],
  });
  const none = createReread({ statuses: {}, errors: {} });
  expect(none(was)).toEqual({ reports: 1, changed: [] });
  const back = { from: 'delivered', to: 'unlisted' };
  expect(none(message('m-3', [{ status: 'delivered', second: 1 }]))).toMatchObject({
    ...{ status: back, changed: [{ status: back }] },
  });
});
