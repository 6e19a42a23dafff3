import { describe, expect, it } from 'vitest';
import type { CdkTarget } from '../../../../../cli/commands/deploy/arguments.ts';
import { type DeployedAccount, type DeployParts, deploy } from '../../../../../cli/commands/deploy/deploy.ts';
import type { DeployedStack, PlannedStack, Template } from '../../../../../cli/commands/deploy/stacks.ts';
import type { TargetSources } from '../../../../../cli/target/choose-target.ts';

const topic = 'arn:aws:sns:us-east-1:000000000000:ops';
const queueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/SmsPipeline-AutomationsOptOutQueue1234';
const outputDirectory = '/project/cdk.out';

type Resources = Record<
  string,
  {
    Type: string;
    Properties?: Record<string, unknown>;
    DeletionPolicy?: string;
    Metadata?: Record<string, unknown>;
  }
>;

/** @param outputs the values of the stack's outputs by their ids */
function template(resources: Resources, outputs: Readonly<Record<string, unknown>> = {}): Template {
  const complete = Object.entries(resources).map(([id, resource]) => [id, { Properties: {}, ...resource }]);
  const Outputs = Object.fromEntries(Object.entries(outputs).map(([id, Value]) => [id, { Value }]));
  return { Resources: Object.fromEntries(complete), Outputs };
}

const alarm = (actions: readonly string[]) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: actions.length === 0 ? {} : { AlarmActions: actions },
});
const queue = { Type: 'AWS::SQS::Queue' };

function deployed(resources: Resources, physicalIds: Record<string, string> = {}): DeployedStack {
  return {
    arn: 'arn:aws:cloudformation:eu-west-1:123456789012:stack/SmsPipeline/1',
    resources: Object.entries(resources).map(([logicalId, { Type }]) => ({
      logicalId,
      type: Type,
      physicalId: physicalIds[logicalId] ?? logicalId,
    })),
    template: template(resources),
  };
}

interface Scene {
  readonly before?: DeployedStack | Error | undefined;
  readonly after: Resources;
  /** What the `env` of the stack names. */
  readonly environment?: NonNullable<PlannedStack['environment']>;
  /** Whether all stacks of the app are in a `Stage`. */
  readonly isStaged?: boolean;
  /** A stack within the stack, before and after. */
  readonly nested?: { readonly before: DeployedStack; readonly after?: Resources };
  /** The values of the outputs after the deployment. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly messages?: number;
  /** Whether the first deployment failed. */
  readonly hasFailed?: boolean;
  readonly key?: string | Error;
  readonly answer?: string;
  readonly args?: readonly string[];
  /** The defaults of the CDK's files. */
  readonly defaults?: CdkTarget;
  readonly sources?: TargetSources;
  /** Exit codes of the CDK's runs. */
  readonly cdk?: readonly number[];
}

/** Runs the command in a made-up account; without an answer there is no terminal. */
async function run({
  before,
  after,
  environment,
  isStaged = false,
  nested,
  outputs = {},
  messages = 0,
  hasFailed = false,
  key,
  answer,
  args = [],
  cdk = [],
  defaults = {},
  sources = {},
}: Scene) {
  const calls: (readonly string[])[] = [];
  const written = { out: '', err: '' };
  const compared: string[] = [];
  const targets: CdkTarget[] = [];
  const asked: string[] = [];
  const account: DeployedAccount = {
    id: async () => '123456789012',
    region: async () => 'eu-west-1',
    stack: async (name) => {
      if (before instanceof Error) throw before;
      return name === nestedArn ? nested?.before : before;
    },
    messagesIn: async () => messages,
    unprotectFailed: async () => hasFailed,
    keyOfTopic: async () => {
      if (key instanceof Error) throw key;
      return key;
    },
  };
  const parts: DeployParts = {
    outputDirectory,
    terminal: {
      out: (text) => {
        if (/^(Compared with|No stack of) /.test(text)) compared.push(text);
        else written.out += text;
      },
      err: (text) => {
        written.err += text;
      },
      ask:
        answer === undefined
          ? undefined
          : async (question) => {
              asked.push(question);
              return answer;
            },
    },
    runCdk: async (arguments_) => {
      calls.push(arguments_);
      return cdk[calls.length - 1] ?? 0;
    },
    readPlanned: async () =>
      isStaged
        ? []
        : [
            {
              name: 'SmsPipeline',
              template: template(after, outputs),
              ...(environment && { environment }),
              nested: nested?.after
                ? { Inner: { name: 'SmsPipeline/Inner', template: template(nested.after) } }
                : {},
            },
          ],
    readDefaults: async () => defaults,
    sources,
    account: (target) => {
      targets.push(target);
      return account;
    },
  };
  const code = await deploy(args, parts);
  return {
    code,
    calls,
    asked,
    compared,
    targets,
    ...written,
    wasDeployed: calls.some(([verb]) => verb === 'deploy'),
  };
}

