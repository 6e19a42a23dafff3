import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../functions/base/basics.ts';
import type { Item, KeywordOf } from '../../functions/history/index.ts';
import {
  addTallies,
  type Cohort,
  type CohortDelta,
  type CounterKey,
  codeNames,
  cohortKey,
  cohortName,
  cohortOfKey,
  countedState,
  dayMs,
  firstReportOf,
  isEmpty,
  keyOfItem,
  type LoggedChange,
  nameOf,
  negated,
  type Positions,
  Recount,
  tallyOfItem,
  waitingPrefix,
  waitingRepliesKey,
} from '../../functions/insights/index.ts';
import type { RecountSources } from '../stores/recount-sources.ts';
import { CommandFailure } from '../target/errors.ts';
import { correctionShard } from './correct.ts';

/** How the counters differ from a recount. What changed while it was measured makes no difference. */
export interface Measurement {
  /** Messages and replies that were counted. */
  readonly items: number;
  /** Sends, quarter hours and days in a country that were compared. */
  readonly compared: number;
  /** Sends, quarter hours and days that are older than the history or than the figures are kept. */
  readonly tooOld: number;
  /** Sends, quarter hours and days that could not be compared, because the send of an answered message became known meanwhile. */
  readonly disturbed: number;
  /** What must be added to the counters. */
  readonly differences: readonly CohortDelta[];
  /** The position of corrections before anything was read. */
  readonly corrected: string | undefined;
}

/** The stream keeps records for 24 hours (Amazon DynamoDB Developer Guide, "Change data capture for DynamoDB Streams"). */
const streamMs = 86_400_000;

const maxKeys = 100;
const maxReads = 50;
const pauseMs = 100;

/**
 * Measures how the counters differ from a recount of the history. The difference of a cohort at a position of the stream is the same as at any other
 * position, because the counters and the recount change alike from one to the next. So it is exact while events arrive, and adding it is right at
 * any time.
 *
 * @param onRead is called with the number of items of each page of the history
 */
export async function measure(
  sources: RecountSources,
  keywordOf: KeywordOf,
  clock: Clock,
  onRead: (items: number) => void,
): Promise<Measurement> {
  const recount = new Recount();
  const now = clock();
  const begin = await sources.positions();
  // What changed since the beginning must still be in the stream when the stream is read.
  const checkTime = () => {
    if (clock() - now >= streamMs)
      throw new CommandFailure(
        'The recount took 24 hours, for which the stream of the history keeps changes, so some may be missing. Run the command in the region of the pipeline, where it reads faster.',
      );
  };
  for await (const items of sources.history()) {
    for (const item of items) {
      const state = countedState(item, keywordOf);
      if (state !== undefined) recount.see(item.pk?.S ?? '', state);
    }
    onRead(items.length);
    checkTime();
  }
  const log = new Map<string, LoggedChange>();
  const read = new Map(begin);
  const readLog = async () => {
    const changes = await sources.changes(read);
    if (changes === undefined)
      throw new CommandFailure('The stream of the history shows no new changes. Try again in a few minutes.');
    const stateOf = (item: Item | undefined) =>
      item === undefined ? undefined : countedState(item, keywordOf);
    checkTime();
    for (const { before, after, ...change } of changes) {
      const { shardId, position } = change;
      log.set(`${shardId} ${position}`, { ...change, before: stateOf(before), after: stateOf(after) });
      if (position > (read.get(shardId) ?? '')) read.set(shardId, position);
    }
    recount.setLog([...log.values()]);
  };
  // The first reading finds the cohorts. The second goes on where the first ended, because the stream may have dropped what the first found.
  await readLog();
  const stored = await readStored(sources);
  const cohorts = new Map([...stored.cohorts, ...recount.cohorts]);
  const answered = recount.answered();
  const answersOf = Map.groupBy(answered.keys(), (id) => nameOfSend(answered.get(id)));
  const { retentionDays, hourRetentionDays } = sources.retention;
  const oldest = {
    send: now - retentionDays * dayMs,
    day: now - (retentionDays - 1) * dayMs,
    quarter: now - (hourRetentionDays - 1) * dayMs,
  };
  // Without a message nothing shows for how long messages are kept.
  const oldestStored = recount.keptMs === Number.POSITIVE_INFINITY ? now : now - recount.keptMs + dayMs;
  const isKept = ([name, cohort]: [string, Cohort]) => {
    const firsts = [recount.firstOf(name), stored.firsts.get(name)].map((first) => first ?? now);
    const start = cohort.kind === 'send' ? Math.min(...firsts) : cohort.start;
    return start >= Math.max(oldest[cohort.kind], oldestStored);
  };
  const kept = [...cohorts].filter(isKept);
  const reads: Reading[] = [];
  for (const chunk of chunksOf(kept, answersOf, stored.waiting))
    reads.push({
      chunk,
      ...(await readAtPositions(
        sources,
        chunk.flatMap(({ keys }) => keys),
      )),
    });
  await readLog();
  // Once a code counts as another one, the codes never change. So those after the counters were read are right for the counters.
  const named = codeNames(await sources.codes());

  const disturbed = new Set<string>();
  for (const [id, send] of answered)
    if (recount.sendOf(id) !== send || recount.isRemoved(id))
      for (const one of [send, recount.sendOf(id)]) disturbed.add(nameOfSend(one));
  const differences: CohortDelta[] = [];
  let left = 0;
  for (const { chunk, items, positions } of reads) {
    const at = recount.at(positions);
    for (const { name, cohort, answers, keys } of chunk) {
      if (disturbed.has(name)) {
        left += 1;
        continue;
      }
      const counted = keys.map((key) => tallyOfItem(items.get(nameOf(key)) ?? {}));
      const tally = named(addTallies([at.cohort(name, answers), ...counted.map(negated)]));
      const first = cohort.kind === 'send' ? recount.firstOf(name) : undefined;
      if (!isEmpty(tally)) differences.push({ cohort, tally, first });
    }
  }
  return {
    items: recount.items,
    compared: kept.length - left,
    tooOld: cohorts.size - kept.length,
    disturbed: left,
    differences,
    corrected: begin.get(correctionShard),
  };
}

