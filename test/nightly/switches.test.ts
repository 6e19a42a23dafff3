import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type CloudFormationClient,
  CreateStackCommand,
  paginateDescribeStackEvents,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { expect, it } from 'vitest';
import { type DeployedStack, deployedStackReader } from '../../cli/commands/deploy/stacks.ts';
import { projectContext, defaultStack as stackName } from '../../contract/document/project-store.ts';
import { readCloudAssembly, type Stack } from '../../local/cloudformation/cloud-assembly.ts';
import { providePage } from '../../local/run/start-console.ts';
import { type SmsServiceSandbox, startSmsService } from '../../local/sms-service/sandbox.ts';
import { refuseOwnSettings } from '../../tools/acceptance/arguments.ts';
import { cdkDeploy } from '../../tools/acceptance/cdk-deploy.ts';
import type { Account } from '../../tools/acceptance/destroy.ts';
import { type Emulator, withEmulator } from '../../tools/acceptance/emulator.ts';
import { accountIn } from '../../tools/acceptance/site.ts';
import { deploymentProblems } from '../../tools/check/deployment-problems.ts';
import { sandboxAt } from '../../tools/engine/sandbox.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { until } from '../../tools/support/until.ts';
import {
  contextOf,
  everythingOff,
  everythingOn,
  notSwitched,
  type SettingValues,
} from './support/setting-states.ts';
import {
  deletedAlthoughRetained,
  identifyHistoryTables,
  lostWithoutQuestion,
  putMarks,
  removedBetween,
  tablesWithoutMark,
} from './support/surviving-data.ts';

const project = resolve(import.meta.dirname, '../..');
const apiKey = 'sandbox-api-key';
const apiKeySecretName = 'team/sms-key';
const readerName = 'reader';
const topicName = 'operators';

/** What the settings name, and a team has before it deploys. */
const surroundings = {
  Resources: {
    Reader: {
      Type: 'AWS::IAM::Role',
      Properties: {
        RoleName: readerName,
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
          ],
        },
      },
    },
    Operators: { Type: 'AWS::SNS::Topic', Properties: { TopicName: topicName } },
    ApiKey: {
      Type: 'AWS::SecretsManager::Secret',
      Properties: { Name: apiKeySecretName, SecretString: apiKey },
    },
  },
};

async function createSurroundings(client: CloudFormationClient): Promise<void> {
  const StackName = 'Surroundings';
  await client.send(
    new CreateStackCommand({
      StackName,
      TemplateBody: JSON.stringify(surroundings),
      Capabilities: ['CAPABILITY_NAMED_IAM'],
    }),
  );
  await waitUntilStackCreateComplete({ client, maxWaitTime: 600, minDelay: 1, maxDelay: 1 }, { StackName });
}

/** The addresses of the SMS services of the two sources. */
interface Services {
  readonly main: string;
  readonly backup: string;
}

/** Runs two sandboxes for as long as they are used. */
async function withServices<T>(use: (services: Services) => Promise<T>): Promise<T> {
  const services: SmsServiceSandbox[] = [];
  const start = async () => {
    const service = await startSmsService({ port: 0, contract: shippedContract, apiKey });
    services.push(service);
    return service.url;
  };
  try {
    return await use({ main: await start(), backup: await start() });
  } finally {
    await Promise.all(services.map((service) => service.close()));
  }
}

function settingsOn(
  { account, region }: Pick<Emulator, 'account' | 'region'>,
  services: Services,
): SettingValues {
  const topic = `arn:aws:sns:${region}:${account}:${topicName}`;
  return everythingOn(
    {
      serviceBaseUrl: services.main,
      apiKeySecretName,
      queryRoleArn: `arn:aws:iam::${account}:role/${readerName}`,
      alarmTopicArn: topic,
      pageTopicArn: topic,
    },
    { serviceBaseUrl: services.backup },
  );
}

/** Returns a function that reads what CloudFormation could not create, update or delete since its last call, even in a deployment that succeeded. */
function failedEventsReader(client: CloudFormationClient): () => Promise<string[]> {
  const seen = new Set<string | undefined>();
  return async () => {
    const failed: string[] = [];
    for await (const { StackEvents = [] } of paginateDescribeStackEvents(
      { client },
      { StackName: stackName },
    ))
      for (const { EventId, LogicalResourceId, ResourceStatus = '', ResourceStatusReason } of StackEvents) {
        if (!seen.has(EventId) && ResourceStatus.endsWith('_FAILED'))
          failed.push(`${LogicalResourceId} is ${ResourceStatus}: ${ResourceStatusReason}`);
        seen.add(EventId);
      }
    return failed;
  };
}

/** Returns the difference between a stack and its template, one line each. */
function differencesFromTemplate({ resources, template }: DeployedStack): string[] {
  const expected = template?.Resources ?? {};
  const present = new Set(resources.map(({ logicalId }) => logicalId));
  return [
    ...Object.entries(expected)
      .filter(([logicalId]) => !present.has(logicalId))
      .map(([logicalId, { Type }]) => `${Type} ${logicalId} is missing`),
    ...resources
      .filter(({ logicalId }) => expected[logicalId] === undefined)
      .map(({ logicalId, type }) => `${type} ${logicalId} is left`),
  ];
}

