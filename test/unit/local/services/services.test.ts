import { expect, it } from 'vitest';
import { services } from '../../../../local/services/services.ts';

it.each([
  ['name', services.map(({ name }) => name)],
  ['target', services.flatMap(({ targets = [] }) => targets)],
  ['endpoint variable', services.map(({ endpoint }) => endpoint.variable)],
])('no two services have the same %s', (_, values) => {
  expect(new Set(values).size).toBe(values.length);
});
