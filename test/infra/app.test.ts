import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { RegistrationStack } from '../../lib/stacks/registration-stack.ts';
import {
  allAutomations,
  buildApp,
  customDomain,
  mutualTls,
  newFolder,
  registrationTemplate,
  templatesFor,
} from './support/built-app.ts';

const root = resolve(import.meta.dirname, '../..');

/** All that can be switched on. */
const everything = {
  'sms:exportToS3': 'daily',
  ...allAutomations,
  'sms:eventSchemaRegistry': 'on',
  'sms:eventBusAccounts': '111111111111,222222222222',
  'sms:queryRoleArn': 'arn:aws:iam::000000000000:role/team/reader',
  ...customDomain,
  ...mutualTls,
};

const withoutAccessLog = { ...everything, 'sms:accessLog': 'off' };

describe('checks at synth', () => {
  it.each([AwsSolutionsChecks, ServerlessChecks])('all findings with %o are acknowledged', (Pack) => {
    for (const settings of [everything, withoutAccessLog]) {
      const { app } = buildApp(settings);
      app.synth();
      expect(new Pack().validateScope(app).violations).toEqual([]);
    }
  });

  it('fail the synthesis for a finding of each pack', () => {
    const { app, pipeline } = buildApp();
    new Queue(pipeline, 'Careless');
    expect(() => app.synth()).toThrow(/AwsSolutions-SQS4(.|\n)*Serverless-SQSRedrivePolicy/);
  });

  it('are suppressed for single resources only, each with a sentence as reason', () => {
    const { app } = buildApp(withoutAccessLog);
    const reasons = app.node
      .findAll()
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

  it.each([
    ['the default settings', {}],
    ['everything switched on', everything],
  ])('find no error in the templates of %s by the rules of CloudFormation', (_, settings) => {
    const { app } = buildApp(settings, true);
    const { directory } = app.synth();
    const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
    expect(report.pluginReports).toEqual([]);
  });

  it('warn while the address of the service is the fictitious one of the shipped contract', () => {
    const warnings = (settings: Record<string, string>) =>
      buildApp(settings)
        .app.node.findAll()
        .filter((construct) => construct instanceof RegistrationStack)
        .flatMap((stack) =>
          Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('placeholder')),
        );
    expect(warnings({ 'sms:serviceBaseUrl': 'https://api.sms-service.example' })).toHaveLength(1);
    expect(warnings({ 'sms:serviceBaseUrl': 'https://api.real.test' })).toEqual([]);
  });
});

describe('the assembly', () => {
  it('is for any account and region, and needs no lookup in AWS', () => {
    const { app } = buildApp();
    const assembly = app.synth();
    expect(assembly.stacks.map(({ stackName }) => stackName).sort()).toEqual([
      'SmsPipeline-Automations',
      'SmsPipeline-Events',
      'SmsPipeline-Pipeline',
      'SmsPipeline-Registration',
      'SmsPipeline-Storage',
    ]);
    for (const { environment } of assembly.stacks)
      expect(environment.name).toBe('aws://unknown-account/unknown-region');
    expect(assembly.manifest.missing).toBeUndefined();
  });

  it('uses only intrinsic functions that the local run supports', () => {
    const { storage, events, pipeline, automations } = templatesFor(everything);
    const registration = registrationTemplate(everything);
    const functions = [storage, events, pipeline, registration, automations].flatMap((template) => {
      const { Resources, Outputs, Conditions, Mappings } = template.toJSON();
      expect([Conditions, Mappings]).toEqual([undefined, undefined]);
      return JSON.stringify({ Resources, Outputs }).match(/"Fn::\w+"/g) ?? [];
    });
    const understood = ['GetAtt', 'Join', 'Sub', 'ImportValue', 'Select', 'Split'].map(
      (name) => `"Fn::${name}"`,
    );
    expect([...new Set(functions)].filter((name) => !understood.includes(name))).toEqual([]);
  });

  it('contains no resource that the CDK adds by itself', () => {
    const templates = Object.values(templatesFor(everything)).filter((template) => template !== undefined);
    const types = templates.flatMap((template) =>
      Object.values<{ Type: string }>(template.toJSON().Resources).map(({ Type }) => Type),
    );
    expect(types.filter((type) => type.startsWith('Custom::'))).toEqual(['Custom::SmsWebhookRegistration']);
    expect(types).not.toContain('AWS::CDK::Metadata');
    expect(types.filter((type) => type === 'AWS::Lambda::Function')).toHaveLength(12);
  });
});

/** Runs bin/app.ts as the CDK's command line does, without credentials, with these settings. */
async function run(context: Record<string, unknown>) {
  const outdir = newFolder();
  const env = { PATH: process.env.PATH, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) };
  const options = { cwd: root, env: { ...env, CDK_VALIDATION: 'false' } };
  const { stderr, failed } = await promisify(execFile)(
    process.execPath,
    [join(root, 'bin/app.ts')],
    options,
  ).then(
    (output) => ({ stderr: output.stderr, failed: undefined }),
    (error: { code: number; stdout: string; stderr: string }) => ({ stderr: error.stderr, failed: error }),
  );
  return { outdir, stderr, failed };
}

