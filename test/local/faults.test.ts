import { expect, it } from 'vitest';
import { createRandom } from '../../local/sms-service/random.ts';
import { someCells } from '../../tools/faults/every-cell.ts';
import { nameOf, runFaults } from '../../tools/faults/run-faults.ts';

/** Of those that leave nothing hidden for six minutes, as a failed delete of an automation does; `npm run faults` plays all cells. */
const seed = 11;

// What a dead process held comes again after a minute, what waits for the service after two, six where an automation was killed.
const patienceMs = 420_000;
// With what the cells themselves take, so that what did not hold is told before.
const timeout = 900_000;

it('the pipeline stores each acknowledged event once and empties its queues, whatever call fails', {
  timeout,
}, async () => {
  const { cells, broken } = await runFaults(someCells(createRandom(seed)), {
    seed,
    say: () => {},
    patienceMs,
  });
  const failed = cells.filter((result) => result.broken.length > 0);
  expect(failed.map((result) => [nameOf(result.cell), result.broken])).toEqual([]);
  expect(broken).toEqual([]);
});
