import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { describe, expect, it } from 'vitest';
import { outputsOfSources } from '../../../cli/target/stack/outputs.ts';
import { contractHash } from '../../../contract/events/body.ts';
import { SettingsError } from '../../../lib/app/read-settings.ts';
import { PipelinePropsError } from '../../../lib/options/pipeline-props-error.ts';
import { Contract, type SourceProps } from '../../../lib/public/index.ts';
import { flattened, list, statementsOf } from '../support/allowed-actions.ts';
import { quickApp, type Resource, resource, resourcesOf, templateFor } from '../support/built-app.ts';
import { contract, pipelineIn, stackWith } from '../support/own-pipeline.ts';

const vonage = () => ({ contract: Contract.preset('vonage-sms') });

function pipelineWith(source?: SourceProps) {
  const { stack, pipeline } = stackWith({ alarms: { enabled: false } });
  if (source !== undefined) pipeline.addSource('backup', source);
  return { stack, template: Template.fromStack(stack) };
}

const resourcesIn = (template: Template): Record<string, Resource> => template.toJSON().Resources;

function problemsOf(name: unknown, source: unknown): string[] {
  const { pipeline } = stackWith();
  try {
    pipeline.addSource(name as string, source as SourceProps);
    return [];
  } catch (error) {
    if (!(error instanceof PipelinePropsError)) throw error;
    return error.message.split('\n');
  }
}

