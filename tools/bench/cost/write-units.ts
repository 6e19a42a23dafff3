/** `npm run write-units`: what DynamoDB bills for an event. Prints tables; exit code 0 if it is no more than promised. */
import { DynamoDBClient, type PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { createMapper } from '../../../contract/events/mapping.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { createOpenBatches } from '../../../functions/history/open-batch-store.ts';
import { createOptOutRegister } from '../../../functions/opt-out/opt-out-store.ts';
import { createQuarantine } from '../../../functions/quarantine/quarantine-store.ts';
import { deadlineAt } from '../../../functions/runtime/basics.ts';
import { type WorkDependencies, workBatch } from '../../../functions/worker/work-batch.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import { Shutdown } from '../../../local/run/shutdown.ts';
import { shippedContract } from '../../support/contracts.ts';
import { startHistoryDatabase } from '../../support/history-database.ts';
import { keywordOf } from '../../support/keywords.ts';
import { recorder } from '../../support/recorder.ts';
import { renderTable } from '../../support/table.ts';
import { type Arrival, batchesOf, eventsPerMessage } from './arrivals.ts';
import { storedWrites } from './stored-writes.ts';
import { billWrite } from './write-rules.ts';

const messages = 600;
const events = messages * eventsPerMessage;
/** Promised for events that come in order and one by one. */
const maxUnitsPerEvent = 2;
const settings = { retentionDays: 400, worklistShards: 16 };

// No signal can end this process between the start of the database and its registration with the reaper, which ends it after this process.
new Shutdown().listen(130);
const database = await startHistoryDatabase();

/** Prints a table of a run. @returns write units for each event */
async function run(arrival: Arrival): Promise<number> {
  const { endpoint, history, openBatches, quarantine } = await database.createTables({ hasStreams: true });
  const client = new DynamoDBClient(localClient(endpoint));
  let calls = 0;
  let noted = 0;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const { TableName, Item } = args.input as Partial<PutItemCommandInput>;
        if (TableName === openBatches) noted += billWrite(undefined, Item, []).table;
        else if (commandName === 'UpdateItemCommand' || commandName === 'PutItemCommand') calls += 1;
        return next(args);
      },
    { step: 'initialize' },
  );
  const { log, count, counts } = recorder();
  const dependencies: WorkDependencies = {
    admit: async (received) => ({
      admitted: received,
      parked: [],
      quarantined: [],
      finish: async () => {},
    }),
    map: createMapper(shippedContract),
    history: createHistoryWriter(client, history, settings),
    openBatches: createOpenBatches(client, openBatches, Date.now),
    optOuts: createOptOutRegister(client, history, settings.worklistShards),
    keywordOf,
    quarantine: createQuarantine(client, quarantine, 90),
    observeDrift: async () => {},
    clock: Date.now,
    log,
    count,
  };
  for (const batch of batchesOf(arrival, messages)) {
    const failed = await workBatch(batch, dependencies, deadlineAt(Date.now() + 60_000, Date.now));
    if (failed.size > 0) throw new Error(`${failed.size} queue messages failed`);
  }
  const stored = counts.get('stored') ?? 0;
  if (stored !== events) throw new Error(`${stored} events were stored`);
  const { writes, units } = await storedWrites(client, endpoint, history);
  client.destroy();
  // Each of them costs a unit: no item here is larger.
  const unchanged = calls - writes;
  const all = Object.values(units).reduce((sum, each) => sum + each, unchanged + noted);
  const rows = Object.entries({
    ...units,
    'open batches': noted,
    'failed or without a change': unchanged,
    all,
  }).map(([title, amount]) => [title, (amount / events).toFixed(3)]);
  console.log(`${renderTable([[arrival, 'write units per event'], ...rows])}\n${calls} writes\n`);
  return all / events;
}

try {
  const inOrder = await run('in order');
  await run('one by one');
  await run('shuffled, twice');
  await run('in one batch');
  const isKept = inOrder <= maxUnitsPerEvent;
  const figures = `${inOrder.toFixed(3)} write units per event, ${maxUnitsPerEvent} promised`;
  console.log(`${isKept ? 'kept' : 'BROKEN'}: ${figures}`);
  process.exitCode = isKept ? 0 : 1;
} finally {
  await database.stop();
}
