import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { expect, it } from 'vitest';
import { createReplayAccess } from '../../../../../cli/target/stack/replay-access.ts';
import { answering, anyAccount } from '../../support/aws.ts';

/** The replays of a bus whose EventBridge answers so, and what that was asked. */
function replays(answers: Readonly<Record<string, object | readonly object[]>>) {
  const asked: [string, object][] = [];
  const client = answering(new EventBridgeClient(anyAccount), (command, input) => {
    const before = asked.filter(([name]) => name === command).length;
    asked.push([command, input]);
    return [answers[command] ?? {}].flat()[before] ?? {};
  });
  return { asked, access: createReplayAccess(client, 'bus', 'archive') };
}

it('rules and targets are read page by page, without managed rules', async () => {
  const { asked, access } = replays({
    ListRulesCommand: [
      { Rules: [{ Name: 'Managed', Arn: 'm', ManagedBy: 'events' }], NextToken: 'next' },
      { Rules: [{ Name: 'Mine', Arn: 'rule-arn', State: 'DISABLED' }] },
    ],
    ListTargetsByRuleCommand: [
      { Targets: [{ Id: '1', Arn: 'a' }], NextToken: 'next' },
      { Targets: [{ Arn: 'b' }] },
    ],
  });
  expect(await access.rules()).toEqual([{ name: 'Mine', arn: 'rule-arn', enabled: false }]);
  expect(await access.targets('Mine')).toEqual(['a', 'b']);
  expect(asked).toEqual([
    ['ListRulesCommand', { EventBusName: 'bus', NextToken: undefined }],
    ['ListRulesCommand', { EventBusName: 'bus', NextToken: 'next' }],
    ['ListTargetsByRuleCommand', { EventBusName: 'bus', Rule: 'Mine', NextToken: undefined }],
    ['ListTargetsByRuleCommand', { EventBusName: 'bus', Rule: 'Mine', NextToken: 'next' }],
  ]);
});

it.each([
  [0, undefined],
  [30, 30],
])('an archive of %i days keeps events for %s days', async (RetentionDays, retentionDays) => {
  const described = { ArchiveArn: 'a', EventSourceArn: 'bus-arn', RetentionDays };
  const { access } = replays({ DescribeArchiveCommand: described });
  expect(await access.archive()).toEqual({
    arn: 'a',
    busArn: 'bus-arn',
    createdAt: undefined,
    retentionDays,
  });
});

it('a replay sends the range only to its rule, and shows how far it has come', async () => {
  const { asked, access } = replays({
    DescribeReplayCommand: { State: 'RUNNING', EventLastReplayedTime: new Date('2026-01-15T10:00:00Z') },
  });
  const archive = { arn: 'a', busArn: 'bus-arn', createdAt: undefined, retentionDays: undefined };
  const range = { since: '2026-01-15T10:00:00.000Z', until: '2026-01-15T11:00:00.000Z' };
  await access.start({ name: 'sms-1', archive, ruleArn: 'rule-arn', ...range });
  expect(await access.progress('sms-1')).toEqual({
    state: 'RUNNING',
    reason: undefined,
    reachedAt: '2026-01-15T10:00:00.000Z',
  });
  expect(asked).toEqual([
    [
      'StartReplayCommand',
      {
        ReplayName: 'sms-1',
        EventSourceArn: 'a',
        EventStartTime: new Date(range.since),
        EventEndTime: new Date(range.until),
        Destination: { Arn: 'bus-arn', FilterArns: ['rule-arn'] },
      },
    ],
    ['DescribeReplayCommand', { ReplayName: 'sms-1' }],
  ]);
});

it('a start that was repeated because its answer was lost is a start; any other refusal is not', async () => {
  const archive = { arn: 'a', busArn: 'bus-arn', createdAt: undefined, retentionDays: undefined };
  const range = { since: '2026-01-15T10:00:00.000Z', until: '2026-01-15T11:00:00.000Z' };
  const refusing = (name: string) => {
    const client = answering(new EventBridgeClient(anyAccount), () => {
      throw Object.assign(new Error('no'), { name });
    });
    return createReplayAccess(client, 'bus', 'archive').start({
      name: 'sms-1',
      archive,
      ruleArn: 'r',
      ...range,
    });
  };
  await refusing('ResourceAlreadyExistsException');
  await expect(refusing('LimitExceededException')).rejects.toThrow('no');
});
