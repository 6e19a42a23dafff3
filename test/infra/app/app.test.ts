import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { functionNames } from '../../../lib/bundling/function-code.ts';
import { readCloudAssembly } from '../../../local/cloudformation/cloud-assembly.ts';
import { templateProblems } from '../../../tools/check/template-problems.ts';
import { everything } from '../deployable/synthesized.ts';
import { assemblyFor, buildApp, type Context, newFolder, templateFor } from '../support/built-app.ts';

const root = resolve(import.meta.dirname, '../../..');

const withoutAccessLog = { ...everything, 'sms:encryptionKey': 'aws', 'sms:accessLog': 'off' };

describe('checks at synth', () => {
  it.each([
    ['everything switched on', everything],
    ['no access log and no key', withoutAccessLog],
  ])('have no finding that is not acknowledged with %s', (_, settings) => {
    const { app } = buildApp(settings);
    app.synth();
    for (const Pack of [AwsSolutionsChecks, ServerlessChecks])
      expect(new Pack().validateScope(app).violations).toEqual([]);
  });

  it('fail the synthesis for a finding of each pack', () => {
    const { app, stack } = buildApp();
    new Queue(stack, 'Careless');
    expect(() => app.synth()).toThrow(/AwsSolutions-SQS4(.|\n)*Serverless-SQSRedrivePolicy/);
  });

  it('are suppressed for single resources only, each with a sentence as reason', () => {
    const reasons = buildApp(withoutAccessLog)
      .app.node.findAll()
      .flatMap(({ node }) =>
        node.metadata
          .filter(({ type }) => type === 'aws:cdk:acknowledged-rules')
          .map(({ data }) => ({ path: node.path, data: data as Record<string, string> })),
      );
    expect(reasons.length).toBeGreaterThan(0);
    for (const { path, data } of reasons) {
      expect(path.split('/').length).toBeGreaterThan(1);
      for (const reason of Object.values(data)) expect(reason).toMatch(/^[A-Z].{50,}\.$/);
    }
  });

  it('warn that no alarm notifies an operator, without a topic', () => {
    const warnings = buildApp()
      .app.node.findAll()
      .flatMap(({ node }) => node.metadata.filter(({ type }) => type === 'aws:cdk:warning'));
    expect(JSON.stringify(warnings)).toContain('sms:alarmTopicArn');
  });

  it.each([
    ['https://api.sms-service.example', 1],
    ['https://api.real.test', 0],
  ])(
    'warn while the address of the service is the fictitious one of the shipped contract: %s',
    (url, count) => {
      const { stack } = buildApp({ 'sms:serviceBaseUrl': url });
      const placeholder = Match.stringLikeRegexp('placeholder');
      expect(Annotations.fromStack(stack).findWarning('*', placeholder)).toHaveLength(count);
    },
  );
});

describe('the assembly', () => {
  it('is one stack for any account and region, and needs no lookup in AWS', () => {
    const { assembly } = assemblyFor(everything);
    const [stack, ...others] = assembly.stacks;
    expect([stack?.stackName, others]).toEqual(['SmsPipeline', []]);
    expect(stack?.environment.name).toBe('aws://unknown-account/unknown-region');
    expect(assembly.manifest.missing).toBeUndefined();
  });

  it('uses only intrinsic functions that the local run supports', () => {
    const { Resources, Outputs, Conditions, Mappings } = templateFor(everything).toJSON();
    expect([Conditions, Mappings]).toEqual([undefined, undefined]);
    const functions = JSON.stringify({ Resources, Outputs }).match(/"Fn::\w+"/g) ?? [];
    const understood = ['GetAtt', 'Join', 'Sub', 'Select', 'Split'].map((name) => `"Fn::${name}"`);
    expect([...new Set(functions)].filter((name) => !understood.includes(name))).toEqual([]);
  });

  it('contains no resource that the CDK adds by itself', () => {
    const resources = Object.values<{ Type: string }>(templateFor(everything).toJSON().Resources);
    const types = resources.map(({ Type }) => Type);
    expect(types.filter((type) => type.startsWith('Custom::')).sort()).toEqual([
      'Custom::CDKBucketDeployment',
      'Custom::CDKBucketDeployment',
      'Custom::SmsWebhookRegistration',
    ]);
    expect(types).not.toContain('AWS::CDK::Metadata');
    // The CDK's own function uploads the page of the console.
    const functions = types.filter((type) => type === 'AWS::Lambda::Function');
    expect(functions).toHaveLength(functionNames.length + 1);
  });
});

/** Runs bin/app.ts as the CDK's command line does, without credentials, with these settings. */
async function run(context: Context) {
  const outdir = newFolder();
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) };
  const options = { cwd: root, env: { ...env, CDK_VALIDATION: 'false' } };
  const { code, stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(root, 'bin/app.ts')],
    options,
  ).then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { outdir, code, stdout, stderr };
}

describe('bin/app.ts', () => {
  const file = (content: string) => {
    const path = join(newFolder(), 'file.json');
    writeFileSync(path, content);
    return path;
  };

  it.each([
    [
      'all invalid settings in one message',
      { 'sms:retentionDays': 'ninety', 'sms:bust': '1' },
      /^Wrong settings .+\n {2}sms:retentionDays: .+\n {2}sms:bust: .+\n$/,
    ],
    [
      'the errors of a contract',
      { 'sms:contractFile': file('{"samples": []}') },
      /^\S+file.json: The contract is not valid:\n {2}webhook: .+\n {2}events: /,
    ],
  ])('reports %s, without a stack trace', async (_, context, message) => {
    const { code, stdout, stderr } = await run(context);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  // `.ci/run` synthesizes the defaults.
  it('synthesizes a stack that could be deployed with everything switched on, without a warning', async () => {
    // The page of the console is built apart.
    const { outdir, code, stderr } = await run({ ...everything, 'sms:console': 'off' });
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/^WARNING .*sms:alarmTopicArn/m)]);
    const stacks = readCloudAssembly(outdir);
    expect(stacks.map(({ name }) => name)).toEqual(['SmsPipeline']);
    expect(templateProblems(stacks)).toEqual([]);
  });
});
