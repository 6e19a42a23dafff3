import type { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { runnableStacks } from '../../../local/cloudformation/cloud-assembly.ts';
import { list, statementsOf } from '../support/allowed-actions.ts';
import { everyFunction, resourcesOf, templatesFor } from '../support/built-app.ts';

const everything = { ...everyFunction, 'sms:tracing': 'on' };
const templates = Object.entries(templatesFor(everything)).filter(([, template]) => template !== undefined);

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

/** Whether `npm start` leaves the stack of this name out, so that its grants cannot be observed. */
function isLeftOut(name: string): boolean {
  const stack = {
    name: `SmsPipeline-${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    template: { Resources: {}, Outputs: {}, Mappings: {}, Parameters: {} },
    assets: new Map<string, string>(),
  };
  return runnableStacks([stack], { note: () => {} }).length === 0;
}

it.each(templates)('each grant of the stack %s is used in the local run or explained', (name, template) => {
  for (const { id, granted, explained } of rolesOf(template)) {
    const invisible = granted.filter((action) => isLeftOut(name) || action.startsWith('xray:'));
    expect([id, explained.toSorted()]).toEqual([id, [...new Set(invisible)].toSorted()]);
  }
});

it('the local run skips a stack that has a function', () => {
  const leftOut = templates.filter(([name]) => isLeftOut(name));
  expect(leftOut.flatMap(([, template]) => rolesOf(template))).toHaveLength(1);
});
