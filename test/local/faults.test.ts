import { expect, it } from 'vitest';
import { everyCell } from '../../tools/drills/faults/every-cell.ts';
import { runFaults } from '../../tools/drills/faults/run-faults.ts';

/**
 * One or two for each function and service, chosen for ends within a minute or two: what a failed automation holds is redelivered only
 * after six. The volume test kills worker and publisher; `npm run drill -- faults` plays all cells.
 */
const short: ReadonlySet<string> = new Set([
  'ingest: ingest > sqs SendMessage refuse',
  'worker: worker > dynamodb UpdateItem drop',
  'worker: worker poller > sqs DeleteMessageBatch reset',
  'worker: worker > secretsmanager GetSecretValue fail',
  'publisher: publisher > events PutEvents throttle',
  'publisher: publisher poller > dynamodb GetRecords fail',
  'setup: setup > secretsmanager PutSecretValue drop',
  'setup: setup > dynamodb UpdateItem fail',
  'setup: setup (or any) > sms-service PUT /v1/account/webhook drop',
  'automations: billing-watch > events PutEvents drop',
  'worker every batch invoked twice',
]);

/** The seed of the order and the course of each fault. */
const seed = 11;
const patienceMs = 420_000;

it('the pipeline stores each acknowledged event once and empties its queues, whatever call fails', {
  timeout: 900_000,
}, async () => {
  const chosen = everyCell().filter((cell) => short.has(cell.name));
  expect(chosen.map(({ name }) => name).sort()).toEqual([...short].sort());
  const { cells, broken } = await runFaults(chosen, { seed, say: console.log, patienceMs });
  const failed = cells.filter((result) => result.broken.length > 0);
  expect(failed.map((result) => [result.name, result.broken])).toEqual([]);
  expect(broken).toEqual([]);
});