const nameOfSend = (sendId: string | undefined): string =>
  sendId === undefined ? '' : cohortName({ kind: 'send', sendId });

/** A cohort with what is read to compare it. A send's counters have its replies; a reply may still wait for its message's send. */
interface Compared {
  readonly name: string;
  readonly cohort: Cohort;
  readonly answers: readonly string[];
  readonly keys: readonly CounterKey[];
}

interface Snapshot {
  readonly items: ReadonlyMap<string, Item>;
  readonly positions: Positions;
}

interface Reading extends Snapshot {
  readonly chunk: readonly Compared[];
}

/**
 * Divides cohorts into parts that are read together.
 *
 * @param waiting names the items of replies that wait for a send. None is added for a message of which the history shows a send, so others need not be read
 */
function chunksOf(
  cohorts: readonly [string, Cohort][],
  answersOf: ReadonlyMap<string, readonly string[]>,
  waiting: ReadonlySet<string>,
): Compared[][] {
  const chunks: Compared[][] = [];
  let size = maxKeys;
  for (const [name, cohort] of cohorts) {
    const answers = cohort.kind === 'send' ? (answersOf.get(name) ?? []) : [];
    const waitingKeys = answers.map((id) => waitingRepliesKey(id));
    const keys = [cohortKey(cohort), ...waitingKeys.filter((key) => waiting.has(nameOf(key)))];
    if (size + keys.length > maxKeys) {
      chunks.push([]);
      size = 0;
    }
    size += keys.length;
    chunks.at(-1)?.push({ name, cohort, answers, keys });
  }
  return chunks;
}

/** Reads counters as they are at one position of each shard: positions and counters change together, so none may change meanwhile. */
async function readAtPositions(sources: RecountSources, keys: readonly CounterKey[]): Promise<Snapshot> {
  for (let read = 0; read < maxReads; read++) {
    const positions = await sources.positions();
    const items = await sources.read(keys);
    const after = await sources.positions();
    const isSame = [...after].every(([shardId, position]) => positions.get(shardId) === position);
    if (isSame) return { items, positions };
    await delay(pauseMs);
  }
  throw new CommandFailure('The counters change too fast to be compared. Try again when less arrives.');
}

/** Reads which counters there are. */
async function readStored({ counters }: RecountSources) {
  const cohorts = new Map<string, Cohort>();
  const firsts = new Map<string, number>();
  const waiting = new Set<string>();
  for await (const items of counters())
    for (const item of items) {
      const cohort = cohortOfKey(keyOfItem(item), item.sendId?.S);
      if (item.pk?.S?.startsWith(waitingPrefix) === true) waiting.add(nameOf(keyOfItem(item)));
      if (cohort === undefined) continue;
      const name = cohortName(cohort);
      cohorts.set(name, cohort);
      const first = firstReportOf(item);
      if (first !== undefined) firsts.set(name, first);
    }
  return { cohorts, firsts, waiting };
}
