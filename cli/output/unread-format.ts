import type { Unread } from '../../contract/schema/sms-event.ts';
import { formatCount } from '../../functions/base/basics.ts';
import type { ReplyEntry } from '../../functions/history/index.ts';
import { sanitize } from '../text/sanitize.ts';
import { showPhone, showText, type View } from './print.ts';

/** The fields that hold a number. It stays as received, and may be read in several ways, or in none. */
const numberFields: ReadonlySet<string> = new Set(['recipient', 'from', 'to']);

/** Describes what was not read exactly in a report or a reply; one text for each value, none if everything was read. */
export function doubtsOf({ timeIs, unread = {} }: Unread, view: Pick<View, 'reveal'>): string[] {
  const { occurredAt, ...others } = unread;
  const values = Object.entries(others).map(([field, text]) =>
    numberFields.has(field)
      ? `the number “${showPhone(text, view)}” may be another one`
      : `${field} not read: “${showText(text, view)}”`,
  );
  if (timeIs === 'received') {
    const why =
      occurredAt === undefined
        ? 'the service sent no time'
        : `the time “${sanitize(occurredAt)}” is after the receipt`;
    return [`${why}, so it is that of the receipt`, ...values];
  }
  if (timeIs === 'assumed')
    return [`the zone of the time “${sanitize(occurredAt ?? '')}” is not certain`, ...values];
  return values;
}

/** Describes a reply apart from its words: its channel, its media, its missing parts, and what was not read exactly. */
export function remarksOnReply(
  { channel, media = [], parts, ...entry }: ReplyEntry,
  view: Pick<View, 'reveal'>,
): string[] {
  return [
    ...(channel === undefined ? [] : [`by ${sanitize(channel)}`]),
    ...(media.length === 0 ? [] : [formatCount(media.length, 'attachment')]),
    ...(parts === undefined || parts.isWhole ? [] : [missingParts(parts)]),
    ...doubtsOf(entry, view),
  ];
}

function missingParts({ total, received }: NonNullable<ReplyEntry['parts']>): string {
  if (total === 0) return 'a part of a longer reply';
  return received < total
    ? `${received} of ${total} parts, the others have not arrived`
    : `${received} parts of more than one reply, which cannot be told apart`;
}
