import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, NestedStack, Stack, Stage } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { shippedContract } from '../../../contract/document/contract-file-store.ts';
import { propsOf } from '../../../lib/app/props-of-settings.ts';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { Contract } from '../../../lib/props/contract.ts';
import { readCloudAssembly } from '../../../local/cloudformation/cloud-assembly.ts';
import { parseTemplate } from '../../../local/cloudformation/template.ts';
import {
  collisions,
  exportsOf,
  physicalNames,
  sharedNamespaces,
} from '../../../tools/check/template-problems.ts';
import { quickApp, StubbedPipeline } from '../support/built-app.ts';
import { everything } from './synthesized.ts';

/** Adds a pipeline with every prop. Its topic and the certificate of the API are in the region of the stack. */
function addPipeline(scope: Construct, region = 'us-east-1'): void {
  const regional = ['sms:certificateArn', 'sms:alarmTopicArn'].map((name) => [
    name,
    String(everything[name]).replace('us-east-1', region),
  ]);
  const props = propsOf(readSettings({ ...everything, ...Object.fromEntries(regional) }), scope);
  const contract = Contract.fromFile(shippedContract);
  new StubbedPipeline(scope, 'Sms', { ...props, contract, encryptionKey: new Key(scope, 'Key') });
}

/** Synthesizes an app and returns its templates, also those of stages and nested stacks, by file. */
function templatesIn(app: App) {
  const { directory } = app.synth();
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => parseTemplate(JSON.parse(readFileSync(join(directory, file), 'utf8'))));
}

describe('a pipeline with every prop', () => {
  it.each<[string, (app: App) => Construct, number]>([
    ['in a stack', (app) => new Stack(app, 'Shop'), 1],
    ['in a stage', (app) => new Stack(new Stage(app, 'Prod'), 'Shop'), 1],
    ['in a nested stack', (app) => new NestedStack(new Stack(app, 'Shop'), 'Messages'), 2],
  ])('imports nothing that its own template exports: %s', (_, place, count) => {
    const app = quickApp();
    addPipeline(place(app));
    const templates = templatesIn(app);
    expect(templates).toHaveLength(count);
    for (const template of templates) {
      const imports = JSON.stringify(template.Resources);
      const exported = exportsOf({ name: 'Shop', template, assets: new Map() });
      expect(exported.filter((name) => imports.includes(`"Fn::ImportValue":"${name}"`))).toEqual([]);
    }
  });
});

/** The stacks of an app whose stack has an id of its own and this name, for example of one app that is deployed once for each brand. */
function stacksNamed(stackName: string, region?: string) {
  const app = quickApp();
  addPipeline(
    new Stack(app, 'Shop', { stackName, ...(region !== undefined && { env: { region } }) }),
    region,
  );
  return readCloudAssembly(app.synth().directory);
}

it('two stacks of one construct id with two names share only the domain name of their settings', () => {
  const one = stacksNamed('Shop-Alpha');
  const other = stacksNamed('Shop-Beta');
  expect(one.flatMap(physicalNames).length).toBeGreaterThan(0);
  expect(collisions([...one, ...other])).toEqual(['AWS::ApiGatewayV2::DomainName "sms.pipeline.test"']);
  expect(sharedNamespaces(one, other)).toEqual([]);
});

describe('the names of CloudFront, which are global in an account,', () => {
  const cloudFrontNames = (stackName: string, region?: string) =>
    stacksNamed(stackName, region)
      .flatMap(physicalNames)
      .filter((name) => name.startsWith('AWS::CloudFront::'));

  it('differ from region to region, also if the region is known at deployment only', () => {
    const virginia = cloudFrontNames('Shop', 'us-east-1');
    expect(virginia).toHaveLength(3);
    const ireland = cloudFrontNames('Shop', 'eu-west-1');
    expect(virginia.filter((name) => ireland.includes(name))).toEqual([]);
    for (const name of cloudFrontNames('Shop')) expect(name).toContain('{"Ref":"AWS::Region"}');
  });

  it('are not longer than CloudFront accepts with the longest names of stack and region', () => {
    const longest = { Function: 64, OriginAccessControl: 64, ResponseHeadersPolicy: 128 };
    const names = cloudFrontNames('S'.repeat(128), 'ap-northeast-1');
    for (const [type, length] of Object.entries(longest)) {
      const [, name = ''] = names.find((one) => one.includes(`::${type} `))?.split('"') ?? [];
      expect(name).toMatch(/^ap-northeast-1[\w-]+$/);
      expect(name.length).toBeLessThanOrEqual(length);
    }
  });
});