const nestedArn = 'arn:aws:cloudformation:eu-west-1:123456789012:stack/SmsPipeline-Inner/1';

const optOut = deployed({ OptOutQueue: queue }, { OptOutQueue: queueUrl });

describe('npm run deploy', () => {
  it('synthesizes with the context arguments, and deploys the result with all arguments', async () => {
    const args = ['-c', 'sms:contactSync=on', '--require-approval', 'never'];
    const { code, calls, asked } = await run({ before: undefined, after: { OptOutQueue: queue }, args });
    expect([code, asked]).toEqual([0, []]);
    expect(calls).toEqual([
      ['synth', '--quiet', '--output', outputDirectory, '--context', 'sms:contactSync=on'],
      ['deploy', '--all', '--app', outputDirectory, ...args],
    ]);
  });

  it('says that the CDK deletes what a first deployment left that failed', async () => {
    expect(await run({ after: {}, hasFailed: true })).toMatchObject({
      out: 'The first deployment of SmsPipeline failed. The CDK deletes what it left, and deploys again.\n',
      wasDeployed: true,
    });
    expect(await run({ after: {} })).toMatchObject({ out: '' });
  });

  it('returns the exit code of the CDK, and deploys nothing after a failed synthesis', async () => {
    expect(await run({ after: {}, cdk: [1] })).toMatchObject({ code: 1, wasDeployed: false });
    expect(await run({ after: {}, cdk: [0, 3] })).toMatchObject({ code: 3, wasDeployed: true });
  });
});