describe('a further source', () => {
  it('changes nothing of the others but the names that queries know', () => {
    const alone = resourcesIn(pipelineWith().template);
    const beside = resourcesIn(pipelineWith(vonage()).template);
    const changed = Object.entries(alone).filter(
      ([id, { Properties }]) => JSON.stringify(beside[id]?.Properties) !== JSON.stringify(Properties),
    );
    expect(changed.map(([id]) => id)).toEqual([expect.stringMatching(/QueryFunction/)]);
    const variables = (resource: Resource | undefined) => JSON.stringify(resource?.Properties.Environment);
    const [[query = '']] = changed.length === 1 ? changed : [['']];
    expect(variables(beside[query])).toContain('"SOURCES":"main,backup"');
  });

  it('is in the health of the console and in the alarms of the dashboard', () => {
    const { stack, pipeline } = stackWith({ console: {} });
    pipeline.addSource('backup', { ...vonage(), registration: false });
    const template = Template.fromStack(stack);
    const { Environment } = resource(
      template,
      'AWS::Lambda::Function',
      'SmsConsoleConsoleRequests',
    ).Properties;
    const { Variables } = Environment as { Variables: Readonly<Record<string, unknown>> };
    expect(JSON.parse(flattened(Variables.FURTHER_SOURCES))).toEqual([
      {
        source: 'backup',
        events: expect.stringContaining('SmsSourceBackupEventsQueue'),
        deadLetters: expect.stringContaining('SmsSourceBackupEventsDeadLetters'),
        state: expect.stringContaining('SmsSourceBackupRegistrationWebhookState'),
        registers: false,
      },
    ]);
    const allowed = statementsOf(resource(template, 'AWS::IAM::Policy', 'SmsConsoleConsoleRequests')).flatMap(
      ({ Action, Resource }) => [Resource].flat().map((arn) => `${list(Action)} on ${flattened(arn)}`),
    );
    expect(
      allowed.filter((text) => text.includes('SmsSourceBackup')).map((text) => text.split(' ')[0]),
    ).toEqual(expect.arrayContaining(['sqs:GetQueueAttributes', 'dynamodb:GetItem,dynamodb:Query']));
    expect(allowed.join('\n')).not.toMatch(/SendMessage.* on .*SmsSourceBackup/);
    const [dashboard] = Object.values(resourcesOf(template, 'AWS::CloudWatch::Dashboard'));
    const alarms = Object.keys(resourcesOf(template, 'AWS::CloudWatch::Alarm')).filter((id) =>
      id.startsWith('SmsSourceBackup'),
    );
    expect(alarms.length).toBeGreaterThan(5);
    for (const alarm of alarms) expect(flattened(dashboard?.Properties.DashboardBody)).toContain(alarm);
  });

  it('has an address, a secret, a queue and functions of its own', () => {
    const { template } = pipelineWith(vonage());
    const added = Object.entries(resourcesIn(template)).filter(([id]) => id.startsWith('SmsSourceBackup'));
    const types = new Set(added.map(([, { Type }]) => Type));
    for (const type of ['SecretsManager::Secret', 'SQS::Queue', 'DynamoDB::Table'])
      expect(types).toContain(`AWS::${type}`);
    const routes = Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route'));
    expect(routes.map(({ Properties }) => Properties.RouteKey)).toContain('ANY /webhooks/sms/backup');
    const functions = added.flatMap(([, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Function' ? [JSON.stringify(Properties)] : [],
    );
    expect(functions).toHaveLength(3);
    for (const service of ['ingest', 'worker', 'setup'])
      expect(functions.join()).toContain(`"POWERTOOLS_SERVICE_NAME":"${service}-backup"`);
    expect(functions.filter((text) => text.includes('"SOURCE":"backup"'))).toHaveLength(2);
  });

  it('reads and writes no secret, queue or webhook state of another source', () => {
    const { template } = pipelineWith(vonage());
    const policies = Object.entries(resourcesOf(template, 'AWS::IAM::Policy'));
    const touched = policies.flatMap(([id, policy]) =>
      statementsOf(policy).flatMap(({ Resource, Action }) =>
        list(Action).some((action) => /^(sqs|secretsmanager|dynamodb):/.test(action))
          ? [Resource].flat().map((arn) => ({ ofBackup: id.includes('SourceBackup'), arn: flattened(arn) }))
          : [],
      ),
    );
    const shared = /History|Quarantine|:secret:/;
    const own = touched.filter(({ arn }) => !shared.test(arn));
    expect(own.filter(({ ofBackup }) => ofBackup).length).toBeGreaterThan(3);
    for (const { ofBackup, arn } of own) expect(arn.includes('SourceBackup')).toBe(ofBackup);
  });

  it('knows, as main does, whether opt-outs count by source', () => {
    const { stack, pipeline } = stackWith({ alarms: { enabled: false }, optOutsBySource: true });
    pipeline.addSource('backup', vonage());
    const template = Template.fromStack(stack).toJSON();
    expect(JSON.stringify(template.Resources).match(/"OPT_OUTS_BY_SOURCE":"on"/g)).toHaveLength(2);
    expect(Object.keys(template.Outputs)).toContainEqual(expect.stringMatching(/^SmsOptOutsBySource/));
  });

  it('has figures of its own', () => {
    const { pipeline } = stackWith({ alarms: { enabled: false } });
    const backup = pipeline.addSource('backup', vonage());
    for (const metric of [
      'metricRequestsAccepted',
      'metricRequestsRejected',
      'metricEventsStored',
    ] as const) {
      const [own, ofMain] = [backup[metric](), pipeline[metric]()];
      expect(own).toMatchObject({ metricName: ofMain.metricName, namespace: ofMain.namespace });
      expect(own.dimensions).toEqual({ service: `${String(ofMain.dimensions?.service)}-backup` });
    }
    const stack = Stack.of(pipeline);
    expect(stack.resolve(backup.metricDeadLetters({ label: 'lost' }).dimensions)).not.toEqual(
      stack.resolve(pipeline.metricDeadLetters().dimensions),
    );
  });

  it('names itself in its alarms', () => {
    const { stack, pipeline } = stackWith();
    pipeline.addSource('backup', vonage());
    const alarms = Object.entries(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
    for (const [id, { Properties }] of alarms) {
      const text = JSON.stringify(Properties.AlarmDescription);
      expect(text.includes('SOURCE: backup. ')).toBe(id.includes('SourceBackup'));
    }
  });

  it('registers its webhook with its own API key, and asks for messages, if it is told to', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const pipeline = pipelineIn(stack, { alarms: { enabled: false } });
    const apiKey = Secret.fromSecretNameV2(stack, 'Other', 'other/api-key');
    pipeline.addSource('brazil-backup', { contract, apiKey, lookups: true });
    const template = Template.fromStack(stack);
    const registrations = template.findResources('Custom::SmsWebhookRegistration');
    expect(Object.values(registrations).map(({ Properties }) => Properties.ApiKeySecretName)).toEqual([
      'sms/api-key',
      'other/api-key',
    ]);
    const functions = Object.entries(resourcesOf(template, 'AWS::Lambda::Function'));
    expect(functions.map(([id]) => id)).toContainEqual(expect.stringMatching(/SourceBrazilBackupLookups/));
  });

  it('registers when its own path and the shared one are there, and is deactivated before they go', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const pipeline = pipelineIn(stack, { alarms: { enabled: false } });
    pipeline.addSource('backup', {
      contract,
      apiKey: Secret.fromSecretNameV2(stack, 'Other', 'other/api-key'),
    });
    const template = Template.fromStack(stack);
    const registrations = Object.entries(template.findResources('Custom::SmsWebhookRegistration'));
    const [registration] = registrations.flatMap(([id, one]) => (id.includes('SourceBackup') ? [one] : []));
    const path = [
      'AWS::ApiGatewayV2::Route',
      'AWS::ApiGatewayV2::Integration',
      'AWS::ApiGatewayV2::Stage',
      'AWS::Lambda::EventSourceMapping',
      'AWS::SQS::QueuePolicy',
    ];
    for (const type of path)
      expect(registration?.DependsOn, type).toEqual(
        expect.arrayContaining(
          Object.keys(template.findResources(type)).filter((id) => !id.startsWith('SmsRegistration')),
        ),
      );
    const permissions = Object.keys(template.findResources('AWS::Lambda::Permission'));
    const ofRoutes = permissions.filter((id) => id.startsWith('SmsApi'));
    expect(ofRoutes.length).toBeGreaterThanOrEqual(2);
    expect(registration?.DependsOn).toEqual(expect.arrayContaining(ofRoutes));
  });

  it('has under its name the outputs that commands expect from each source, and no others', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const pipeline = pipelineIn(stack, { alarms: { enabled: false } });
    const apiKey = Secret.fromSecretNameV2(stack, 'Other', 'other/api-key');
    pipeline.addSource('full', { contract, apiKey, lookups: true });
    pipeline.addSource('retried', { contract: Contract.preset('twilio') });
    const names = Object.keys(Template.fromStack(stack).toJSON().Outputs);
    const own = names.flatMap((id) => /^SmsSource(?:Full|Retried)(\w+)[0-9A-F]{8}$/.exec(id)?.[1] ?? []);
    expect(new Set(own)).toEqual(outputsOfSources);
    expect(names).toContainEqual(expect.stringMatching(/^SmsSources[0-9A-F]{8}$/));
  });
});

