import { diagnoseSignature, type SignatureDiagnosis } from '../../../contract/checks/diagnose-signature.ts';
import type { Secrets } from '../../../contract/discovery/captured/capture.ts';
import type { BoundedRange } from '../../../functions/lists/time-range.ts';
import { type QuarantinedEntry, wasCaptured } from '../../../functions/quarantine/quarantine.ts';
import { decodeEnvelope } from '../../../functions/webhook/envelope.ts';
import {
  bodyOfEvent,
  type NotReplayable,
  type Reading,
  replayableRequest,
} from '../../quarantine/replayable-request.ts';
import type { RereadMessage } from '../../stores/reread-message.ts';

/** What a contract makes of an entry; never what the entry holds. */
export interface RereadEntry {
  readonly id: string;
  /** Why it was kept, with the field that is about. */
  readonly reason: string;
  /** Hash of the contract it was received by. */
  readonly contract: string | undefined;
  /** The kinds of its events, or why there are none; each once. */
  readonly becomes: readonly string[];
  /** Whether a replay would send it, and any event of it could be read then. */
  readonly isReplayable: boolean;
  /** Why a replay would leave it where it is. */
  readonly stays?: NotReplayable;
  /** Of what was not verified when it came. */
  readonly signature: SignatureDiagnosis['kind'] | undefined;
}

/** Reasons that have nothing to do with how an entry is read. */
const notOfReading: ReadonlySet<string> = new Set(['message-full', 'storage-refused']);

/** Reads an entry of the quarantine by a contract, the deployed one or another; changes nothing. */
export function rereadEntry(entry: QuarantinedEntry, reading: Reading, secrets: Secrets): RereadEntry {
  const { id, field, contract } = entry;
  return {
    id,
    reason: withField(entry.reason, field),
    contract,
    ...(notOfReading.has(entry.reason)
      ? { becomes: [`${entry.reason}, whatever the contract`], isReplayable: false }
      : readBody(entry, reading)),
    signature: signatureOf(entry, reading, secrets),
  };
}

function readBody(
  entry: QuarantinedEntry,
  reading: Reading,
): Pick<RereadEntry, 'becomes' | 'isReplayable' | 'stays'> {
  const replayable = replayableRequest(entry, reading);
  const stays = 'stays' in replayable ? { stays: replayable.stays } : {};
  const body = bodyOf(entry, reading);
  if (body === undefined)
    return { becomes: ['no event that events.list finds'], isReplayable: false, ...stays };
  const mapped = reading.map(body, entry.signedId, entry.receivedAt);
  const outcomes = mapped.map((outcome) =>
    outcome.kind === 'event' ? outcome.event.kind : withField(outcome.reason, outcome.field),
  );
  return {
    becomes: [...new Set(outcomes)].sort(),
    isReplayable: 'envelope' in replayable && mapped.some(({ kind }) => kind === 'event'),
    ...stays,
  };
}

function bodyOf(
  { reason, index, raw }: QuarantinedEntry,
  { contract, map }: Reading,
): Uint8Array | undefined {
  if (reason === 'not-an-envelope') return decodeEnvelope(Buffer.from(raw).toString())?.body;
  return index === undefined ? raw : bodyOfEvent(raw, contract, map);
}

function signatureOf(
  entry: QuarantinedEntry,
  { contract }: Reading,
  secrets: Secrets,
): SignatureDiagnosis['kind'] | undefined {
  const { headers, url, raw, receivedAt } = entry;
  if (headers === undefined || url === undefined) return undefined;
  const at = Date.parse(receivedAt);
  const request = { headers, url, body: raw, masked: wasCaptured(entry) };
  return diagnoseSignature(contract, request, secrets(at), at).kind;
}

function withField(reason: string, field: string | undefined): string {
  return field === undefined ? reason : `${reason} (${field})`;
}

/** What was compared. */
export interface Diff extends BoundedRange {
  /** Hash of the contract that is compared. */
  readonly contract: string;
}

interface QuarantineGroup extends Omit<RereadEntry, 'id'> {
  readonly count: number;
  /** The ids of some, the newest first. */
  readonly examples: readonly string[];
}

export interface QuarantineDiff extends Diff {
  readonly entries: number;
  /** How many of them a replay would send that hold an event it reads. */
  readonly replayable: number;
  readonly groups: readonly QuarantineGroup[];
}

/** How many reports, or messages, share a change; null is no reason. */
export interface Counted {
  readonly from: string | null;
  readonly to: string | null;
  readonly count: number;
}

export interface HistoryDiff extends Diff {
  readonly messages: number;
  readonly reports: number;
  /** Whether there are more than were asked for: then these are any of them, not the newest. */
  readonly isPart: boolean;
  readonly changedReports: number;
  /** By the service's word. */
  readonly words: readonly (Counted & { readonly word: string })[];
  /** By the service's error code. */
  readonly codes: readonly (Counted & { readonly code: string })[];
  /** Of messages as a whole. */
  readonly statuses: readonly Counted[];
}

const maxExamples = 3;

export function quarantineDiff(
  contract: string,
  { since, until }: BoundedRange,
  entries: readonly RereadEntry[],
): QuarantineDiff {
  const groups = groupBy(entries, ({ id: _, ...group }) => group);
  return {
    contract,
    since,
    until,
    entries: entries.length,
    replayable: entries.filter(({ isReplayable }) => isReplayable).length,
    groups: groups.map(({ key: group, members }) => ({
      ...group,
      count: members.length,
      examples: members.slice(0, maxExamples).map(({ id }) => id),
    })),
  };
}

export function historyDiff(
  contract: string,
  { since, until }: BoundedRange,
  messages: readonly RereadMessage[],
  isPart: boolean,
): HistoryDiff {
  const changed = messages.flatMap((message) => message.changed);
  const words = changed.filter(({ status }) => status.from !== status.to);
  const codes = changed.flatMap(({ code, errorReason: { from = null, to = null } }) =>
    code === undefined || from === to ? [] : [{ code, from, to }],
  );
  return {
    contract,
    since,
    until,
    messages: messages.length,
    reports: messages.reduce((sum, { reports }) => sum + reports, 0),
    isPart,
    changedReports: changed.length,
    words: counted(words.map(({ word, status }) => ({ word, ...status }))),
    codes: counted(codes),
    statuses: counted(messages.flatMap(({ status }) => status ?? [])),
  };
}

function counted<T extends object>(changes: readonly T[]): (T & { readonly count: number })[] {
  return groupBy(changes, (change) => change).map(({ key, members }) => ({ ...key, count: members.length }));
}

/** Groups what has the same key, as JSON tells; the largest group first. */
function groupBy<T, K>(
  values: readonly T[],
  keyOf: (value: T) => K,
): { readonly key: K; readonly members: T[] }[] {
  const groups = new Map<string, { readonly key: K; readonly members: T[] }>();
  for (const value of values) {
    const key = keyOf(value);
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, members: [] };
    group.members.push(value);
    groups.set(name, group);
  }
  return [...groups.values()].sort((a, b) => b.members.length - a.members.length);
}
