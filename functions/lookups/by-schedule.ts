import pMap from 'p-map';
import type { LookupQuestion } from '../../contract/lookups/lookup-request.ts';
import type { LookupsContract } from '../../contract/schema/contract-schema.ts';
import { type Deadline, omitUndefined } from '../base/basics.ts';
import type { SmsServiceError } from '../base/sms-service/request.ts';
import { CursorError, type HistoryLists, type Message } from '../history/index.ts';
import { type ApplyDependencies, applyAnswers } from './apply-answers.ts';
import type { LookupState, LookupStateStore } from './lookup-state-store.ts';
import {
  addCounts,
  type Counts,
  keepDays,
  nextSpan,
  noCounts,
  type Pass,
  type Progress,
  passesOf,
} from './passes.ts';
import { isAboutOneMessage, isAboutOneRequest, reasonOf } from './problems.ts';
import type { ServiceLookups } from './service-lookups-client.ts';
import { type Position, step } from './walk.ts';

export interface ScheduleDependencies extends ApplyDependencies {
  /** The name of the source that is asked. */
  readonly source: string;
  readonly lookups: ServiceLookups;
  readonly contract: LookupsContract;
  readonly pending: HistoryLists['pending'];
  readonly state: LookupStateStore;
  /** 0 if messages never become stale. */
  readonly staleAfterHours: number;
}

/** Thrown at the end of a run that the service refused. The message holds the kind of the error only. */
export class LookupsRefusedError extends Error {
  override readonly name = 'LookupsRefusedError';

  constructor(reason: string) {
    super(`the service did not answer a lookup: ${reason}`);
  }
}

/** So many pending messages are asked about before the progress is stored. */
const chunkSize = 20;
const maxConcurrentQuestions = 10;
/** After so many runs without an answer at one place, which take a day, a pass goes on behind it. */
const maxFailures = 96;

/** Why a run ended before its work was done: it goes on later, or the service refused it. */
interface Stop {
  readonly kind: 'later' | 'error';
  readonly reason: string;
}

/** The result of one request: a page, with the next one if there is one, or no answer. */
type Outcome =
  | { readonly kind: 'page'; readonly counts: Counts; readonly next: Position | undefined }
  | { readonly kind: 'refused'; readonly error: SmsServiceError };

/**
 * One run of the schedule. It goes on with each pass where the run before ended, until all passes are up to date, the time is over, or the
 * service asks to wait. The progress is stored after each page, so the next run goes on there.
 *
 * @throws LookupsRefusedError if the service refused a request; as the database
 */
