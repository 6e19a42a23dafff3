import pMap from 'p-map';
import type { LookupReport } from '../../contract/lookups/lookup-answer.ts';
import { outcomeOf, type StatusEvent } from '../../contract/schema/sms-event.ts';
import { type Clock, omitUndefined } from '../base/basics.ts';
import type { Log } from '../base/log-catalogue.ts';
import type { Count } from '../base/metrics.ts';
import {
  decidingEntry,
  type HistoryWriter,
  type Message,
  messageOf,
  type OptOutRegister,
  type OptOutStatement,
  readFailure,
  timesOfStatement,
} from '../history/index.ts';
import { compare, withoutCost } from './compare.ts';
import { type Counts, noCounts } from './passes.ts';

export interface ApplyDependencies {
  /** Reads messages by their ids. Messages that do not exist are missing in the result. */
  readonly readMessages: (ids: readonly string[]) => Promise<ReadonlyMap<string, Message>>;
  readonly history: HistoryWriter;
  readonly optOuts: OptOutRegister;
  /**
   * Whether the price, the segments and the network of answers are stored. Without it, a message is not written again for a price that its
   * reports do not have.
   */
  readonly keepsPrices: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
}

/** A message that the history did not have, or had in another state. */
export interface AppliedChange {
  readonly messageId: string;
  /** Undefined if the history did not have the message. */
  readonly before?: string;
  readonly after: string;
}

/** What answers added, with each change. */
export interface Applied extends Counts {
  /** How many messages in the answers the history had in another state, which takes precedence and stays. */
  readonly kept: number;
  readonly changes: readonly AppliedChange[];
}

const concurrentWrites = 16;

/**
 * Stores what the answers add to the history, as reports with the origin `lookup`. A failure with the reason `opted_out` also becomes a
 * statement of the register, as it does from the webhook: one for each number that the recipient of the answer may be.
 *
 * @param isDryRun compares and writes nothing
 * @throws as the database: the caller applies the same answers again
 */
export async function applyAnswers(
  answers: readonly LookupReport[],
  { readMessages, history, optOuts, keepsPrices, clock, log, count }: ApplyDependencies,
  isDryRun = false,
): Promise<Applied> {
  if (answers.length === 0) return { ...noCounts, kept: 0, changes: [] };
  const receivedAt = new Date(clock()).toISOString();
  const stored = await readMessages([...new Set(answers.map(({ messageId }) => messageId))]);
  const found = answers.map(({ recipientMayBe = [], ...answer }) => {
    const report = keepsPrices ? answer : withoutCost(answer);
    const before = stored.get(report.messageId);
    const finding = compare(report, before, receivedAt);
    return { report, before, finding, statements: newStatements(report, recipientMayBe, before, receivedAt) };
  });
  const additions = found.filter(({ finding }) => finding !== 'known');
  if (!isDryRun)
    await pMap(
      found,
      async ({ report, finding, statements }) => {
        // The register comes first: a later run takes a stored report for known.
        for (const statement of statements) await optOuts.record(statement);
        if (finding === 'known') return;
        const outcome = await history.storeMessage(messageOf(report, receivedAt));
        const refused = outcome.kind === 'unstorable' ? 1 : outcome.refused.length;
        if (refused > 0) log('LOOKUP_REFUSED', { reports: refused });
      },
      { concurrency: concurrentWrites },
    );
  const missing = additions.filter(({ finding }) => finding === 'missing').length;
  const changed = additions.filter(({ finding }) => finding === 'changed').length;
  const kept = found.filter(
    ({ report, before, finding }) =>
      (finding === 'known' || finding === 'completed') &&
      before !== undefined &&
      decidingEntry(before).status !== report.status,
  ).length;
  if (!isDryRun && missing > 0) count('lookupMissing', missing);
  if (!isDryRun && changed > 0) count('lookupChanged', changed);
  return {
    listed: answers.length,
    missing,
    changed,
    kept,
    changes: additions
      .filter(({ finding }) => finding !== 'completed')
      .map(({ report, before }) => ({
        messageId: report.messageId,
        ...(before !== undefined && { before: decidingEntry(before).status }),
        after: report.status,
      })),
  };
}

/**
 * Returns the opt-out that an answer shows, of each number that the recipient may be. If a stored failure has the reason, except an imported one, it is
 * the statement of this report, which the register has already if the report had the number. Otherwise it counts from the earliest report of the
 * failure, so that a START after it still opts in.
 *
 * @param mayBe what the number of the answer may be. For the number of a stored report it is not known any more.
 */
function newStatements(
  report: StatusEvent,
  mayBe: readonly string[],
  before: Message | undefined,
  receivedAt: string,
): OptOutStatement[] {
  const { kind, messageId } = report;
  const phone = omitUndefined({ phone: report.phone ?? before?.phone });
  if (readFailure({ ...report, ...phone }, receivedAt) === undefined) return [];
  const stored = [...(before?.events.values() ?? [])];
  const failures = stored.filter(({ rank }) => outcomeOf(rank) === 'failure');
  const stating = failures.find(
    ({ errorReason, origin }) => errorReason === 'opted_out' && origin !== 'import',
  );
  const [occurredAt = report.occurredAt] = [...failures, report].map((one) => one.occurredAt).sort();
  const statement =
    stating === undefined
      ? readFailure({ ...report, ...phone, occurredAt }, receivedAt)
      : readFailure({ kind, messageId, ...phone, ...stating }, stating.receivedAt);
  if (statement === undefined) return [];
  // Without the number nothing was known about the person before this answer.
  const times = before?.phone === undefined ? timesOfStatement(statement.at, receivedAt) : {};
  return [statement.phone, ...mayBe].map((one) => ({ ...statement, ...times, phone: one }));
}
