import { expect, it } from 'vitest';
import { readPlannedStacks } from '../../../cli/commands/deploy/stacks.ts';
import { readPlan, settingsOf } from '../../../tools/acceptance/arguments.ts';
import { historyTableIn, logGroupsIn } from '../../../tools/acceptance/aws-figures.ts';
import { removers, retainedBy, stacksOf } from '../../../tools/acceptance/destroy.ts';
import { ReceiversStack } from '../../../tools/acceptance/receivers-stack.ts';
import { buildApp } from '../support/built-app.ts';

const stackName = 'SmsAcceptance-0123abcd';

it('acceptance deploys only what it can destroy and measure', async () => {
  const plan = readPlan(['--emulator']);
  const fullest = plan.kind === 'run' ? plan.pipelines.at(-1) : undefined;
  if (fullest === undefined) throw new Error('no pipeline');
  const { app, stack } = buildApp(settingsOf(stackName, fullest, {}));
  new ReceiversStack(app, stackName, stack.pipeline);
  const planned = await readPlannedStacks(app.synth().directory);
  // As CloudFormation lists them: with a physical id for each logical one.
  const stacks = planned.map(({ name, template }) => ({
    name,
    template,
    resources: Object.entries(template.Resources).map(([logicalId, { Type }]) => {
      return { logicalId, type: Type, physicalId: `physical-${logicalId}` };
    }),
  }));
  expect(stacksOf(stackName).toSorted()).toEqual(stacks.map(({ name }) => name).toSorted());
  const retained = stacks.flatMap(retainedBy);
  expect(retained.map(({ type }) => type).toSorted()).toEqual([
    'AWS::DynamoDB::Table',
    'AWS::DynamoDB::Table',
    'AWS::DynamoDB::Table',
    'AWS::KMS::Key',
    'AWS::Logs::LogGroup',
    'AWS::Logs::LogGroup',
    'AWS::S3::Bucket',
    'AWS::SecretsManager::Secret',
  ]);
  expect(retained.filter(({ type }) => !removers.has(type))).toEqual([]);
  expect(stacks.flatMap((each) => [...logGroupsIn(each).keys()])).toEqual(
    expect.arrayContaining(['ingest', 'worker', 'publisher', 'setup', 'failure-alert']),
  );
  expect(stacks.flatMap((each) => historyTableIn(each)?.indexes ?? [])).toContain('byNumber');
});
