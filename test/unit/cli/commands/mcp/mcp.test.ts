import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { expect, it } from 'vitest';
import { serveMcp } from '../../../../../cli/commands/mcp/mcp.ts';
import type { Connection } from '../../../../../cli/target/connection.ts';
import type { Context } from '../../../../../cli/target/context.ts';

const now = Date.UTC(2026, 0, 15, 12);
const unexpected = () => Promise.reject(new Error('not expected to be called'));

it('sms mcp does not call a pipeline unhealthy because its caller may not check it', async () => {
  const denied = Object.assign(new Error('User is not authorized to perform: sqs:GetQueueAttributes on it'), {
    name: 'AccessDenied',
  });
  const connection: Partial<Connection> = {
    queryApi: unexpected,
    invokeSetup: () => Promise.reject(denied),
    sources: async () => ['main'],
    webhookUrl: unexpected,
    drift: async () => async () => [],
    deadLetterQueues: () => Promise.reject(denied),
    inspection: () => Promise.reject(denied),
  };
  const written: string[] = [];
  const context = {
    terminal: { err: (line: string) => void written.push(line), zone: 'UTC' },
    clock: () => now,
    newId: () => 'page-1',
    connect: () => connection,
  } as unknown as Context;
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const options = {
    dir: '.local',
    stack: 'SmsPipeline',
    profile: 'prod',
    region: 'eu-west-1',
    reveal: true,
  } as const;
  const ended = serveMcp(options, context, { stdin, stdout });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioServerTransport(stdout, stdin));
  const { structuredContent } = await client.callTool({ name: 'get_health', arguments: {} });
  expect(structuredContent).toMatchObject({
    healthy: null,
    checks: [
      { check: 'database', state: 'ok' },
      { check: 'api-key', state: 'skipped', found: 'not checked: AWS denies you sqs:GetQueueAttributes' },
      { check: 'queues', state: 'skipped', hint: expect.stringContaining('Allow sqs:GetQueueAttributes') },
      { check: 'dead-letters', state: 'skipped' },
      { check: 'alarms', state: 'skipped' },
      { check: 'contract-drift', state: 'ok' },
    ],
  });
  expect(written).toEqual(['sms mcp: answers from prod/eu-west-1/SmsPipeline; numbers are shown in full\n']);
  stdin.end();
  await ended;
});
