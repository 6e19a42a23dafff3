import { randomUUID } from 'node:crypto';
import { CreateTableCommand, type CreateTableCommandInput, QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createWebhookStateTable,
  type WebhookStateTable,
} from '../../../functions/registration/webhook-state-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { resource, templateFor } from '../../infra/support/built-app.ts';
import { describeWebhookState } from '../../support/suites/webhook-state.ts';

let database: HistoryTables;
let declared: Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema' | 'BillingMode'>;
let tableName: string;

beforeAll(async () => {
  database = await startHistoryTables();
  declared = resource(templateFor(), 'AWS::DynamoDB::Table', 'WebhookState').Properties as typeof declared;
});
afterAll(() => database.stop());

/** Creates a table, as the stack declares it. */
async function createTable(): Promise<WebhookStateTable> {
  tableName = `webhook-state-${randomUUID()}`;
  const { AttributeDefinitions, KeySchema, BillingMode } = declared;
  await database.client.send(
    new CreateTableCommand({ TableName: tableName, AttributeDefinitions, KeySchema, BillingMode }),
  );
  return createWebhookStateTable(database.client, tableName);
}

describeWebhookState('DynamoDB', createTable);

describe('the table of the webhook', () => {
  const minute = 60_000;
  const now = Date.parse('2026-01-15T12:34:30.000Z');
  const at = (second: number) => new Date(now + second * 1000).toISOString();

  let table: WebhookStateTable;

  beforeEach(async () => {
    table = await createTable();
  });

  it('reads the mismatches of a whole hour in one page', async () => {
    for (let minutes = 0; minutes < 90; minutes++) await table.addMismatches(1, now - minutes * minute);
    expect(await table.mismatchesLastHour(now)).toBe(61);
  });

  it('drops mismatches after the hour in which they are counted, by the attribute that the table declares', async () => {
    await table.addMismatches(1, now);
    const { Items = [] } = await database.client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'webhook' } },
      }),
    );
    expect(Items).toEqual([
      {
        pk: { S: 'webhook' },
        sk: { S: 'mismatches#2026-01-15T12:34' },
        count: { N: '1' },
        expiresAt: { N: String(Math.ceil(now / 1000) + 2 * 3600) },
      },
    ]);
    expect(declared).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  it.each<[string, (elsewhere: WebhookStateTable) => Promise<unknown>]>([
    ['reading', (elsewhere) => elsewhere.read()],
    ['writing', (elsewhere) => elsewhere.setDesiredState('registered')],
    ['writing what may be older', (elsewhere) => elsewhere.recordConfirmed({ at: at(0), versionId: 'v1' })],
    ['taking a turn', (elsewhere) => elsewhere.takeTurn('reconcileForRotation', minute, now)],
  ])('throws errors other than a lost race: %s', async (_, call) => {
    const elsewhere = createWebhookStateTable(database.client, 'no-such-table');
    await expect(call(elsewhere)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
