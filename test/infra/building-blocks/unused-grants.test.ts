import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { list, statementsOf } from '../support/allowed-actions.ts';
import { everyFunction, resourcesOf, templateFor } from '../support/built-app.ts';

const everything = { ...everyFunction, 'sms:tracing': 'on' };
const template = templateFor(everything);

/** The actions that the role of each function is granted, and those of them that are said to be unused. */
function rolesOf(template: Template) {
  const policies = Object.values(resourcesOf(template, 'AWS::IAM::Policy'));
  return Object.entries(resourcesOf(template, 'AWS::IAM::Role')).map(([id, { Metadata }]) => {
    const granted = policies
      .filter(({ Properties }) => JSON.stringify(Properties.Roles).includes(`"${id}"`))
      .flatMap((policy) => statementsOf(policy).flatMap(({ Action }) => list(Action)));
    const { UnusedGrants = {} } = Metadata as { UnusedGrants?: Record<string, string> };
    return { id, granted, explained: Object.keys(UnusedGrants) };
  });
}

/** `npm start` switches exports off (local/run/run.ts), so that the grants of their function cannot be observed. */
const isLeftOut = (id: string) => id.startsWith('Export');

it.each(rolesOf(template))(
  'each grant of $id is used in the local run or explained',
  ({ id, granted, explained }) => {
    const invisible = granted.filter((action) => isLeftOut(id) || action.startsWith('xray:'));
    expect(explained.toSorted()).toEqual([...new Set(invisible)].toSorted());
  },
);

it('the exporter is the one function that the local run leaves out', () => {
  expect(rolesOf(template).filter(({ id }) => isLeftOut(id))).toHaveLength(1);
});
