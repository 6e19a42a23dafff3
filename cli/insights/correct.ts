import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CohortDelta, CounterWriter } from '../../functions/insights/index.ts';
import { maxCounts } from '../../functions/insights/io.ts';
import { CommandFailure } from '../target/errors.ts';

/** The position of corrections is beside those of the shards. */
export const correctionShard = 'correction';

/** A transaction has at most 100 actions, and a difference may need two in the worst case. */
const maxDifferences = 40;
const maxFailures = 20;
const pauseMs = 100;

/**
 * Adds differences to the counters. It writes as the live function does, under a position of its own: a part whose answer was lost is not added twice,
 * and nothing is added after another correction.
 *
 * @param measuredAt the position of corrections when the differences were measured; undefined if there was none
 */
export async function correct(
  counters: CounterWriter,
  measuredAt: string | undefined,
  differences: readonly CohortDelta[],
): Promise<void> {
  const pieces = differences.flatMap(piecesOf);
  let [position, size, failures, done] = [measuredAt, maxDifferences, 0, 0];
  while (done < pieces.length) {
    const cohorts = partOf(pieces.slice(done, done + size));
    const deltas = { cohorts, replies: new Map(), learntSends: new Map() };
    const next = positionAfter(position);
    const state = await counters.open(correctionShard);
    if (state.counted !== position)
      throw new CommandFailure(
        'Another rebuild corrects the figures at the same time. Run sms insights verify when it has ended.',
      );
    const outcome = await counters.commit(state, next, deltas);
    if (outcome.kind === 'counted' || (await counters.open(correctionShard)).counted === next) {
      [position, failures, done] = [next, 0, done + cohorts.length];
    } else if (outcome.kind === 'too-large' && size > 1) {
      size = Math.ceil(size / 2);
    } else {
      failures += 1;
      const left = new Set(pieces.slice(done).map(({ cohort }) => cohort)).size;
      if (failures === maxFailures)
        throw new CommandFailure(
          `${differences.length - left} of ${differences.length} figures were corrected, then the table of counters kept refusing. Run the command again.`,
        );
      await delay(pauseMs);
    }
  }
}

/** Divides a difference into pieces that one commit each can add. The counts of many delivery times are too many for one. */
function piecesOf({ cohort, tally, first }: CohortDelta): CohortDelta[] {
  const counts = Object.entries(tally);
  const pieces: CohortDelta[] = [];
  for (let start = 0; start === 0 || start < counts.length; start += maxCounts)
    pieces.push({ cohort, tally: Object.fromEntries(counts.slice(start, start + maxCounts)), first });
  return pieces;
}

/** Returns the first of pieces without a second one of any cohort, because a commit adds the counts of a cohort together. */
function partOf(pieces: readonly CohortDelta[]): CohortDelta[] {
  const repeated = pieces.findIndex(({ cohort }, index) => pieces[index - 1]?.cohort === cohort);
  return pieces.slice(0, repeated === -1 ? pieces.length : repeated);
}

const stepDigits = 20;

/** Returns a position that no other correction has: the next step, and random digits. */
function positionAfter(position: string | undefined): string {
  const step = BigInt(position?.slice(0, stepDigits) ?? '0') + 1n;
  const random = String(randomInt(2 ** 47)).padStart(stepDigits, '0');
  return String(step).padStart(stepDigits, '0') + random;
}