describe('the compared account', () => {
  const defaults = { profile: 'ops', region: 'eu-west-1' };

  it.each<[readonly string[], CdkTarget]>([
    [[], defaults],
    [['--profile', 'mine', '--region=us-east-1'], { profile: 'mine', region: 'us-east-1' }],
  ])(
    'is that of the arguments %j or of the files of the CDK, for the synthesis too',
    async (args, target) => {
      const { targets, calls } = await run({ after: {}, defaults, args });
      expect(targets).toEqual([target]);
      expect(calls[0]?.slice(4)).toEqual(['--profile', target.profile, '--region', target.region]);
    },
  );

  const prod = {
    target: { local: false, profile: 'prod', region: 'eu-west-1', prefix: 'Sms' },
    from: '/app/.smsrc',
  };

  it.each<[readonly string[], CdkTarget, target: CdkTarget, added: readonly string[]]>([
    [[], {}, { profile: 'prod', region: 'eu-west-1' }, ['--profile', 'prod', '--region', 'eu-west-1']],
    [
      [],
      { profile: 'prod' },
      { profile: 'prod', region: 'eu-west-1' },
      ['--profile', 'prod', '--region', 'eu-west-1'],
    ],
    [['--region', 'us-east-1'], {}, { profile: 'prod', region: 'us-east-1' }, ['--profile', 'prod']],
    [['--profile', 'dev'], { region: 'sa-east-1' }, { profile: 'dev', region: 'sa-east-1' }, []],
  ])(
    "is that of `sms target` with the arguments %j and the CDK's %j, for the deployment too",
    async (args, defaults, target, added) => {
      const { targets, calls } = await run({ after: {}, args, defaults, sources: { named: prod } });
      expect(targets).toEqual([target]);
      expect(calls[1]).toEqual(['deploy', '--all', '--app', outputDirectory, ...added, ...args]);
    },
  );

  it('is that of the CDK below a pipeline on this machine', async () => {
    const local = { target: { local: true }, from: '/app/.smsrc' };
    const { targets } = await run({ after: {}, defaults, sources: { named: local, awsProfile: 'x' } });
    expect(targets).toEqual([defaults]);
  });

  it.each<[TargetSources, CdkTarget, string]>([
    [
      { named: prod },
      { profile: 'dev' },
      'error: Nothing was deployed: /app/.smsrc names the profile prod, and the CDK (CDK_PROFILE or cdk.json) the profile dev. Add --profile prod or --profile dev.\n',
    ],
    [
      { named: { ...prod, target: { ...prod.target, profile: '$(id);x' } } },
      { profile: 'a b' },
      "Add --profile '$(id);x' or --profile 'a b'.\n",
    ],
    [
      { named: prod, awsProfile: 'dev' },
      {},
      'error: AWS_PROFILE is "dev", but /app/.smsrc names the profile "prod".',
    ],
  ])("is refused where %j and the CDK's %j contradict each other", async (sources, own, text) => {
    const { code, err, calls } = await run({ after: {}, defaults: own, sources });
    expect([code, calls]).toEqual([1, []]);
    expect(err).toContain(text);
  });

  it('is named, with how many stacks are deployed there', async () => {
    const { compared } = await run({ before: optOut, after: { OptOutQueue: queue } });
    expect(compared).toEqual([
      'Compared with account 123456789012, region eu-west-1: 1 of 1 stack is deployed.\n',
    ]);
  });

  it.each<[CdkTarget, string]>([
    [{ profile: 'ops' }, 'the credentials of profile ops'],
    [{}, 'the default credentials'],
  ])(
    'with the defaults %j and no stack it says that this is a first deployment',
    async (target, credentials) => {
      const { compared } = await run({ after: {}, defaults: target });
      expect(compared).toEqual([
        `No stack of this app is deployed in eu-west-1 with ${credentials}: this is a first deployment.\n`,
      ]);
    },
  );
});

describe('a stack whose env names where it is', () => {
  const scene = { before: optOut, after: {}, messages: 12 };

  it('is compared in its own region, whatever the region of the command', async () => {
    const environment = { account: '123456789012', region: 'eu-west-1' };
    const { targets, wasDeployed } = await run({
      ...scene,
      environment,
      defaults: { profile: 'ops', region: 'us-east-1' },
    });
    expect(targets).toEqual([{ profile: 'ops', region: 'eu-west-1' }]);
    expect(wasDeployed).toBe(false);
  });

  it('is refused in another account, in which nothing of it would be found', async () => {
    const environment = { account: '111111111111' };
    const { err, wasDeployed } = await run({ ...scene, environment, args: ['--yes'] });
    expect(wasDeployed).toBe(false);
    expect(err).toContain(
      'the stack SmsPipeline is for account 111111111111, and your credentials are of account 123456789012',
    );
  });
});

it('an app whose stacks are in a Stage is refused, because the CDK would deploy none of them', async () => {
  const { code, err, wasDeployed } = await run({ after: {}, isStaged: true });
  expect([code, wasDeployed]).toEqual([1, false]);
  expect(err).toContain("npx cdk deploy '**'");
});

