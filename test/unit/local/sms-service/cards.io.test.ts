import { expect, it } from 'vitest';
import { startSandbox } from './sandbox-under-test.ts';

const path = '/v1/billing/cards';

it('the sandbox lists two cards, one of them the default', async () => {
  const { authorized } = await startSandbox();
  const { json } = await authorized('GET', path);
  expect(json).toMatchObject({ data: [{ default: true, validate: '09/31' }, { default: false }] });
});

it('the sandbox lists the replaced cards with defaults for missing fields', async () => {
  const { authorized, call } = await startSandbox();
  const replaced = await call('PUT', '/sandbox/cards', { data: [{ validate: '01/27', default: true }] });
  expect(replaced).toMatchObject({ status: 200 });
  const { json } = await authorized('GET', path);
  expect(json).toEqual(replaced.json);
  expect(json).toMatchObject({ data: [{ validate: '01/27', default: true, number: '4242', flag: 'visa' }] });
  await call('PUT', '/sandbox/cards', { data: [] });
  expect((await authorized('GET', path)).json).toEqual({ data: [] });
});

it('the sandbox rejects invalid cards and keeps its own', async () => {
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
