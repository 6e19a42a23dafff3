import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCloudAssembly, stagesOf } from '../../../../local/cloudformation/cloud-assembly.ts';

function assemblyOf(files: Record<string, object>): string {
  const directory = mkdtempSync(join(tmpdir(), 'assembly-'));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, name), JSON.stringify(content));
  }
  return directory;
}

function stackArtifact(name: string, dependencies: string[]): object {
  const properties = { templateFile: `${name}.template.json`, stackName: `prefix-${name}` };
  return { type: 'aws:cloudformation:stack', dependencies, properties };
}

describe('readCloudAssembly', () => {
  it('lists each stack after its dependencies, with its assets by S3 key', () => {
    const directory = assemblyOf({
      'manifest.json': {
        version: '55.0.0',
        artifacts: {
          Api: stackArtifact('Api', ['Api.assets', 'Storage']),
          'Api.assets': { type: 'cdk:asset-manifest', properties: { file: 'Api.assets.json' } },
          Storage: stackArtifact('Storage', []),
          Tree: { type: 'cdk:tree', properties: { file: 'tree.json' } },
        },
      },
      'Api.template.json': { Resources: { Function: { Type: 'AWS::Lambda::Function' } } },
      'Storage.template.json': { Resources: { Table: { Type: 'AWS::DynamoDB::Table' } } },
      'Api.assets.json': {
        files: {
          abc: {
            source: { path: 'asset.abc', packaging: 'zip' },
            destinations: { here: { bucketName: 'b', objectKey: 'abc.zip' } },
          },
        },
      },
    });

    const stacks = readCloudAssembly(directory);

    expect(stacks.map(({ name }) => name)).toEqual(['prefix-Storage', 'prefix-Api']);
    expect(stacks[1]?.assets).toEqual(new Map([['abc.zip', join(directory, 'asset.abc')]]));
    expect(stacks[0]?.assets).toEqual(new Map());
    expect(Object.keys(stacks[0]?.template.Resources ?? {})).toEqual(['Table']);
  });
});

it('a stack for an account and a region has those of one machine', () => {
  const Value = 'arn:aws:sqs:eu-west-1:123456789012:queue';
  const directory = assemblyOf({
    'manifest.json': {
      artifacts: { One: { ...stackArtifact('One', []), environment: 'aws://123456789012/eu-west-1' } },
    },
    'One.template.json': { Outputs: { Queue: { Value }, Zone: { Value: 'eu-west-1a' } } },
  });
  const [stack] = readCloudAssembly(directory);
  expect(stack?.template.Outputs.Queue?.Value).toBe('arn:aws:sqs:us-east-1:000000000000:queue');
  expect(stack?.template.Outputs.Zone?.Value).toBe('eu-west-1a');
});

it('the stages of an app are listed, because their stacks do not run', () => {
  const directory = assemblyOf({
    'manifest.json': {
      artifacts: { 'assembly-Prod': { type: 'cdk:cloud-assembly' }, One: { type: 'cdk:tree' } },
    },
  });
  expect(stagesOf(directory)).toEqual(['assembly-Prod']);
});