describe('a nested stack', () => {
  const before = deployed({ Inner: { Type: 'AWS::CloudFormation::Stack' } }, { Inner: nestedArn });
  const after = { Inner: { Type: 'AWS::CloudFormation::Stack' } };

  it('is compared as the stack around it', async () => {
    const nested = { before: optOut, after: {} };
    const { out, compared, wasDeployed } = await run({ before, after, nested, messages: 12 });
    expect(wasDeployed).toBe(false);
    expect(out).toContain('SmsPipeline/Inner: the queue SmsPipeline-AutomationsOptOutQueue1234');
    expect(compared.join()).toContain('1 of 1 stack is deployed');
  });

  it('is lost with all that is in it', async () => {
    const { out, wasDeployed } = await run({ before, after: {}, nested: { before: optOut }, messages: 12 });
    expect(wasDeployed).toBe(false);
    expect(out).toContain('SmsPipeline/Inner: the queue SmsPipeline-AutomationsOptOutQueue1234');
  });
});

describe('data that would be kept for a shorter time', () => {
  const audit = (days?: number) => ({
    Type: 'AWS::Logs::LogGroup',
    Properties: days === undefined ? {} : { RetentionInDays: days },
  });
  const archive = (days: number) => ({ Type: 'AWS::Events::Archive', Properties: { RetentionDays: days } });
  const exports = (days?: number) => ({
    Type: 'AWS::S3::Bucket',
    Properties:
      days === undefined ? {} : { LifecycleConfiguration: { Rules: [{ ExpirationInDays: days }, {}] } },
  });

  it.each<[string, Resources[string], Resources[string], string]>([
    ['log groups', audit(3653), audit(400), 'lines older than 400 days, now kept for 3653 days (Kept)'],
    ['log groups without an end', audit(), audit(400), 'lines older than 400 days, now kept for ever (Kept)'],
    ['the archive', archive(365), archive(30), 'events older than 30 days, now kept for 365 days'],
    ['the archive without an end', archive(0), archive(1), 'events older than 1 day, now kept for ever'],
    ['exports', exports(2555), exports(400), 'files older than 400 days, now kept for 2555 days'],
    ['exports without an end', exports(), exports(400), 'files older than 400 days, now kept for ever'],
  ])('is asked about: %s', async (_, before, after, text) => {
    const { out, wasDeployed } = await run({ before: deployed({ Kept: before }), after: { Kept: after } });
    expect(wasDeployed).toBe(false);
    expect(out).toContain(`SmsPipeline: ${text}`);
    expect(await run({ before: deployed({ Kept: after }), after: { Kept: before } })).toMatchObject({
      code: 0,
      out: '',
    });
  });

  it('is one line for resources with the same change', async () => {
    const { out } = await run({
      before: deployed({ One: audit(30), Two: audit(30) }),
      after: { One: audit(7), Two: audit(7) },
    });
    expect(out).toContain('(One, Two)');
  });
});

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['AWS::DynamoDB::Table', { DeletionPolicy: 'Retain' }, { DeletionPolicy: 'Delete' }],
  ['AWS::S3::Bucket', { DeletionPolicy: 'RetainExceptOnCreate' }, {}],
  [
    'AWS::DynamoDB::Table',
    { Properties: { DeletionProtectionEnabled: true } },
    { Properties: { DeletionProtectionEnabled: false } },
  ],
  ['AWS::Cognito::UserPool', { Properties: { DeletionProtection: 'ACTIVE' } }, {}],
])('a deployment that ends the protection of %s (%j) is asked about', async (Type, before, after) => {
  const scene = { before: deployed({ Kept: { Type, ...before } }), after: { Kept: { Type, ...after } } };
  const { out, wasDeployed } = await run(scene);
  expect(wasDeployed).toBe(false);
  expect(out).toContain('SmsPipeline: the protection of Kept, which');
});

it('a deployment with which opt-outs count for all sources again is asked about', async () => {
  const before: DeployedStack = {
    ...deployed({}),
    template: template({}, { SmsOptOutsBySource0A1B2C3D: 'on' }),
  };
  const { out, wasDeployed } = await run({ before, after: {} });
  expect(wasDeployed).toBe(false);
  expect(out).toContain('SmsPipeline: opt-outs by source. They would count for all sources again');
  expect(await run({ before, after: {}, outputs: { SmsOptOutsBySource0A1B2C3D: 'on' } })).toMatchObject({
    code: 0,
  });
});

