import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack as CdkStack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { shippedContract } from '../../../contract/document/contract-file-store.ts';
import { propsOf } from '../../../lib/app/props-of-settings.ts';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { Contract } from '../../../lib/props/contract.ts';
import { readCloudAssembly, type Stack } from '../../../local/cloudformation/cloud-assembly.ts';
import { retainedUnpinned, statefulResources } from '../../../tools/check/stateful-resources.ts';
import { quickApp, StubbedPipeline } from '../support/built-app.ts';
import { everything, largest, pipelineStacks, smallest } from './synthesized.ts';

const all = pipelineStacks(everything);

/** The stack of an app of one's own, with the construct in it. */
function ownStacks(): readonly Stack[] {
  const app = quickApp();
  const stack = new CdkStack(app, 'Shop');
  const contract = Contract.fromFile(shippedContract);
  const encryptionKey = new Key(stack, 'Key');
  const settings = propsOf(readSettings(everything), stack);
  new StubbedPipeline(stack, 'Sms', { ...settings, contract, encryptionKey });
  return readCloudAssembly(app.synth().directory);
}

const file = join(import.meta.dirname, 'pinned.txt');
const pinned = readFileSync(file, 'utf8').trimEnd().split('\n');
const found = { ...statefulResources(all), ...statefulResources(ownStacks()) };

/** One line for each resource with data: its stack and logical id, its type, and a hash of the properties whose change loses the data. */
const linesOf = (resources: ReturnType<typeof statefulResources>) =>
  Object.entries(resources)
    .map(([id, { Type, ...properties }]) => `${id} ${Type} ${hashOf(properties)}`)
    .sort();

const hashOf = (properties: object) =>
  createHash('sha256').update(JSON.stringify(properties)).digest('hex').slice(0, 8);

const advice = `
What holds data has another logical id, name or property than in ${file}.
CloudFormation would put an empty one in its place (a table or secret that is retained stays behind, unused), or make a
second one. If that was not meant, undo the change: an id changes with the path of the construct, so that moving or renaming
one is enough. If it was meant, docs/start/deploy.md has to say how the data comes along, CHANGELOG.md that it does not come by
itself, and pinned.txt becomes:

`;

describe('an update', () => {
  it('replaces no resource with data, neither of the stand-alone app nor of the construct in a stack', () => {
    const lines = linesOf(found);
    expect(lines, advice + lines.join('\n')).toEqual(pinned);
  });

  it.each([
    ['by default', {}],
    ['with the smallest settings', smallest],
    ['with the largest settings', { ...largest, 'sms:stackName': 'SmsPipeline' }],
  ])('of the settings replaces no resource with data: %s', (_, context) => {
    const others = linesOf(statefulResources(pipelineStacks(context)));
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter((line) => !pinned.includes(line))).toEqual([]);
  });

  it('finds every retained resource pinned', () => {
    expect(retainedUnpinned(all)).toEqual([]);
  });
});

describe('after a destroyed stack', () => {
  it('no retained resource has a name that a new resource needs', () => {
    const retained = Object.entries(found).filter(([, { DeletionPolicy }]) =>
      String(DeletionPolicy).startsWith('Retain'),
    );
    expect(retained.length).toBeGreaterThan(0);
    for (const [id, properties] of retained)
      for (const name of ['TableName', 'Name', 'BucketName', 'QueueName', 'ArchiveName'])
        expect(properties, id).not.toHaveProperty(name);
  });
});
