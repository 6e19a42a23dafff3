import { checkSignature, type SignatureCheck } from '../functions/core/contract/check-signature.ts';
import { decodeEnvelope } from '../functions/core/envelope.ts';
import { type QuarantinedEntry, wasCaptured } from '../functions/core/quarantine.ts';
import { bodyOfEvent } from './replayable-body.ts';
import { type NotReplayable, type Reading, replayableRequest } from './replayable-request.ts';
import type { Secrets } from './secret-options.ts';

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
  readonly signature: SignatureCheck['result'] | undefined;
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
    outcome.readable ? outcome.event.kind : withField(outcome.reason, outcome.field),
  );
  return {
    becomes: [...new Set(outcomes)].sort(),
    isReplayable: 'envelope' in replayable && mapped.some(({ readable }) => readable),
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
): SignatureCheck['result'] | undefined {
  const { headers, url, raw, receivedAt } = entry;
  if (headers === undefined || url === undefined) return undefined;
  const at = Date.parse(receivedAt);
  const request = { headers, url, body: raw, masked: wasCaptured(entry) };
  return checkSignature(contract, request, secrets(at), at).result;
}

function withField(reason: string, field: string | undefined): string {
  return field === undefined ? reason : `${reason} (${field})`;
}
