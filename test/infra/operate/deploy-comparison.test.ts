import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NestedStack, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import {
  alarmTopicsOf,
  fewerShards,
  lostBackups,
  lostChecks,
  lostProtections,
  removalsOf,
  shorterRetentions,
  silencedAlarms,
} from '../../../cli/commands/deploy/compare-stacks.ts';
import {
  type DeployedStack,
  type PlannedStack,
  readPlannedStacks,
} from '../../../cli/commands/deploy/stacks.ts';
import {
  assemblyFor,
  type Context,
  customDomain,
  everyFunction,
  newFolder,
  quickApp,
} from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const topic = 'arn:aws:sns:us-east-1:000000000000:ops';

const planned = (context: Context = {}) => readPlannedStacks(assemblyFor(context).assembly.directory);

/** A stack as CloudFormation would list it after a deployment. */
function deployed({ name, template }: PlannedStack): DeployedStack {
  const resources = Object.entries(template.Resources).map(([logicalId, { Type }]) => ({
    logicalId,
    type: Type,
    physicalId: `made/${logicalId}`,
  }));
  return { arn: `arn:aws:cloudformation:us-east-1:000000000000:stack/${name}/1`, resources, template };
}

/** Each stack of one deployment with that of the next. */
async function pairs(before: Context, after: Context) {
  const next = await planned(after);
  return (await planned(before)).flatMap((stack) => {
    const follower = next.find(({ name }) => name === stack.name);
    return follower === undefined ? [] : [{ planned: follower, deployed: deployed(stack) }];
  });
}

async function removed(before: Context, after: Context) {
  const all = (await pairs(before, after)).flatMap((pair) => removalsOf(pair.planned, pair.deployed));
  return all.map((removal) => (removal.kind === 'queue' ? removal.logicalId : removal.what));
}

/** A preset with the scheme `none` in place of its own. */
function unsignedContract(): string {
  const preset = join(import.meta.dirname, '../../../contract/presets/46elks.json');
  const { webhook, ...rest } = JSON.parse(readFileSync(preset, 'utf8'));
  const file = join(newFolder(), 'contract.json');
  writeFileSync(
    file,
    JSON.stringify({ ...rest, webhook: { ...webhook, signature: { scheme: 'none', anyoneMayPost: true } } }),
  );
  return file;
}