describe('bin/app.ts', () => {
  it('reports all invalid settings in one message', async () => {
    const { failed } = await run({ 'sms:retentionDays': 'ninety', 'sms:bust': '1' });
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed?.stderr).toBe(
      [
        'Wrong settings (CDK context, from -c or cdk.json):',
        '  sms:retentionDays: found "ninety", expected a whole number of days from 1 to 3650',
        '  sms:bust: no such setting, did you mean sms:throttleBurst?',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [
      'that is not there',
      undefined,
      /^\S+contract.json: cannot be read \(ENOENT\); the setting sms:contractFile names this file\n$/,
    ],
    ['that is no JSON', '{', /^\S+contract.json: not JSON: .+\n$/],
    [
      'that breaks the rules',
      '{}',
      /^\S+contract.json: The contract is not valid:\n {2}service: .+\n {2}webhook: /,
    ],
  ])('reports the errors of a contract %s', async (_, content, message) => {
    const path = join(newFolder(), 'contract.json');
    if (content !== undefined) writeFileSync(path, content);
    const { failed } = await run({ 'sms:contractFile': path });
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
    expect(failed?.stderr).not.toMatch(/^ +at /m);
  });

  it('reports the errors of the keywords', async () => {
    const path = join(newFolder(), 'keywords.json');
    writeFileSync(path, '{}');
    const { failed } = await run({ 'sms:keywordsFile': path });
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed?.stderr).toMatch(
      /^\S+keywords\.json: The keywords are not valid .+\n {2}everywhere: .+\n$/,
    );
  });

  it('synthesizes the stacks with the handlers of this repository', async () => {
    const { outdir, failed } = await run({ 'sms:stackPrefix': 'Team' });
    expect(failed).toBeUndefined();
    const { artifacts } = JSON.parse(readFileSync(join(outdir, 'manifest.json'), 'utf8'));
    for (const stack of ['Storage', 'Events', 'Pipeline', 'Registration', 'Automations'])
      expect(artifacts).toHaveProperty([`Team-${stack}`, 'type'], 'aws:cloudformation:stack');
  });

  it.each([
    ['warns while no alarm notifies an operator', {}, 1],
    [
      'has no warning of alarms once there is a topic',
      { 'sms:alarmTopicArn': 'arn:aws:sns:us-east-1:000000000000:ops' },
      0,
    ],
  ])('%s, and synthesizes', async (_, settings, count) => {
    const { failed, stderr } = await run(settings);
    expect(failed).toBeUndefined();
    expect(stderr.match(/^WARNING .*sms:alarmTopicArn/gm) ?? []).toHaveLength(count);
  });
});