describe('a check of requests', () => {
  const ingest = (ranges: unknown, schemes?: string) => ({
    Ingest: {
      Type: 'AWS::Lambda::Function',
      Properties: { Environment: { Variables: { ALLOWED_SOURCE_IPS: ranges } } },
      ...(schemes !== undefined && { Metadata: { SignatureSchemes: schemes } }),
    },
  });

  it.each([
    ['addresses', ingest('192.0.2.0/24'), ingest(''), "the check of senders' addresses by Ingest"],
    ['addresses known later', ingest({ Ref: 'Ranges' }), ingest(''), "the check of senders' addresses"],
    ['signatures', ingest('', 'hmac'), ingest('', 'none'), 'the check of signatures by Ingest'],
    ['some signatures', ingest('', 'token'), ingest('', 'token,none'), 'the check of signatures by Ingest'],
  ])('of %s is lost only after a confirmation', async (_, before, after, text) => {
    const { out, wasDeployed } = await run({ before: deployed(before), after });
    expect(wasDeployed).toBe(false);
    expect(out).toContain(`SmsPipeline: ${text}`);
    expect(await run({ before: deployed(after), after: before })).toMatchObject({ code: 0, out: '' });
  });

  it.each([
    ['other ranges', ingest('192.0.2.0/24'), ingest('198.51.100.0/24')],
    ['another scheme', ingest('', 'hmac'), ingest('', 'jwt')],
    ['an earlier version that named no scheme', ingest(''), ingest('', 'none')],
  ])('needs no confirmation for %s', async (_, before, after) => {
    expect(await run({ before: deployed(before), after })).toMatchObject({ code: 0, out: '' });
  });
});

describe('the number of shards of lists', () => {
  const withShards = (shards: unknown): DeployedStack => ({
    ...deployed({}),
    template: template({}, { SmsListShards0A1B2C3D: shards }),
  });
  const to = (shards: unknown) => ({ after: {}, outputs: { SmsListShards0A1B2C3D: shards } });

  it('does not fall, also with --yes', async () => {
    const { err, wasDeployed } = await run({ before: withShards('4'), ...to('1'), args: ['--yes'] });
    expect(wasDeployed).toBe(false);
    expect(err).toContain('listShards (sms:listShards) would fall from 4 to 1 in SmsPipeline');
  });

  it.each([['4'], ['8'], [{ Ref: 'Shards' }]])('may become %j', async (shards) => {
    expect(await run({ before: withShards('4'), ...to(shards) })).toMatchObject({ code: 0 });
  });
});

describe('a queue that the new templates lack', () => {
  const scene = { before: optOut, after: {} };

  it('is removed after a confirmation when it has messages', async () => {
    const { code, asked, out, wasDeployed } = await run({ ...scene, messages: 12, answer: 'yes' });
    expect([code, asked.length, wasDeployed]).toEqual([0, 1, true]);
    expect(out).toBe(
      'This deployment loses:\n  - SmsPipeline: the queue SmsPipeline-AutomationsOptOutQueue1234 with about 12 messages.\n',
    );
  });

  it.each(['', 'n', 'y', 'no'])('stays after the answer %j', async (answer) => {
    const { code, err, wasDeployed } = await run({ ...scene, messages: 12, answer });
    expect([code, wasDeployed]).toEqual([1, false]);
    expect(err).toMatch(/^error: Nothing was deployed\. .*cdk\.json/);
  });

  it('stays without a terminal, with a message that explains what to do', async () => {
    const { code, err, wasDeployed } = await run({ ...scene, messages: 1 });
    expect([code, wasDeployed]).toEqual([1, false]);
    expect(err).toMatch(
      /^error: Nothing was deployed: .*"context" in cdk\.json.*npm run deploy -- --yes\.\n$/,
    );
  });

  it('is removed without a question with --yes, which the CDK receives too', async () => {
    const { code, calls, out } = await run({ ...scene, messages: 12, args: ['--yes'] });
    expect(code).toBe(0);
    expect(out).toContain('about 12 messages');
    expect(calls.at(-1)).toEqual(['deploy', '--all', '--app', outputDirectory, '--yes']);
  });

  it('is removed without a question when it is empty, and is named', async () => {
    const { code, asked, out } = await run({ ...scene, answer: 'no' });
    expect([code, asked]).toEqual([0, []]);
    expect(out).toContain('the empty queue SmsPipeline-AutomationsOptOutQueue1234');
  });

  it('is not lost when CloudFormation retains it', async () => {
    const before = deployed({ OptOutQueue: { ...queue, DeletionPolicy: 'Retain' } });
    expect(await run({ before, after: {}, messages: 12 })).toMatchObject({ code: 0, out: '' });
  });

  it('is found in a stack whose template is not JSON, too', async () => {
    const before = { ...optOut, template: undefined };
    expect(await run({ before, after: {}, messages: 12 })).toMatchObject({ code: 1, wasDeployed: false });
  });
});