describe('a deployment that follows another one', () => {
  it('without the setting of an automation removes its queues with their events', async () => {
    const gone = await removed(everyFunction, { ...everyFunction, 'sms:contactSync': 'off' });
    expect(gone).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^AutomationsContactSyncQueue/),
        expect.stringMatching(/^AutomationsContactSyncDeadLetters/),
        'a table with its items',
      ]),
    );
    expect(gone.join()).not.toContain('Forward');
  });

  it('without the domain removes its name, and no retained resource', async () => {
    expect(await removed(customDomain, {})).toEqual([expect.stringContaining('the domain name of the API')]);
  });

  it('without the console removes its users', async () => {
    expect(await removed({ 'sms:console': 'on' }, {})).toEqual(
      expect.arrayContaining([expect.stringMatching(/^the user pool of the console, with its users/)]),
    );
  });

  it('with fewer recovery days loses the older backups of each table', async () => {
    const lost = async (before: Context, after: Context) =>
      (await pairs(before, after))
        .flatMap((pair) => lostBackups(pair.planned, pair.deployed))
        .map(({ table, days }) => [table.replace(/^made\/|[\dA-F]{8}$/g, ''), days.before, days.after]);
    const none = { 'sms:recoveryDays': 0 };
    expect(await lost({}, none)).toEqual([
      ['History', 35, 0],
      ['HistoryQuarantine', 35, 0],
    ]);
    expect(await lost({ 'sms:recoveryDays': 8 }, none)).toContainEqual(['History', 8, 0]);
    expect(await lost(none, {})).toEqual([]);
    expect(await lost({}, {})).toEqual([]);
  });

  it('with shorter retentions deletes audit lines, exports and archived events', async () => {
    const long = {
      'sms:console': 'on',
      'sms:auditLogRetentionDays': 3653,
      'sms:exportToS3': 'daily',
      'sms:exportRetentionDays': 2555,
      'sms:eventArchiveDays': 365,
    };
    const short = {
      ...long,
      'sms:auditLogRetentionDays': 400,
      'sms:exportRetentionDays': 400,
      'sms:eventArchiveDays': 30,
    };
    const shorter = async (before: Context, after: Context) =>
      (await pairs(before, after)).flatMap((pair) => shorterRetentions(pair.planned, pair.deployed));
    expect(
      (await shorter(long, short)).map(({ what, days }) => [what, days.before, days.after]).sort(),
    ).toEqual([
      ['events', 365, 30],
      ['files', 2555, 400],
      ['lines', 3653, 400],
    ]);
    expect(await shorter(short, long)).toEqual([]);
  });

  it('that may be deleted has protections no longer, and fewer shards are found', async () => {
    const [pair] = await pairs({ 'sms:listShards': 4 }, { 'sms:removalPolicy': 'destroy' });
    if (pair === undefined) throw new Error('there is no stack');
    const [lost] = lostProtections(pair.planned, pair.deployed);
    expect(lost?.names).toEqual(expect.arrayContaining([expect.stringMatching(/^made\/History[\dA-F]{8}$/)]));
    expect(fewerShards(pair.planned, pair.deployed)).toEqual([{ before: 4, after: 1 }]);
    const [same] = await pairs({}, {});
    expect(same && lostProtections(same.planned, same.deployed)).toEqual([]);
  });

  it('without allowed addresses, or with the scheme none, loses the check of requests', async () => {
    const lost = async (before: Context, after: Context) =>
      (await pairs(before, after))
        .flatMap((pair) => lostChecks(pair.planned, pair.deployed))
        .map(({ check }) => check);
    const withRanges = { 'sms:allowedSourceIps': '192.0.2.0/24' };
    const unsigned = { 'sms:contractFile': unsignedContract(), 'sms:registration': 'off' };
    expect(await lost(withRanges, {})).toEqual(['sources']);
    expect(await lost(withRanges, { 'sms:allowedSourceIps': '0.0.0.0/0' })).toEqual(['sources']);
    expect(await lost({}, unsigned)).toEqual(['signature']);
    expect(await lost(unsigned, withRanges)).toEqual([]);
    expect(await lost({}, {})).toEqual([]);
  });

  it('is read with its nested stacks and the places that its env names', async () => {
    // The command line of the CDK sets this, so that templates say where assets are.
    const app = quickApp({ 'aws:cdk:enable-asset-metadata': true });
    const stack = new Stack(app, 'Shop', { env: { account: '123456789012', region: 'eu-central-1' } });
    pipelineIn(new NestedStack(stack, 'Inner'));
    const [shop] = await readPlannedStacks(app.synth().directory);
    expect(shop?.environment).toEqual({ account: '123456789012', region: 'eu-central-1' });
    const [inner] = Object.values(shop?.nested ?? {});
    expect(Object.values(inner?.template.Resources ?? {}).map(({ Type }) => Type)).toContain(
      'AWS::DynamoDB::Table',
    );
    const [{ environment } = {}] = await planned();
    expect(environment).toEqual({});
  });

  it('without the alarm topic removes the action of every remaining alarm', async () => {
    const pages = 'arn:aws:sns:us-east-1:000000000000:pages';
    const withTopic = { 'sms:alarmTopicArn': topic, 'sms:pageTopicArn': pages };
    const { topics, count } = silencedAlarms(await pairs(withTopic, {}));
    expect([...topics].sort()).toEqual([topic, pages]);
    expect(count).toBe(20);
    expect(silencedAlarms(await pairs(withTopic, withTopic)).count).toBe(0);
    expect(alarmTopicsOf(await planned(withTopic)).sort()).toEqual([topic, pages]);
  });
});
