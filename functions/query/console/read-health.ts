import type { DriftDay } from '../../../contract/drift/drift-watch.ts';
import type { RingingAlarm } from '../../base/alarms-client.ts';
import { type Clock, errorName } from '../../base/basics.ts';
import { namingSource } from '../../base/commands-of-source.ts';
import type { HealthView } from '../api/views/console-schemas.ts';
import { judgeAlarms } from '../health/alarms.ts';
import { judgeDrift, mismatchesOf } from '../health/contract-drift.ts';
import { type AgedQueue, type DeadLetters, judgeDeadLetters, judgeQueues } from '../health/queues.ts';
import { readAtMostEvery } from '../health/read-at-most-every.ts';
import { failed, type NamedVerdict, ok, skipped, type Verdict, worstOf } from '../health/verdict.ts';

/** Where a console reads the state of its pipeline. Each may reject; the others are read all the same. */
export interface HealthPorts {
  /** Reads the health of the webhook of `main`. */
  readonly webhook: (now: number) => Promise<WebhookHealth>;
  /** The checks that fail if the webhook cannot be read. */
  readonly webhookChecks: readonly string[];
  /** Returns what reads the webhook of each other source. */
  readonly furtherSources: () => Promise<readonly SourceHealth[]>;
  /** Reads the queues of all sources. */
  readonly queues: () => Promise<readonly AgedQueue[]>;
  /** Whether the ages of queues are read. */
  readonly hasAges: boolean;
  readonly deadLetters: () => Promise<readonly DeadLetters[]>;
  /** Reads the alarms that are on; null on one machine, which has none. */
  readonly alarms: () => Promise<readonly RingingAlarm[] | null>;
  /** Reads where events of a day (yyyy-mm-dd, UTC) differ from the contract. */
  readonly drift: (day: string) => Promise<DriftDay | undefined>;
  /** The checks that this console cannot make. */
  readonly skipped: readonly NamedVerdict[];
  /** Explains why something could not be read. */
  readonly explain: (error: unknown) => Verdict;
  readonly clock: Clock;
}

interface SourceHealth {
  readonly source: string;
  readonly webhook: (now: number) => Promise<WebhookHealth>;
}

export interface WebhookHealth {
  /** Null if the console may not show it. */
  readonly view: HealthView['webhook'];
  readonly checks: readonly NamedVerdict[];
}

interface Part<T> {
  readonly value: T | null;
  readonly checks: readonly NamedVerdict[];
  /** Why it could not be read. */
  readonly error?: unknown;
}

const databaseFirst = skipped('not read: the database does not answer, see database');

/**
 * Reads the state of a pipeline without a test event. A part that cannot be read is null, and its checks say why. What needs the database is
 * not judged while that does not answer. Never throws.
 */
async function readHealth(ports: HealthPorts): Promise<HealthView> {
  const now = ports.clock();
  const day = new Date(now).toISOString().slice(0, 10);

  async function part<T>(
    names: readonly string[],
    read: () => Promise<T>,
    judge: (value: T) => readonly NamedVerdict[],
  ): Promise<Part<T>> {
    try {
      const value = await read();
      return { value, checks: judge(value) };
    } catch (error) {
      return { value: null, checks: names.map((name) => [name, ports.explain(error)]), error };
    }
  }

  /** Returns a check for each source but `main`: the worst of what is found about its webhook. */
  async function checkFurtherSources(): Promise<readonly Part<unknown>[]> {
    const listed = await part(['sources'], ports.furtherSources, () => []);
    if (listed.value === null) return [listed];
    return Promise.all(
      listed.value.map(({ source, webhook }) => {
        const name = `source-${source}`;
        return part(
          [name],
          () => webhook(now),
          ({ checks }) => [[name, ofSource(worstOf(checks), source)]],
        );
      }),
    );
  }

  const [webhook, furtherSources, queues, deadLetters, alarms, drift] = await Promise.all([
    part(
      ports.webhookChecks,
      () => ports.webhook(now),
      ({ checks }) => checks,
    ),
    checkFurtherSources(),
    part(['queues'], ports.queues, (found) => [['queues', judgeQueues(found, ports.hasAges)]]),
    part(['dead-letters'], ports.deadLetters, (found) => [['dead-letters', judgeDeadLetters(found, now)]]),
    part(['alarms'], ports.alarms, (found) => (found === null ? [] : [['alarms', judgeAlarms(found)]])),
    part(
      ['contract-drift'],
      async () => {
        const drift = await ports.drift(day);
        return mismatchesOf(drift === undefined ? [] : [drift]);
      },
      (found) => [['contract-drift', judgeDrift(found, 'today')]],
    ),
  ]);
  const database = judgeDatabase(drift.error, ports);
  const checks: readonly NamedVerdict[] = [
    ['database', database],
    ...[webhook, ...furtherSources, queues, deadLetters, alarms, drift].flatMap(({ checks: own, error }) =>
      database.state === 'failed' && error !== undefined
        ? own.map(([name]): NamedVerdict => [name, databaseFirst])
        : own,
    ),
    ...ports.skipped,
  ];
  return {
    checkedAt: new Date(now).toISOString(),
    healthy: checks.every(([, { state }]) => state !== 'failed'),
    checks: checks.map(([check, { state, found, hint = null }]) => ({ check, state, found, hint })),
    webhook: webhook.value?.view ?? null,
    queues:
      queues.value?.map(({ name, waiting, inFlight, oldestSeconds = null }) => ({
        name,
        waiting,
        inFlight,
        oldestSeconds,
      })) ?? null,
    deadLetters:
      deadLetters.value?.map(({ name, waiting, inFlight, oldestSeenAt }) => ({
        name,
        waiting,
        inFlight,
        oldestSeenAt,
      })) ?? null,
    alarms: alarms.value?.map((alarm) => ({ ...alarm })) ?? null,
    contractDrift: drift.value && { day, mismatches: [...drift.value] },
  };
}

/** Adds the source to the commands that a verdict suggests. */
function ofSource(verdict: Verdict, source: string): Verdict {
  return verdict.hint === undefined ? verdict : { ...verdict, hint: namingSource(verdict.hint, source) };
}

/** Names of the errors of a database that answers, and denies. */
const denials = /Denied|Unauthori[sz]|NotAuthori[sz]/;

/** Judges the database by the read of today's drift. @param error why that failed; undefined if it did not */
function judgeDatabase(error: unknown, { explain }: Pick<HealthPorts, 'explain'>): Verdict {
  if (error === undefined) return ok('it answers');
  if (denials.test(errorName(error))) return skipped('not read: see contract-drift');
  return failed(
    `it does not answer (${errorName(error)})`,
    explain(error).hint ?? 'Read it again in a minute.',
  );
}

/** Makes a reader that reads the health at most twice a minute, however many pages ask. */
export function createHealthReader(ports: HealthPorts): () => Promise<HealthView> {
  return readAtMostEvery(30_000, () => readHealth(ports), ports.clock);
}
