import { expect, it, vi } from 'vitest';
import { readPlannedStacks } from '../../../cli/commands/deploy/stacks.ts';
import { settingsOf } from '../../../tools/acceptance/arguments.ts';
import { historyTableIn, logGroupsIn } from '../../../tools/acceptance/aws-figures.ts';
import { removableTypes, retainedBy, stacksOf } from '../../../tools/acceptance/destroy.ts';
import { newFolder } from '../support/built-app.ts';

const prefix = 'SmsAcceptance-0123abcd';

it('acceptance deploys only what it can destroy and measure', async () => {
  const outdir = newFolder();
  vi.stubEnv('CDK_OUTDIR', outdir);
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify(settingsOf(prefix, 'on', {})));
  await import('../../../tools/acceptance/app.ts');
  vi.unstubAllEnvs();
  const planned = await readPlannedStacks(outdir);
  // A deployed stack with a physical id for each logical one.
  const stacks = planned.map(({ name, template }) => ({
    name,
    template,
    resources: Object.entries(template.Resources).map(([logicalId, { Type }]) => {
      return { logicalId, type: Type, physicalId: `physical-${logicalId}` };
    }),
  }));
  expect(stacksOf(prefix)).toEqual(expect.arrayContaining(stacks.map(({ name }) => name)));
  const retained = stacks.flatMap(retainedBy);
  expect(retained.filter(({ type }) => !removableTypes.has(type))).toEqual([]);
  expect(retained).toHaveLength(3);
  expect(stacks.flatMap((stack) => [...logGroupsIn(stack).keys()])).toEqual(
    expect.arrayContaining(['ingest', 'worker', 'publisher', 'setup', 'failure-alert']),
  );
  expect(stacks.flatMap((stack) => historyTableIn(stack)?.indexes ?? [])).toContain('byPhone');
});
