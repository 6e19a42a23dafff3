import type * as z from 'zod';
import type { LookupQuestion } from '../../contract/lookups/lookup-request.ts';
import type { Deadline } from '../base/basics.ts';
import { type AppliedChange, type ApplyDependencies, applyAnswers } from './apply-answers.ts';
import type { LookupStateStore } from './lookup-state-store.ts';
import { historyIdOf } from './one-source.ts';
import { addCounts, noCounts } from './passes.ts';
import { reasonOf } from './problems.ts';
import type { ServiceLookups } from './service-lookups-client.ts';
import type { LookupAnswer, LookupStatus, lookupRequest } from './shapes.ts';
import { type Position, step } from './walk.ts';

export interface RequestDependencies extends ApplyDependencies {
  /** The name of the source that is asked. */
  readonly source: string;
  readonly lookups: ServiceLookups;
}

type Question = Exclude<z.output<typeof lookupRequest>, { readonly action: 'status' }>;

/** An answer of Lambda holds 6 MB, and a person reads fewer changes than this. */
const maxChanges = 100;

/**
 * Asks the service once, on behalf of a person, until the last page, the deadline or an error. The caller goes on at `position`. An error after
 * the first page is the answer to that next request, so that the counts of the pages before it are not lost.
 */
export async function lookUpByRequest(
  request: Question,
  dependencies: RequestDependencies,
  deadline: Deadline,
): Promise<LookupAnswer> {
  const question = questionOf(request, dependencies.source);
  let counts = noCounts;
  let kept = 0;
  let unreadable = 0;
  const changes: AppliedChange[] = [];
  let position: Position | undefined = request.position;
  let pages = 0;
  do {
    const result = await step(dependencies.lookups, question, position);
    if (result.kind === 'error') {
      if (pages > 0) break;
      return {
        error: { kind: result.error.kind, message: `${result.error.operation}: ${reasonOf(result.error)}` },
      };
    }
    pages += 1;
    const applied = await applyAnswers(result.value.reports, dependencies, request.dryRun);
    counts = addCounts(counts, applied);
    kept += applied.kept;
    unreadable += result.value.unreadable.length;
    changes.push(...applied.changes.slice(0, maxChanges - changes.length));
    position = result.value.next;
  } while (position !== undefined && !deadline.isOver());
  return { ...counts, kept, unreadable, changes, ...(position !== undefined && { position }) };
}

function questionOf(request: Question, source: string): LookupQuestion {
  switch (request.action) {
    case 'message':
      return { operation: 'message', messageId: historyIdOf(source, request.messageId) };
    case 'send':
      return { operation: 'send', sendId: historyIdOf(source, request.sendId) };
    case 'span':
      return { operation: 'list', since: request.since, until: request.until };
  }
}

/** Returns how far the schedule has gone, and what it found. */
export async function readStatus(state: LookupStateStore): Promise<LookupStatus> {
  const { days, progress, stoppedBy } = await state.read();
  const doneUntil = Object.entries(progress).flatMap(([name, { doneUntil, open }]) => {
    const at = open?.since ?? doneUntil;
    return at === undefined ? [] : [[name, at] as const];
  });
  return { days, doneUntil: Object.fromEntries(doneUntil), ...(stoppedBy !== undefined && { stoppedBy }) };
}
