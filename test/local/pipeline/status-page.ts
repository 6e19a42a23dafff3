import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CreateTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import { exampleEvent } from '../../../events/index.ts';
import type { LocalPipeline } from '../../../tools/support/local-pipeline.ts';
import type { Started } from './post-signed.ts';

const project = resolve(import.meta.dirname, '../../..');

/** The example of docs/guides/status-in-your-app.md, whose tests send with the sandbox. */
export function statusPageShowsOwnMessages(pipeline: Started<LocalPipeline>): void {
  it('shows each user her own messages, as its tests say', async () => {
    const { port, outputs } = pipeline();
    const env = { ...process.env, QUERY_URL: outputs.QueryUrl, SANDBOX_URL: `http://127.0.0.1:${port + 1}` };
    const tests = join(project, 'examples/status-page/status-page.test.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', tests], {
      cwd: project,
      env,
    });
    expect(stdout).toMatch(/^# pass 11$/m);
  });
  it.each([
    ['open 1', { status: 'on its way', final: false }],
    ['open 1, unknown 2, open 1', { status: 'not known', final: true }],
    ['open 1, failure 2', { status: 'not delivered', final: true }],
    ['failure 2, open 1, failure 2', { status: 'not delivered', final: true }],
    ['unknown 2, success 3', { status: 'delivered', final: true }],
    ['failure 3, success 4, unknown 2, failure 3', { status: 'delivered', final: true }],
    // A later part of the message failed, and the event about it arrives last or first.
    ['success 1, failure 2', { status: 'not delivered', final: true }],
    ['failure 2, success 1', { status: 'not delivered', final: true }],
  ] as const)(
    'shows the decisive one of events with these outcomes and numbers of reports, without the query API: %s',
    async (events, shown) => {
      const { rememberStatus } = await import(`${project}/examples/status-page/on-status.mjs`);
      const { createStatusPage } = await import(`${project}/examples/status-page/status-page.mjs`);
      const { dynamoDb } = pipeline();
      const TableName = `sent-${events.replaceAll(/\W+/g, '-')}`;
      await dynamoDb.send(
        new CreateTableCommand({
          TableName,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [{ AttributeName: 'messageId', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'messageId', KeyType: 'HASH' }],
        }),
      );
      for (const event of events.split(', ')) {
        const [outcome, reports] = event.split(' ');
        const { detail } = exampleEvent('SMS Delivery Status Changed', { messageId: 'SM0001' });
        await rememberStatus(dynamoDb, TableName, { ...detail, outcome, reportCount: Number(reports) });
      }
      const messageId = 'main/SM0001';
      const find = async () => {
        const { Item } = await dynamoDb.send(
          new GetItemCommand({ TableName, Key: { messageId: { S: messageId } } }),
        );
        return { messageId, sentAt: new Date().toISOString(), status: Item?.status?.S };
      };
      const page: Server = createStatusPage({ userOf: () => 'ann', sent: { find } });
      onTestFinished(() => void page.close());
      await once(page.listen(0, '127.0.0.1'), 'listening');
      const { port } = page.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}/message?id=${encodeURIComponent(messageId)}`);
      expect(await answer.json()).toEqual({ messageId, ...shown });
    },
  );
}