describe('other resources that would be lost', () => {
  it.each([
    ['AWS::ApiGatewayV2::DomainName', 'domain name'],
    ['AWS::DynamoDB::Table', 'table'],
    ['AWS::Events::Archive', 'archive'],
    ['AWS::SecretsManager::Secret', 'secret'],
    ['AWS::SNS::Topic', 'topic'],
  ])('%s requires a confirmation', async (Type, word) => {
    const before = deployed({ Kept: { Type } }, { Kept: 'its-name' });
    const { asked, out, wasDeployed } = await run({ before, after: {}, answer: 'no' });
    expect([asked.length, wasDeployed]).toEqual([1, false]);
    expect(out).toMatch(new RegExp(`${word}.*\\(its-name\\)`));
  });

  it('functions, roles and alarms require no confirmation', async () => {
    const before = deployed({
      Fn: { Type: 'AWS::Lambda::Function' },
      Role: { Type: 'AWS::IAM::Role' },
      Alarm: alarm([topic]),
    });
    expect(await run({ before, after: {} })).toMatchObject({ code: 0, out: '' });
  });
});

describe('the backups of a table', () => {
  const table = (recovery: Record<string, unknown>) => ({
    History: {
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Retain',
      Properties: { PointInTimeRecoverySpecification: recovery },
    },
  });
  const on = { PointInTimeRecoveryEnabled: true };
  const before = deployed(table(on));

  it('require a confirmation when a deployment switches them off', async () => {
    const { code, out, wasDeployed } = await run({
      before,
      after: table({ PointInTimeRecoveryEnabled: false }),
    });
    expect([code, wasDeployed]).toEqual([1, false]);
    expect(out).toContain('all backups of the last 35 days of the table History: put sms:recoveryDays into');
  });

  it('require a confirmation when a deployment shortens them, but not when it names the default', async () => {
    const { code, out } = await run({ before, after: table({ ...on, RecoveryPeriodInDays: 7 }) });
    expect(code).toBe(1);
    expect(out).toContain('the backups before the last 7 days, of 35 days of the table History');
    expect(await run({ before, after: table({ ...on, RecoveryPeriodInDays: 35 }) })).toMatchObject({
      code: 0,
    });
  });
});