it.each<[unknown, unknown, RegExp]>([
  ['Backup', vonage(), /name: expected words of lower-case letters/],
  ['a-1', vonage(), /name: expected words of lower-case letters/],
  ['main', vonage(), /name: expected another one/],
  ['backup', { ...vonage(), retention: 3 }, /retention: not a prop of a source/],
  ['backup', { ...vonage(), webhook: { burst: 3 } }, /webhook\.burst: not a prop of a source/],
  ['backup', { ...vonage(), lookpus: true }, /lookpus: not a prop; did you mean lookups/],
  ['backup', { ...vonage(), webhook: true }, /webhook: found the boolean true, expected an object/],
  ['backup', undefined, /props: found undefined, expected an object with the props of the source/],
  [undefined, vonage(), /name: expected words of lower-case letters/],
  ['backup', { ...vonage(), registration: true }, /source "backup"[\s\S]*no "service"/],
])('addSource with wrong props says which: %#', (name, source, line) => {
  expect(problemsOf(name, source).join('\n')).toMatch(line);
});

const hashOfPreset = (name: string) => contractHash(Contract.preset(name)._document);

describe('sms:sources', () => {
  it('adds the sources to the pipeline of the stand-alone app', () => {
    const block = { contractFile: 'contract.json', apiKeySecretName: 'backup/key' };
    const pipeline = templateFor({ 'sms:sources': JSON.stringify({ backup: block }) });
    const { Outputs } = pipeline.toJSON();
    expect(Outputs.Sources.Value).toBe('main,backup');
    expect(JSON.stringify(Outputs.SourceBackupWebhookUrl.Value)).toContain('/webhooks/sms/backup');
    expect(JSON.stringify(pipeline.toJSON())).toContain('backup/key');
  });

  it('and sms:contractFile may name a preset', () => {
    const sources = { backup: { contractFile: 'twilio', registration: 'off' } };
    const pipeline = templateFor({
      'sms:contractFile': 'vonage-messages',
      'sms:registration': 'off',
      'sms:sources': JSON.stringify(sources),
    });
    const { Outputs } = pipeline.toJSON();
    const hashes = [Outputs.ContractHash.Value, Outputs.SourceBackupContractHash.Value];
    expect(hashes).toEqual(['vonage-messages', 'twilio'].map(hashOfPreset));
  });

  it.each<[unknown, string]>([
    ['backup', 'sms:sources: found "backup", expected a JSON object'],
    [{ backup: {} }, 'sms:sources.backup.contractFile: found nothing'],
    [{ backup: { contractFile: 'contract.json', retentionDays: 3 } }, 'sms:sources.backup.retentionDays: no'],
    [
      { backup: { contractFile: 'contract.json', registration: 'maybe' } },
      'sms:sources.backup.registration: found "maybe", expected "off" or "on"',
    ],
    [{ 'Not a name': {} }, 'sms:sources: found'],
    [{ main: { contractFile: 'contract.json', registration: 'off' } }, 'sms:sources: found'],
    // The default is the key of main.
    [{ backup: { contractFile: 'contract.json' } }, 'sms:sources.backup.apiKeySecretName: found nothing'],
    [
      { backup: { contractFile: 'contract.json', registration: 'off', lookups: 'on' } },
      'sms:sources.backup.apiKeySecretName: found nothing',
    ],
  ])('with %j is refused', (sources, line) => {
    expect(() => templateFor({ 'sms:sources': sources as never })).toThrow(SettingsError);
    expect(() => templateFor({ 'sms:sources': sources as never })).toThrow(line);
  });
});
