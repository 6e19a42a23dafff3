import pMap from 'p-map';
import type { LookupQuestion } from '../../contract/lookups/lookup-request.ts';
import type { LookupsContract } from '../../contract/schema/contract-schema.ts';
import type { Deadline } from '../base/basics.ts';
import { CursorError, type HistoryLists, type Message } from '../history/index.ts';
import { type ApplyDependencies, applyAnswers } from './apply-answers.ts';
import {
  addCounts,
  type Counts,
  keepDays,
  nextSpan,
  nothing,
  type Pass,
  type Progress,
  passesOf,
} from './passes.ts';
import { isAboutOneRequest, reasonOf } from './problems.ts';
import type { ReconcilerState, ReconcilerStateStore } from './reconciler-state-store.ts';
import type { ServiceLookups } from './service-lookups-client.ts';
import { type Position, step } from './walk.ts';

export interface ScheduleDependencies extends ApplyDependencies {
  readonly lookups: ServiceLookups;
  readonly contract: LookupsContract;
  readonly pending: HistoryLists['pending'];
  readonly state: ReconcilerStateStore;
  /** 0 if messages never become stale. */
  readonly staleAfterHours: number;
}

/** Thrown at the end of a run that the service refused. The message holds the kind of the error only. */
export class LookupsRefusedError extends Error {
  override readonly name = 'LookupsRefusedError';

  constructor(reason: string) {
    super(`the service did not answer a look-up: ${reason}`);
  }
}

/** So many pending messages are asked about before the progress is stored. */
const chunkSize = 20;
const maxConcurrentQuestions = 10;
/** So many answers of 5xx end a run. */
const maxBrokenAnswers = 3;

/** Why a run ended before its work was done: it goes on later, or the service refused it. */
interface Stop {
  readonly kind: 'later' | 'error';
  readonly reason: string;
}

/** The result of one request: a page, with the next one if there is one, or no answer. */
type Outcome =
  | { readonly kind: 'page'; readonly counts: Counts; readonly next: Position | undefined }
  | { readonly kind: 'refused'; readonly reason: string; readonly isAboutOneRequest: boolean };

/**
 * One run of the schedule. It goes on with each pass where the run before ended, until all passes are up to date, the time is over, or the
 * service asks to wait. The progress is stored after each page, so the next run goes on there.
 *
 * @throws LookupsRefusedError if the service refused a request; as the database
 */
