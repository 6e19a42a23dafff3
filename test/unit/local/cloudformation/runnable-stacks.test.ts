import { expect, it } from 'vitest';
import { runnableStacks } from '../../../../local/cloudformation/cloud-assembly.ts';
import { parseTemplate } from '../../../../local/cloudformation/template.ts';

it('runnableStacks skips the stack that needs S3 and Athena, with one note', () => {
  const notes: string[] = [];
  const names = ['Team-Analysis-Storage', 'Team-Analysis-Pipeline', 'Team-Analysis-Analysis', 'Team-Other'];
  const stacks = names.map((name) => ({ name, template: parseTemplate({}), assets: new Map() }));
  const runnable = runnableStacks(stacks, { note: (line) => notes.push(line) });
  expect(runnable.map(({ name }) => name)).toEqual([
    'Team-Analysis-Storage',
    'Team-Analysis-Pipeline',
    'Team-Other',
  ]);
  expect(notes).toEqual([
    expect.stringMatching(/^stack Team-Analysis-Analysis is skipped: .+sms:exportToS3/),
  ]);
});
