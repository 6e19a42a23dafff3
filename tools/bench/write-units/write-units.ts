/** `npm run write-units`: what DynamoDB bills for an event. Prints tables; exit code 0 if it is no more than promised. */

import { createMapper } from '../../../contract/events/mapping.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { createOptOutRegister } from '../../../functions/opt-out/opt-out-store.ts';
import { createQuarantine } from '../../../functions/quarantine/quarantine-store.ts';
import { deadlineAt } from '../../../functions/runtime/basics.ts';
import { type WorkDependencies, workBatch } from '../../../functions/worker/work-batch.ts';
import { shippedContract } from '../../support/contracts.ts';
import { startHistoryTables } from '../../support/history-tables.ts';
import { keywordOf } from '../../support/keywords.ts';
import { recorder } from '../../support/recorder.ts';
import { renderTable } from '../../support/table.ts';
import { type Arrival, batchesOf, eventsPerMessage } from './load.ts';
import { indexesOf, recordWrites, tableRow } from './recorder.ts';

const messages = 3000;
const events = messages * eventsPerMessage;
/** Promised for events that come in order and one by one. */
const maxUnitsPerEvent = 2.5;
const settings = { retentionDays: 400, worklistShards: 16 };

const tables = await startHistoryTables();
try {
  const indexes = await indexesOf(tables.client, tables.history);
  const taken = recordWrites(tables.client, indexes);
  const { log, count, counts } = recorder();
  const dependencies: WorkDependencies = {
    admit: async (received) => ({
      admitted: received,
      parked: [],
      quarantined: [],
      finish: async () => {},
    }),
    map: createMapper(shippedContract),
    history: createHistoryWriter(tables.client, tables.history, settings),
    optOuts: createOptOutRegister(tables.client, tables.history, settings.worklistShards),
    keywordOf,
    quarantine: createQuarantine(tables.client, tables.quarantine, 90),
    observeDrift: async () => {},
    clock: Date.now,
    log,
    count,
  };

  /** Prints a table of a run. @returns write units for each event, those of failed conditions included */
  async function run(name: Arrival): Promise<number> {
    for (const batch of batchesOf(name, messages)) {
      const failed = await workBatch(batch, dependencies, deadlineAt(Date.now() + 60_000, Date.now));
      if (failed.size > 0) throw new Error(`${failed.size} queue messages failed`);
    }
    const { units, writes, failedWrites, failedUnits } = taken();
    const all = [...units.values()].reduce((sum, each) => sum + each, failedUnits);
    const row = (title: string, amount: number) => [title, (amount / events).toFixed(3)];
    console.log(
      renderTable([
        [name, 'write units per event'],
        ...[tableRow, ...indexes.map((index) => index.name)].map((title) =>
          row(title, units.get(title) ?? 0),
        ),
        row('failed conditions', failedUnits),
        row('all', all),
      ]),
    );
    console.log(`${writes} writes and ${failedWrites} failed conditions for ${events} events\n`);
    return all / events;
  }

  const inOrder = await run('in order');
  await run('shuffled, twice');
  await run('in one batch');

  const stored = counts.get('stored') ?? 0;
  if (stored !== 3 * events) throw new Error(`${stored} events were stored`);
  const kept = inOrder <= maxUnitsPerEvent;
  console.log(
    `${kept ? 'kept' : 'BROKEN'}: ${inOrder.toFixed(3)} write units per event, ${maxUnitsPerEvent} promised`,
  );
  process.exitCode = kept ? 0 : 1;
} finally {
  await tables.stop();
}
