import { expect, it } from 'vitest';
import { collisions, physicalNames, sharedNamespaces } from './checks/collisions.ts';
import { everything, pipelineStacks } from './synthesized.ts';

const team = (stackPrefix: string) =>
  pipelineStacks({
    ...everything,
    'sms:stackPrefix': stackPrefix,
    'sms:domainName': `${stackPrefix.slice(-20).toLowerCase()}.pipeline.test`,
  });

// One begins with the other, and both are longer than what most names are cut to.
const long = 'Messages'.repeat(12);

it.each([
  ['Sales', 'Support'],
  ['Team', 'Team-2'],
  [`${long}A`, `${long}B`],
])('pipelines %s and %s in one account and region share no name', (first, second) => {
  const one = team(first);
  const other = team(second);
  expect([...one, ...other].flatMap(physicalNames).length).toBeGreaterThan(0);
  expect(collisions([...one, ...other])).toEqual([]);
  expect(sharedNamespaces(one, other)).toEqual([]);
});

it('pipelines whose prefixes differ only in case or hyphens share only the database of Athena', () => {
  expect(collisions([...team('SmsTeam'), ...team('Sms-Team')])).toEqual([
    'AWS::Glue::Database "sms_team"',
    'AWS::Glue::Table "history" "sms_team"',
  ]);
});

it('two pipelines with one domain name conflict only in that name', () => {
  const both = ['Sales', 'Support'].flatMap((stackPrefix) =>
    pipelineStacks({ ...everything, 'sms:stackPrefix': stackPrefix }),
  );
  expect(collisions(both)).toEqual(['AWS::ApiGatewayV2::DomainName "sms.pipeline.test"']);
});

it('two pipelines with one prefix conflict', () => {
  const one = team('Sales');
  expect(collisions([...one, ...one])).toContain('stack Sales-Storage');
  expect(sharedNamespaces(one, one)).toEqual(['Sales']);
});
