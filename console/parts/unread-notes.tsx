import type { Reply, StatusEvent } from '../../client/types.ts';
import { useWords } from '../viewer/preferences.tsx';
import type { Words } from '../words/english.ts';

type Doubt = Pick<StatusEvent, 'timeIs' | 'unread'>;

/** Describes what was not read exactly; one text for each value. */
export function doubtTexts({ timeIs, unread = {} }: Doubt, { unread: words }: Words): readonly string[] {
  const { occurredAt = '', ...others } = unread;
  const values = Object.entries(others).map(([field, text]) => words.value(field, text));
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
    ...(parts === undefined || parts.isWhole
      ? []
      : [parts.received < parts.total ? unread.parts(parts.received, parts.total) : unread.mixedParts]),
    ...doubtTexts(reply, words),
  ];
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