describe('the alarm topic', () => {
  it('requires a confirmation when a deployment drops it', async () => {
    const before = deployed({ One: alarm([topic]), Two: alarm([topic]), Three: alarm([]) });
    const after = { One: alarm([]), Two: alarm([]), Three: alarm([]) };
    const { code, out, err, wasDeployed } = await run({ before, after });
    expect([code, wasDeployed]).toEqual([1, false]);
    expect(out).toContain(`2 alarms would no longer notify a topic (now ${topic})`);
    expect(err).toContain('"context" in cdk.json');
  });

  it('may be replaced by another topic', async () => {
    const scene = { before: deployed({ One: alarm([topic]) }), after: { One: alarm([`${topic}-2`]) } };
    expect(await run(scene)).toMatchObject({ code: 0, out: '' });
  });

  it.each(['alias/aws/sns', 'arn:aws:kms:us-east-1:000000000000:alias/aws/sns'])(
    'is refused with the key %s, which CloudWatch may not use, even with --yes',
    async (key) => {
      const { code, err, wasDeployed } = await run({ after: { One: alarm([topic]) }, key, args: ['--yes'] });
      expect([code, wasDeployed]).toEqual([1, false]);
      expect(err).toMatch(
        /^error: Nothing was deployed: the alarm topic .*:ops is encrypted with alias\/aws\/sns/,
      );
    },
  );

  it('is accepted without a key and with a key of the account', async () => {
    for (const key of [undefined, '0a1b2c3d-0000-0000-0000-000000000000'])
      expect(await run({ after: { One: alarm([topic]) }, ...(key && { key }) })).toMatchObject({
        code: 0,
        err: '',
      });
  });

  it('causes only a warning when it cannot be read', async () => {
    const key = Object.assign(new Error('not yours'), { name: 'AuthorizationErrorException' });
    const { code, err } = await run({ after: { One: alarm([topic]) }, key });
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: the alarm topic .*:ops cannot be read/);
  });
});

describe('missing credentials and permissions', () => {
  const failing = (name: string, message: string) =>
    Object.assign(new Error(message), { name, $metadata: {}, $fault: 'client' });

  it.each([
    ['CredentialsProviderError', /^error: No AWS credentials: sign in (?!.*--local).*AWS_PROFILE[^\n]*\n$/],
    ['AccessDenied', /cloudformation:ListStackResources.*npx cdk deploy --all/s],
  ])('explains %s, and deploys nothing', async (name, message) => {
    const { code, err, wasDeployed } = await run({ before: failing(name, 'what AWS said'), after: {} });
    expect([code, wasDeployed]).toEqual([1, false]);
    expect(err).toMatch(message);
  });
});

describe('the sources of a pipeline', () => {
  const deployedWith = (outputs: Readonly<Record<string, unknown>>): DeployedStack => ({
    ...deployed({ OptOutQueue: queue }),
    template: template({ OptOutQueue: queue }, outputs),
  });
  const after = { OptOutQueue: queue };
  const both = { Sources: 'main,backup' };

  it('are asked about before one is removed', async () => {
    const refused = await run({ before: deployedWith(both), after, answer: 'no' });
    expect(refused.wasDeployed).toBe(false);
    expect(refused.out).toMatch(/loses:\n.*the source backup\. Its address answers no longer/);
    expect(refused.out).not.toMatch(/another source/);
  });

  it('that get another name are other sources', async () => {
    const outputs = { SmsSources0A1B2C3D: 'main,second' };
    const { out, asked } = await run({
      before: deployedWith({ SmsSources0A1B2C3D: 'main,first' }),
      after,
      outputs,
      answer: 'yes',
    });
    expect(asked).toHaveLength(1);
    expect(out).toMatch(/the source first\. .* The new name second is another source\./);
    expect(out).toMatch(/After this deployment:\n.*sms doctor --source second/);
  });

  it('need no answer if one is added, or none changes', async () => {
    const added = await run({ before: deployedWith({}), after, outputs: both });
    expect([added.wasDeployed, added.asked]).toEqual([true, []]);
    expect(added.out).toMatch(/After this deployment:\n.*the source backup has an address and a secret/);
    const values = { DataSources: { Ref: 'x' }, Other: 'main' };
    const foreign = await run({ before: deployedWith({ DataSources: 'maintenance,b' }), after });
    expect(foreign.out).toBe('');
    for (const same of [both, values])
      expect((await run({ before: deployedWith(same), after, outputs: same })).out).toBe('');
  });
});
