import { checkSignature, type SignatureCheck } from '../functions/core/contract/check-signature.ts';
import { decodeEnvelope } from '../functions/core/envelope.ts';
import type { QuarantinedEntry } from '../functions/core/quarantine.ts';
import { bodyOfEvent } from './replayable-body.ts';
import type { Reading } from './replayable-request.ts';
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
  /** Whether any event of it could be read. */
  readonly isReadable: boolean;
  /** Of what was not verified when it came. */
  readonly signature: SignatureCheck['result'] | undefined;
}

/** Reasons that have nothing to do with how an entry is read. */
const notOfReading: ReadonlySet<string> = new Set(['message-full', 'storage-refused']);

/** Reads an entry of the quarantine by a contract, the deployed one or another; changes nothing. */
export function rereadEntry(entry: QuarantinedEntry, reading: Reading, secrets: Secrets): RereadEntry {
  const { id, field, contract } = entry;
  const read = readBody(entry, reading);
  return {
    id,
    reason: withField(entry.reason, field),
    contract,
    ...read,
    ...(notOfReading.has(entry.reason)
      ? { becomes: [`${entry.reason}, whatever the contract`], isReadable: false }
      : {}),
    signature: signatureOf(entry, reading, secrets),
  };
}

function readBody(
  entry: QuarantinedEntry,
  { contract, map }: Reading,
): Pick<RereadEntry, 'becomes' | 'isReadable'> {
  const body = bodyOf(entry, { contract, map });
  if (body === undefined) return { becomes: ['no event that events.list finds'], isReadable: false };
  const mapped = map(body, entry.signedId, entry.receivedAt);
  const outcomes = mapped.map((outcome) =>
    outcome.readable ? outcome.event.kind : withField(outcome.reason, outcome.field),
  );
  return {
    becomes: [...new Set(outcomes)].sort(),
    isReadable: mapped.some(({ readable }) => readable),
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
  { reason, headers, url, raw, receivedAt }: QuarantinedEntry,
  { contract }: Reading,
  secrets: Secrets,
): SignatureCheck['result'] | undefined {
  if (headers === undefined || url === undefined) return undefined;
  const at = Date.parse(receivedAt);
  const request = { headers, url, body: raw, masked: reason === 'captured' };
  return checkSignature(contract, request, secrets(at), at).result;
}

function withField(reason: string, field: string | undefined): string {
  return field === undefined ? reason : `${reason} (${field})`;
}
