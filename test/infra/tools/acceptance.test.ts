import { expect, it } from 'vitest';
import { readPlannedStacks } from '../../../cli/commands/deploy/stacks.ts';
import { settingsOf } from '../../../tools/acceptance/arguments.ts';
import { historyTableIn, logGroupsIn } from '../../../tools/acceptance/aws-figures.ts';
import { removableTypes, retainedBy, stacksOf } from '../../../tools/acceptance/destroy.ts';
import { ReceiversStack } from '../../../tools/acceptance/receivers-stack.ts';
import { buildApp } from '../support/built-app.ts';

const prefix = 'SmsAcceptance-0123abcd';

it('acceptance deploys only what it can destroy and measure', async () => {
  const { app, ...pipeline } = buildApp(settingsOf(prefix, 'on', {}));
  new ReceiversStack(app, `${prefix}-Acceptance`, pipeline);
  const planned = await readPlannedStacks(app.synth().directory);
  // As CloudFormation lists them: with a physical id for each logical one.
  const stacks = planned.map(({ name, template }) => ({
    name,
    template,
    resources: Object.entries(template.Resources).map(([logicalId, { Type }]) => {
      return { logicalId, type: Type, physicalId: `physical-${logicalId}` };
    }),
  }));
  expect(stacksOf(prefix).toSorted()).toEqual(stacks.map(({ name }) => name).toSorted());
  const retained = stacks.flatMap(retainedBy);
  expect(retained).toHaveLength(4);
  expect(retained.filter(({ type }) => !removableTypes.has(type))).toEqual([]);
  expect(stacks.flatMap((stack) => [...logGroupsIn(stack).keys()])).toEqual(
    expect.arrayContaining(['ingest', 'worker', 'publisher', 'setup', 'failure-alert']),
  );
  expect(stacks.flatMap((stack) => historyTableIn(stack)?.indexes ?? [])).toContain('byNumber');
});
