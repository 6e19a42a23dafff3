import { expect, it } from 'vitest';
import { startSandbox } from './sandbox-under-test.ts';

const path = '/v1/billing/cards';

it('lists two cards, one of them the default', async () => {
  const { authorized } = await startSandbox();
  const { json } = await authorized('GET', path);
  expect(json).toMatchObject({ data: [{ default: true, validate: '09/31' }, { default: false }] });
});

it('lists the cards it was told to, what was left out filled in', async () => {
  const { authorized, call } = await startSandbox();
  const told = await call('PUT', '/sandbox/cards', { data: [{ validate: '01/27', default: true }] });
  expect(told).toMatchObject({ status: 200 });
  const { json } = await authorized('GET', path);
  expect(json).toEqual(told.json);
  expect(json).toMatchObject({ data: [{ validate: '01/27', default: true, number: '4242', flag: 'visa' }] });
  await call('PUT', '/sandbox/cards', { data: [] });
  expect((await authorized('GET', path)).json).toEqual({ data: [] });
});

it('refuses what are no cards, and keeps those it has', async () => {
  const { authorized, call } = await startSandbox();
  const before = await authorized('GET', path);
  const refused = await call('PUT', '/sandbox/cards', {
    data: [{ number: '4242424242424242', Validate: '' }],
  });
  expect(refused).toMatchObject({
    status: 422,
    json: {
      error: {
        problems: ['data.0.number', 'data.0.validate', 'data.0.Validate'].map((at) => ({
          path: at,
          message: expect.any(String),
        })),
      },
    },
  });
  expect((await authorized('GET', path)).json).toEqual(before.json);
});
