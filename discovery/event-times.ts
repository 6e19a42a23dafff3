import { offsetFromUtc, utc } from '../contract/drift/unread-values.ts';
import type { EventsContract } from '../contract/schema/contract-schema.ts';
import { type ReadTime, readTime } from '../contract/text/time.ts';
import { type Proposal, proposal } from './proposal.ts';

/** A time of a captured event, and when its request was received. */
export interface SeenTime {
  readonly text: string;
  /** ISO 8601 in UTC; undefined if the capture does not say it. */
  readonly receivedAt: string | undefined;
}

/** What captured times show about their zone. */
export interface TimeZoneFinding {
  /** The proposal for `events.timeZone`. Undefined if the times name their zones, or the contract's zone fits. */
  readonly zone?: Proposal;
  /** Why no time field is certain. Undefined if the zone of each time is known. */
  readonly doubt?: string;
}

const key = 'events.timeZone';
const betterName =
  'the name of the zone, such as "America/New_York", is better, because an offset is right only until the clocks change';

/**
 * Compares captured times with the receipts of their requests. Services report within a minute, so times that differ from the receipts by the
 * same whole quarters of an hour are of another zone.
 */
export function proposeTimeZone(
  times: readonly SeenTime[],
  { timeFormat, timeZone }: Pick<EventsContract, 'timeFormat' | 'timeZone'>,
): TimeZoneFinding {
  const read = times.flatMap(({ text, receivedAt }) => {
    const asUtc = readTime(timeFormat, text, null);
    return asUtc === undefined ? [] : [{ text, receivedAt, asUtc }];
  });
  const withoutZone = read.filter(({ asUtc }) => asUtc.zone === 'assumed');
  if (withoutZone.length === 0) return doubtOfWrittenZone(read);
  const compared = withoutZone.flatMap(({ receivedAt, ...time }) =>
    receivedAt === undefined ? [] : [{ ...time, receivedAt }],
  );
  const dated = compared
    .flatMap(({ text, asUtc, receivedAt }) => {
      const offset = offsetFromUtc(asUtc.iso, receivedAt);
      return offset === undefined ? [] : [{ text, receivedAt, offset }];
    })
    .sort((a, b) => (a.receivedAt < b.receivedAt ? -1 : 1));
  const fits = ({ text, receivedAt }: { readonly text: string; readonly receivedAt: string }) =>
    isNear(readTime(timeFormat, text, timeZone), receivedAt);
  if (timeZone !== null && dated.every(fits)) return {};
  const doubt = 'its times have no zone';
  if (compared.length === 0)
    return {
      zone: proposal(key, timeZone, false, {
        note: 'the times have no zone, and the captures do not say when they were received: without a zone they are read as UTC and marked as assumed',
      }),
      doubt,
    };
  if (dated.length * 2 < compared.length)
    return {
      zone: proposal(key, timeZone, false, {
        note: 'the times have no zone, and their distance to the receipts differs: without a zone they are read as UTC and marked as assumed',
      }),
      doubt,
    };
  return { zone: proposeOffset(dated, compared.length, timeZone), doubt };
}

/** @param dated ordered by receipt; at least one @param count how many times were compared */
function proposeOffset(
  dated: readonly { readonly receivedAt: string; readonly offset: string }[],
  count: number,
  timeZone: string | null,
): Proposal {
  const changes = dated.filter(({ offset }, index) => index > 0 && offset !== dated[index - 1]?.offset);
  const newest = dated.at(-1)?.offset ?? utc;
  const [first] = dated;
  const [change, ...others] = changes;
  if (change === undefined) {
    const share = dated.length === count ? '' : ` (${dated.length} of ${count} times)`;
    const note =
      newest === utc
        ? `these times look like UTC${share}: in winter London looks the same`
        : `these times look like UTC${newest}${share}: ${betterName}`;
    return proposal(key, newest === utc ? 'UTC' : newest, false, { note });
  }
  if (
    others.length === 0 &&
    first !== undefined &&
    Math.abs(minutesOf(newest) - minutesOf(first.offset)) === 60
  )
    return proposal(key, newest, false, {
      note: `these times look like UTC${first.offset} before ${change.receivedAt.slice(0, 10)} and like UTC${newest} after it, as where the clocks change: only the name of the zone, such as "America/New_York", reads both`,
    });
  const offsets = [...new Set(dated.map(({ offset }) => `UTC${offset}`))].sort();
  return proposal(key, timeZone, false, {
    note: `these times look like several zones: ${offsets.join(', ')}`,
  });
}

/** Reports times that name a zone and are not of that zone: some gateways write `Z`, an offset of zero or a Unix time for a local time. */
function doubtOfWrittenZone(
  read: readonly { readonly asUtc: ReadTime; readonly receivedAt: string | undefined }[],
): TimeZoneFinding {
  const offsets = new Set(
    read.flatMap(({ asUtc, receivedAt }) =>
      receivedAt === undefined ? [] : [offsetFromUtc(asUtc.iso, receivedAt)],
    ),
  );
  const [offset, ...others] = offsets;
  return offset !== undefined && others.length === 0 && offset !== utc
    ? {
        doubt: `its times name a zone, and are ${offset} away from the receipts: does the service write local times?`,
      }
    : {};
}

const maxAheadMs = 5 * 60_000;

/** Reports whether a request was received soon after a time. */
function isNear(time: ReadTime | undefined, receivedAt: string): boolean {
  if (time === undefined) return false;
  const delayMs = Date.parse(receivedAt) - Date.parse(time.iso);
  return delayMs >= -maxAheadMs && delayMs <= maxAheadMs;
}

function minutesOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
