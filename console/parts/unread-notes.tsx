import type { Reply, StatusEvent } from '../../client/types.ts';
import { useWords } from '../viewer/preferences.tsx';
import type { Words } from '../words/english.ts';

type Doubt = Pick<StatusEvent, 'timeIs' | 'unread'>;

/** The fields that hold a number. It stays as received, and may be read in several ways, or in none. */
const numberFields: ReadonlySet<string> = new Set(['recipient', 'from', 'to']);

/** Describes what was not read exactly; one text for each value. */
export function doubtTexts({ timeIs, unread = {} }: Doubt, { unread: words }: Words): readonly string[] {
  const { occurredAt = '', ...others } = unread;
  const values = Object.entries(others).map(([field, text]) =>
    numberFields.has(field) ? words.number(text) : words.value(field, text),
  );
  if (timeIs === 'received') return [words.noTime, ...values];
  return timeIs === 'assumed' ? [words.noZone(occurredAt), ...values] : values;
}

/** Describes a reply apart from its words. */
function replyTexts(reply: Reply, words: Words): readonly string[] {
  const { channel, media = [], parts } = reply;
  const { unread } = words;
  return [
    ...(channel === undefined ? [] : [unread.channel(channel)]),
    ...(media.length === 0 ? [] : [unread.attachments(media.length)]),
    ...(parts === undefined || parts.isWhole ? [] : [partsText(parts, words)]),
    ...doubtTexts(reply, words),
  ];
}

function partsText({ received, total }: NonNullable<Reply['parts']>, { unread }: Words): string {
  if (total === 0) return unread.unknownParts;
  return received < total ? unread.parts(received, total) : unread.mixedParts;
}

/** Shows the texts of {@link replyTexts} below the words of a reply. */
export function ReplyNotes({ reply }: { readonly reply: Reply }) {
  const texts = replyTexts(reply, useWords());
  return (
    <>
      {texts.map((text) => (
        <span className="note" key={text}>
          {text}
        </span>
      ))}
    </>
  );
}
