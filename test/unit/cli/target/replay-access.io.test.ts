import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConnect } from '../../../../cli/target/connection.ts';
import { commandLine } from '../support/harness.ts';
import { startServer } from '../support/server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();

/** A command line for a pipeline whose EventBridge answers so by operation, and what that was asked. */
async function pipelineWith(
  answers: Readonly<Record<string, (input: Record<string, unknown>) => object>>,
  events: Readonly<Record<string, string>> = { EventBusName: 'bus', EventArchiveName: 'archive' },
) {
  const asked: [string, Record<string, unknown>][] = [];
  const { port } = await startServer(({ headers, body }) => {
    const operation = String(headers['x-amz-target']).replace('AWSEvents.', '');
    const input = JSON.parse(body);
    asked.push([operation, input]);
    return { type: 'application/x-amz-json-1.1', body: JSON.stringify(answers[operation]?.(input) ?? {}) };
  });
  const project = join(directory, String(port));
  mkdirSync(join(project, '.local'), { recursive: true });
  const outputs = {
    'SmsPipeline-Pipeline': { WebhookUrl: `http://127.0.0.1:${port - 4}/webhooks/sms` },
    'SmsPipeline-Events': events,
  };
  writeFileSync(join(project, '.local', 'outputs.json'), JSON.stringify(outputs));
  const { sms } = commandLine({ connect: createConnect(project) });
  const replay = () => sms('replay', '--from', '2h', '--to', '1h', '--rule', 'mine', '--local', '--json');
  return { asked, replay };
}

describe('the replays of the bus that the outputs name', () => {
  it('are read from EventBridge page by page, without managed rules', async () => {
    const { asked, replay } = await pipelineWith({
      DescribeArchive: () => ({ ArchiveArn: 'a', EventSourceArn: 'bus-arn', RetentionDays: 0 }),
      ListRules: ({ NextToken }) =>
        NextToken === undefined
          ? { Rules: [{ Name: 'managed-mine', Arn: 'm', ManagedBy: 'events' }], NextToken: 'next' }
          : { Rules: [{ Name: 'Mine', Arn: 'rule-arn', State: 'ENABLED' }] },
      ListTargetsByRule: () => ({ Targets: [{ Id: '1', Arn: 'queue-arn' }] }),
      DescribeReplay: () => ({ State: 'RUNNING', EventLastReplayedTime: 1_768_471_200 }),
    });
    const { code, out, err } = await replay();
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({
      rule: 'Mine',
      targets: ['queue-arn'],
      state: 'RUNNING',
      reachedAt: '2026-01-15T10:00:00.000Z',
    });
    expect(asked).toEqual([
      ['DescribeArchive', { ArchiveName: 'archive' }],
      ['ListRules', { EventBusName: 'bus' }],
      ['ListRules', { EventBusName: 'bus', NextToken: 'next' }],
      ['ListTargetsByRule', { EventBusName: 'bus', Rule: 'Mine' }],
      [
        'StartReplay',
        {
          ReplayName: expect.stringMatching(/^sms-[\w-]+$/),
          EventSourceArn: 'a',
          EventStartTime: Date.parse('2026-01-15T10:00:00Z') / 1000,
          EventEndTime: Date.parse('2026-01-15T11:00:00Z') / 1000,
          Destination: { Arn: 'bus-arn', FilterArns: ['rule-arn'] },
        },
      ],
      ['DescribeReplay', { ReplayName: expect.stringMatching(/^sms-[\w-]+$/) }],
    ]);
  });

  it('are rejected without an archive, with the setting that creates one', async () => {
    const { asked, replay } = await pipelineWith({}, { EventBusName: 'bus' });
    const { code, err } = await replay();
    expect(code).toBe(1);
    expect(err).toMatch(/^error: The event bus has no archive.*sms:eventArchiveDays/);
    expect(asked).toEqual([]);
  });
});