/** A deployed stack, and the stacks that the CDK synthesized for it. */
interface State extends DeployedStack {
  readonly synthesized: readonly Stack[];
}

/** Returns a function that deploys the stand-alone app with these settings, and fails if the deployment or one of its resources fails. */
function deployer(region: string, directory: string, signal: AbortSignal) {
  const { cloudFormation } = accountIn(region);
  const readFailedEvents = failedEventsReader(cloudFormation);
  return async (name: string, values: SettingValues): Promise<State> => {
    signal.throwIfAborted();
    const folder = join(directory, name.replaceAll(' ', '-'));
    mkdirSync(folder);
    const log = join(folder, 'log.txt');
    const output = openSync(log, 'w');
    const begun = performance.now();
    const deployment = { appFile: 'bin/app.ts', region, directory: folder, context: contextOf(values) };
    try {
      await cdkDeploy(deployment, signal, output);
    } catch (cause) {
      const failed = await readFailedEvents().catch((error: unknown) => [`no events: ${String(error)}`]);
      const lines = [`The deployment of "${name}" failed:`, ...failed, readFileSync(log, 'utf8')];
      throw new Error(lines.join('\n'), { cause });
    } finally {
      closeSync(output);
    }
    const stack = await deployedStackReader(cloudFormation)(stackName);
    if (stack === undefined) throw new Error(`After the deployment of "${name}" there is no stack.`);
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.info(`${name}: ${stack.resources.length} resources after ${seconds} s`);
    expect(await readFailedEvents(), `failed events of "${name}"`).toEqual([]);
    expect(differencesFromTemplate(stack), `differences from the template of "${name}"`).toEqual([]);
    return { ...stack, synthesized: readCloudAssembly(join(folder, 'cdk.out')) };
  };
}

/** Fails if a deployment lost data that `sms deploy` would not have asked about. */
async function expectSurvival(before: State, after: State, account: Account): Promise<void> {
  expect(lostWithoutQuestion(before, after)).toEqual([]);
  expect(await deletedAlthoughRetained(before, after, account)).toEqual([]);
  // MiniStack does not know every property whose change makes AWS replace a resource, and gives the new resource the name of the old one
  // where AWS generates another. So the templates are compared by the schemas of AWS too.
  expect(deploymentProblems(before.synthesized, after.synthesized)).toEqual([]);
}

/** Returns the addresses that are registered at the two services; empty without one. */
const webhookUrls = async (services: Services): Promise<Services> => ({
  main: await sandboxAt(services.main).url(),
  backup: await sandboxAt(services.backup).url(),
});

/** Switches everything on and off again, and compares what is there after each deployment. */
async function switchOnAndOff(
  emulator: Emulator,
  services: Services,
  directory: string,
  signal: AbortSignal,
): Promise<void> {
  const { region } = emulator;
  const account = accountIn(region);
  const { cloudFormation, dynamoDb } = account;
  await createSurroundings(cloudFormation);
  const deploy = deployer(region, directory, signal);

  const before = await deploy('everything off', everythingOff);
  const tables = await identifyHistoryTables(dynamoDb, before);
  expect(Object.keys(tables).length).toBeGreaterThan(1);
  await putMarks(dynamoDb, before);

  const between = await deploy('everything on', settingsOn(emulator, services));
  expect(await identifyHistoryTables(dynamoDb, between)).toEqual(tables);
  expect(removedBetween(before, between)).toEqual([]);
  await expectSurvival(before, between, account);
  const registered = await until('both webhooks are registered', async () => {
    const urls = await webhookUrls(services);
    return urls.main !== '' && urls.backup !== '' && urls;
  });
  expect(registered).toEqual({
    main: expect.stringMatching(/^https:.+\/webhooks\/sms$/),
    backup: `${registered.main}/backup`,
  });

  const after = await deploy('everything off again', everythingOff);
  expect(await identifyHistoryTables(dynamoDb, after)).toEqual(tables);
  expect(await tablesWithoutMark(dynamoDb, after)).toEqual([]);
  await expectSurvival(between, after, account);
  expect(after.resources).toEqual(before.resources);
  // Without registration the address remains at the service, so that no event is lost. A source that is removed is deactivated.
  expect(await webhookUrls(services)).toEqual({ main: registered.main, backup: '' });
  expect(emulator.decisions().broken).toEqual([]);
}

it('every setting is switched, or is an exception with a reason', () => {
  const url = 'http://127.0.0.1:1';
  const on = settingsOn({ account: '123456789012', region: 'eu-central-1' }, { main: url, backup: url });
  expect(notSwitched(everythingOff, on)).toEqual([]);
});

it('every optional setting can be switched on and off on a deployed pipeline', {
  timeout: 1_800_000,
}, async ({ signal }) => {
  refuseOwnSettings(projectContext(project));
  expect(await providePage({ step: console.info, note: console.info })).toBe(true);
  const directory = mkdtempSync(join(tmpdir(), 'sms-switches-'));
  try {
    await withServices((services) =>
      withEmulator(join(project, '.local/emulators/switches'), (emulator) =>
        switchOnAndOff(emulator, services, directory, signal),
      ),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
