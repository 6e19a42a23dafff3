import { expect, it, onTestFinished, vi } from 'vitest';

const historyWith = (variables: Readonly<Record<string, string | undefined>>) => {
  const keys = { AWS_REGION: undefined, AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
  for (const [name, value] of Object.entries({ ...keys, QUERY_URL: undefined, ...variables }))
    vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.resetModules();
  const path = '../../../examples/status-page/history.mjs';
  return import(path);
};

it('the client of the example needs no keys for a pipeline on this machine', async () => {
  const { history } = await historyWith({ QUERY_URL: 'http://127.0.0.1:4000/v1' });
  expect(history).toHaveProperty('getMessage');
});

it.each([
  ['QUERY_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY', {}],
  [
    'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY',
    { QUERY_URL: 'https://a.example.com/v1', AWS_REGION: 'eu-west-1' },
  ],
  ['AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY', { QUERY_URL: 'https://127.0.0.1.example.com/v1' }],
])('the client of the example names the missing variables: %s', async (names, variables) => {
  await expect(historyWith(variables)).rejects.toThrow(`Set the environment variables ${names}.`);
});
