import { expect, it } from 'vitest';
import { unusedGrants } from '../../../../local/iam/permission-file.ts';

const grant = (action: string, used: number, unusedBecause?: string) => {
  return { action, resource: 'table', used, ...(unusedBecause !== undefined && { unusedBecause }) };
};
const run = (name: string, ...granted: ReturnType<typeof grant>[]) => {
  return { functions: [{ name, granted, denied: [] }] };
};

it('unusedGrants lists the grants that no run used, with their reasons', () => {
  const unused = unusedGrants([
    run('worker', grant('Get', 0), grant('Put', 1), grant('Scan', 0), grant('Export', 0, 'once a year')),
    run('worker', grant('Get', 3), grant('Put', 0), grant('Scan', 0), grant('Export', 0, 'once a year')),
    run('query', grant('Put', 0)),
  ]);
  expect(unused).toEqual([
    { functionName: 'worker', action: 'Scan', resource: 'table', because: undefined },
    { functionName: 'worker', action: 'Export', resource: 'table', because: 'once a year' },
    { functionName: 'query', action: 'Put', resource: 'table', because: undefined },
  ]);
});