export async function lookUpBySchedule(
  dependencies: ScheduleDependencies,
  deadline: Deadline,
): Promise<void> {
  const {
    source,
    lookups,
    contract,
    pending,
    state: store,
    staleAfterHours,
    clock,
    log,
    count,
  } = dependencies;
  let state: LookupState = await store.read();
  let requests = 0;
  let total = noCounts;
  let stopped: Stop | undefined;
  let failed: string | undefined;
  const passes = passesOf(contract, staleAfterHours);
  const names = new Set(passes.map(({ name }) => name));

  async function save(pass: Pass, progress: Progress, days = state.days): Promise<void> {
    // The passes of an earlier contract or setting are dropped.
    const kept = Object.entries(state.progress).filter(([name]) => names.has(name));
    state = { ...state, progress: { ...Object.fromEntries(kept), [pass.name]: progress }, days };
    await store.write(state);
  }

  /** Takes note that the service did not answer at a place of a pass. Other passes go on. @param behind the progress behind that place */
  async function failAt(pass: Pass, open: Span, error: SmsServiceError, behind: Progress): Promise<void> {
    failed ??= reasonOf(error);
    const failures = (open.failures ?? 0) + 1;
    if (failures < maxFailures) return save(pass, { open: { ...open, failures } });
    log('LOOKUPS_SKIPPED', { pass: pass.name, since: open.since, until: open.until });
    await save(pass, behind);
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
      else if (!isAboutOneRequest(error)) stopped ??= { kind: 'error', reason };
      return { kind: 'refused', error };
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

  /** Asks until the last page. @returns the error if the service did not answer, and the message is not the reason */
  async function askAllPages(question: LookupQuestion): Promise<SmsServiceError | undefined> {
    let position: Position | undefined;
    while (mayContinue()) {
      const outcome = await ask(question, position);
      // A message that the service does not know is left out, so that it does not keep the others waiting.
      if (outcome.kind === 'refused') return isAboutOneMessage(outcome.error) ? undefined : outcome.error;
      if (outcome.next === undefined) return undefined;
      position = outcome.next;
    }
    return undefined;
  }

  /** Asks about some of the messages of a span that are still pending. @returns false if the service answered none of the questions */
  async function askAboutPending(pass: Pass, span: Span): Promise<boolean> {
    const { since, until, cursor } = span;
    const request = { limit: chunkSize, ...(cursor !== undefined && { cursor }) };
    const page = await pending({ since, until, source }, request).catch((error: unknown) => {
      if (error instanceof CursorError && cursor !== undefined) return undefined;
      throw error;
    });
    if (page === undefined) {
      // The number of shards has changed since the last run, so the span begins again.
      await save(pass, { open: { since, until } });
      return true;
    }
    // No more than the service accepts in a second, so that none waits for its turn until the run is over.
    const concurrency = Math.min(maxConcurrentQuestions, Math.ceil(contract.requestsPerSecond));
    const errors = await pMap(questionsAbout(page.entries, contract), askAllPages, { concurrency });
    if (stopped !== undefined) return false;
    const behind =
      page.next === undefined ? { doneUntil: until } : { open: { since, until, cursor: page.next } };
    const [error] = errors;
    // One message may break the service. If all do, the service is down, or the key may not ask.
    if (error !== undefined && errors.every((one) => one !== undefined)) {
      await failAt(pass, span, error, behind);
      return false;
    }
    await save(pass, behind);
    return true;
  }

  /** Asks for one page of the messages of a span. @returns false if the service did not answer */
  async function listMessages(pass: Pass, span: Span): Promise<boolean> {
    const { since, until, position, counts = noCounts, failures } = span;
    const outcome = await ask({ operation: 'list', since, until }, position);
    if (outcome.kind === 'refused') {
      // An address of a next page that cannot be requested is given up like one that has expired.
      const isBadPlace = outcome.error.kind === 'not-sent' && position !== undefined;
      if (stopped !== undefined && !isBadPlace) return false;
      const [, ...otherSends] = position?.sends ?? [];
      if (position?.sends?.length && outcome.error.kind !== 'server') {
        // A send that the service refuses is left out.
        const { sendPage: _, sendPages: __, ...rest } = position;
        await save(pass, { open: { ...span, position: { ...rest, sends: otherSends } } });
        return true;
      }
      // The place in the list may have expired, so the next run begins the span again.
      const open = { since, until, ...(failures !== undefined && { failures }) };
      await failAt(pass, open, outcome.error, { doneUntil: until });
      return false;
    }
    const all = addCounts(counts, outcome.counts);
    if (outcome.next !== undefined)
      await save(pass, {
        open: {
          since,
          until,
          position: outcome.next,
          counts: all,
          ...(failures !== undefined && { failures }),
        },
      });
    else {
      // Each list finds what was lost by then; the last one counts the messages.
      const found = pass.isLast ? all : { ...all, listed: 0 };
      await save(pass, { doneUntil: until }, keepDays(state.days, since, found));
    }
    return true;
  }

  // One time for the whole run: otherwise each pass would go on with the moments that went by meanwhile, and never end.
  const now = clock();
  // One pass may need the time of many runs, so the run after one whose time was over begins with another pass.
  let { stoppedAt } = state;
  const first = passes.findIndex(({ name }) => name === stoppedAt) + 1;
  for (const pass of [...passes.slice(first), ...passes.slice(0, first)]) {
    const wholeDays = pass.kind === 'list' && contract.list?.spanFormat === 'date';
    while (mayContinue()) {
      const progress: Progress = state.progress[pass.name] ?? {};
      const { doneUntil, open } = progress;
      const span = nextSpan(progress, pass, now, wholeDays);
      if (span === undefined) break;
      if (open === undefined && doneUntil !== undefined && doneUntil < span.since) {
        log('LOOKUPS_SKIPPED', { pass: pass.name, since: doneUntil, until: span.since });
        // The span is saved first, so that later runs leave out and log nothing more until it is done.
        await save(pass, { open: span });
      }
      stoppedAt = pass.name;
      const work = pass.kind === 'pending' ? askAboutPending : listMessages;
      if (!(await work(pass, span))) break;
    }
  }

  if (requests > 0) count('lookupRequests', requests);
  log('LOOKUPS_DONE', { requests, ...total });
  // After 429 the order remains, because it needs the fewest requests if lists come first.
  if (stopped?.reason !== 'time' && stopped?.reason !== 'timeout') stoppedAt = undefined;
  if (stopped === undefined && failed !== undefined) stopped = { kind: 'error', reason: failed };
  const stoppedBy = stopped?.reason;
  if (stoppedBy !== state.stoppedBy || stoppedAt !== state.stoppedAt) {
    const { stoppedBy: _, stoppedAt: __, ...rest } = state;
    await store.write({ ...rest, ...omitUndefined({ stoppedBy, stoppedAt }) });
  }
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
