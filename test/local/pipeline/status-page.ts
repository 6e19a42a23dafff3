import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CreateTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
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
    expect(stdout).toMatch(/^# pass 5$/m);
  });
  it.each([
    [['open', 'failure'], 'not delivered'],
    [['failure', 'open', 'failure'], 'not delivered'],
    [['unknown', 'success'], 'delivered'],
    [['success', 'unknown', 'failure'], 'delivered'],
  ] as const)('keeps the decisive one of events with the outcomes %s', async (outcomes, status) => {
    const { rememberStatus } = await import(`${project}/examples/status-page/on-status.mjs`);
    const { dynamoDb } = pipeline();
    const TableName = `sent-${outcomes.join('-')}`;
    await dynamoDb.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'messageId', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'messageId', KeyType: 'HASH' }],
      }),
    );
    for (const outcome of outcomes) {
      const { detail } = exampleEvent('SMS Delivery Status Changed', { messageId: 'SM0001', outcome });
      await rememberStatus(dynamoDb, TableName, detail);
    }
    const read = new GetItemCommand({ TableName, Key: { messageId: { S: 'main/SM0001' } } });
    expect((await dynamoDb.send(read)).Item?.status).toEqual({ S: status });
  });
}
