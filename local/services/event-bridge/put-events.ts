import * as z from 'zod';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { ACCOUNT, REGION } from '../../aws-protocol/call.ts';
import { parseJson } from '../../aws-protocol/http.ts';
import { type Envelope, envelopeTime } from './events.ts';

const MAX_ENTRIES = 10;
const MAX_BYTES = 256 * 1024;
/** The size of an entry's time (EventBridge User Guide, "Calculating PutEvents event entry size"). */
const TIME_BYTES = 14;

const text = z.string().optional();

const entry = z.looseObject({
  Source: text,
  DetailType: text,
  Detail: text,
  EventBusName: text,
  /** Seconds since the epoch, up to the year 9999. */
  Time: z.number().min(0).max(253_402_300_799).optional(),
  Resources: z.array(z.string()).default([]),
});

type Entry = z.output<typeof entry>;

const detailSchema = z.record(z.string(), z.unknown());

const request = z.looseObject({ Entries: z.array(entry).min(1) });

/** The outcome of an entry, as PutEvents answers it. */
export type EntryResult =
  | { readonly EventId: string }
  | { readonly ErrorCode: string; readonly ErrorMessage: string };

/**
 * Reads a request of PutEvents.
 *
 * @throws AwsError ValidationException for more than 10 entries or 256 KiB; all entries are refused then
 * @throws ZodError
 */
export function readEntries(input: unknown): readonly Entry[] {
  const { Entries } = request.parse(input);
  if (Entries.length > MAX_ENTRIES) {
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length less than or equal to ${MAX_ENTRIES}`,
    );
  }
  const bytes = Entries.reduce((sum, one) => sum + sizeOf(one), 0);
  if (bytes > MAX_BYTES) {
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
  }
  return Entries;
}

/** Makes the event of an entry, or the error of an invalid entry. */
export function envelopeOf(
  { Source, DetailType, Detail, Time, Resources }: Entry,
  id: string,
  nowMs: number,
): Envelope | { readonly ErrorCode: string; readonly ErrorMessage: string } {
  if (!Source) return missing('Source');
  if (!DetailType) return missing('DetailType');
  if (!Detail) return missing('Detail');
  if (Source.startsWith('aws.')) {
    return entryError('NotAuthorizedForSourceException', 'Not authorized for the source.');
  }
  const { data: detail } = detailSchema.safeParse(parseJson(Detail));
  if (!detail) return entryError('MalformedDetail', 'Detail is malformed.');
  return {
    version: '0',
    id,
    'detail-type': DetailType,
    source: Source,
    account: ACCOUNT,
    time: envelopeTime(Time === undefined ? nowMs : Time * 1000),
    region: REGION,
    resources: Resources,
    detail,
  };
}

export function entryError(ErrorCode: string, ErrorMessage: string) {
  return { ErrorCode, ErrorMessage };
}

function missing(name: string) {
  return entryError(
    'InvalidArgument',
    `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
  );
}

function sizeOf({ Source, DetailType, Detail, Time, Resources }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  const bytes = texts.reduce((sum, part) => sum + Buffer.byteLength(part ?? ''), 0);
  return bytes + (Time === undefined ? 0 : TIME_BYTES);
}