export async function reconcileBySchedule(
  dependencies: ScheduleDependencies,
  deadline: Deadline,
): Promise<void> {
  const { lookups, contract, pending, state: store, staleAfterHours, clock, log, count } = dependencies;
  let state: ReconcilerState = await store.read();
  let requests = 0;
  let total = nothing;
  let stopped: Stop | undefined;
  let failedList: string | undefined;
  let brokenAnswers = 0;

  async function save(pass: Pass, progress: Progress, days = state.days): Promise<void> {
    state = { progress: { ...state.progress, [pass.name]: progress }, days };
    await store.write(state);
  }

  /** Sends one request, and stores what its answer adds. */
  async function ask(question: LookupQuestion, position: Position | undefined): Promise<Outcome> {
    requests += 1;
    const result = await step(lookups, question, position);
    if (result.kind === 'error') {
      const { error } = result;
      const reason = reasonOf(error);
      log('LOOKUP_FAILED', { reason });
      if (error.kind === 'too-many-requests') stopped ??= { kind: 'later', reason };
      else if (error.kind === 'server') {
        // One message may break the service; several broken answers are an outage.
        brokenAnswers += 1;
        if (brokenAnswers === maxBrokenAnswers) stopped ??= { kind: 'error', reason };
      } else if (!isAboutOneRequest(error)) stopped ??= { kind: 'error', reason };
      const isOfRequest = isAboutOneRequest(error) || error.kind === 'server' || error.kind === 'not-sent';
      return { kind: 'refused', reason, isAboutOneRequest: isOfRequest };
    }
    const { reports, unreadable, next } = result.value;
    if (unreadable.length > 0)
      log('LOOKUP_UNREADABLE', { messages: unreadable.length, first: unreadable[0] ?? '' });
    const counts = await applyAnswers(reports, dependencies);
    total = addCounts(total, counts);
    return { kind: 'page', counts, next };
  }

  function mayContinue(): boolean {
    if (stopped === undefined && deadline.isOver()) stopped = { kind: 'later', reason: 'time' };
    return stopped === undefined;
  }

  /** Asks until the last page. A message that the service refuses must not keep the others waiting, so its refusal is the end too. */
  async function askWholly(question: LookupQuestion): Promise<void> {
    let position: Position | undefined;
    while (mayContinue()) {
      const outcome = await ask(question, position);
      if (outcome.kind === 'refused' || outcome.next === undefined) return;
      position = outcome.next;
    }
  }

  /** Asks about some of the messages of a span that are still pending. */
  async function askAboutPending(pass: Pass, { since, until, cursor }: Span): Promise<void> {
    const request = { limit: chunkSize, ...(cursor !== undefined && { cursor }) };
    const page = await pending({ since, until }, request).catch((error: unknown) => {
      if (error instanceof CursorError && cursor !== undefined) return undefined;
      throw error;
    });
    if (page === undefined) {
      // The lists were split anew since the last run, so the span begins again.
      await save(pass, { open: { since, until } });
      return;
    }
    // No more than the service accepts in a second, so that none waits for its turn until the run is over.
    const concurrency = Math.min(maxConcurrentQuestions, Math.ceil(contract.requestsPerSecond));
    await pMap(questionsAbout(page.entries, contract), askWholly, { concurrency });
    if (stopped !== undefined) return;
    await save(
      pass,
      page.next === undefined ? { doneUntil: until } : { open: { since, until, cursor: page.next } },
    );
  }

  /** Asks for one page of the messages of a span. @returns false if the list failed, which ends its pass and no other */
  async function listMessages(
    pass: Pass,
    { since, until, position, counts = nothing }: Span,
  ): Promise<boolean> {
    const outcome = await ask({ operation: 'list', since, until }, position);
    if (outcome.kind === 'refused') {
      failedList ??= outcome.reason;
      // The place in the list may have expired, so the next run begins the span again.
      if (position !== undefined && outcome.isAboutOneRequest) await save(pass, { open: { since, until } });
      return false;
    }
    const all = addCounts(counts, outcome.counts);
    if (outcome.next !== undefined)
      await save(pass, { open: { since, until, position: outcome.next, counts: all } });
    else {
      // Each list finds what was lost by then; the last one counts the messages.
      const found = pass.isLast ? all : { ...all, listed: 0 };
      await save(pass, { doneUntil: until }, keepDays(state.days, since, found));
    }
    return true;
  }

  // One time for the whole run: otherwise each pass would go on with the moments that went by meanwhile, and never end.
  const now = clock();
  for (const pass of passesOf(contract, staleAfterHours)) {
    const wholeDays = pass.kind === 'list' && contract.list?.spanFormat === 'date';
    while (mayContinue()) {
      const span = nextSpan(state.progress[pass.name] ?? {}, pass, now, wholeDays);
      if (span === undefined) break;
      if (pass.kind === 'pending') await askAboutPending(pass, span);
      else if (!(await listMessages(pass, span))) break;
    }
  }

  if (requests > 0) count('lookupRequests', requests);
  log('LOOKUPS_DONE', { requests, ...total });
  if (stopped === undefined && failedList !== undefined) stopped = { kind: 'error', reason: failedList };
  if (stopped === undefined) return;
  count(stopped.kind === 'error' ? 'lookupsFailed' : 'lookupsUnfinished');
  log('LOOKUPS_STOPPED', { reason: stopped.reason });
  if (stopped.kind === 'error') throw new LookupsRefusedError(stopped.reason);
}

type Span = NonNullable<Progress['open']>;

/** Returns the questions about pending messages: one for each message, or for each of their sends if the service cannot be asked for one message. */
function questionsAbout(messages: readonly Message[], { message }: LookupsContract): LookupQuestion[] {
  if (message !== null) return messages.map(({ messageId }) => ({ operation: 'message', messageId }));
  const sends = messages.flatMap(({ sendId }) => sendId ?? []);
  return [...new Set(sends)].map((sendId) => ({ operation: 'send', sendId }));
}
