import { expect, it } from 'vitest';
import { collisions, physicalNames, sharedNamespaces } from '../../../tools/check/template-problems.ts';
import { everything, pipelineStacks } from './synthesized.ts';

const team = (stackName: string) => pipelineStacks({ ...everything, 'sms:stackName': stackName });

// One begins with the other, and both are longer than what most names are cut to.
const long = 'Messages'.repeat(12);
const domain = 'AWS::ApiGatewayV2::DomainName "sms.pipeline.test"';

it.each([
  ['Sales', 'Sales-2', []],
  [`${long}A`, `${long}B`, []],
  [
    'SalesTeam',
    'Sales-Team',
    ['AWS::Glue::Database "sales_team"', 'AWS::Glue::Table "history" "sales_team"'],
  ],
])(
  'pipelines %s and %s in one account and region share only the domain name of their settings, and: %j',
  (first, second, shared) => {
    const one = team(first);
    const other = team(second);
    expect([...one, ...other].flatMap(physicalNames).length).toBeGreaterThan(0);
    expect(collisions([...one, ...other]).toSorted()).toEqual([domain, ...shared].toSorted());
    expect(sharedNamespaces(one, other)).toEqual([]);
  },
);

it('two pipelines with one name conflict', () => {
  const one = team('Sales');
  expect(collisions([...one, ...one])).toContain('stack Sales');
  expect(sharedNamespaces(one, one)).toEqual(['Sales']);
});
