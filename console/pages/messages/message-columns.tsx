import { useMemo } from 'react';
import type { Message } from '../../../client/types.ts';
import type { Column } from '../../parts/column.ts';
import { MessageLink, NumberLink, SendLink } from '../../parts/entry-links.tsx';
import { Status, useReasonText } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { decisionOf } from '../../rules/deciding-report.ts';
import { useWords } from '../../viewer/preferences.tsx';

/** The columns of lists of messages. @param time which time the list is in the order of */
export function useMessageColumns(time: 'statusAt' | 'firstSeenAt'): readonly Column<Message>[] {
  const { columns } = useWords();
  const reasonText = useReasonText();
  return useMemo(
    () => [
      {
        id: 'message',
        header: columns.message,
        text: ({ messageId }) => messageId,
        cell: (entry) => <MessageLink messageId={entry.messageId} />,
      },
      {
        id: 'status',
        header: columns.status,
        text: ({ status }) => status,
        cell: (entry) => <Status status={entry.status} />,
      },
      {
        id: 'number',
        header: columns.number,
        text: ({ phone }) => phone ?? '',
        cell: (original) =>
          original.phone === null ? (
            '–'
          ) : (
            <NumberLink number={original.phone} of={`m~${original.messageId}`} />
          ),
      },
      {
        id: 'reason',
        header: columns.reason,
        text: (message) => reasonText(decisionOf(message)?.report),
        cell: (_, text) => text,
      },
      {
        id: 'send',
        header: columns.send,
        text: ({ sendId }) => sendId ?? '',
        cell: (original) => (original.sendId === null ? '' : <SendLink sendId={original.sendId} />),
      },
      {
        id: 'time',
        header: time === 'statusAt' ? columns.statusAt : columns.firstSeen,
        text: (message) => message[time],
        cell: (_, text) => <Time at={text} />,
      },
    ],
    [columns, reasonText, time],
  );
}

export const keyOfMessage = ({ messageId }: Message) => messageId;
