import { decisionOf } from '../../../client/deciding-report.ts';
import type { Message } from '../../../client/types.ts';
import { type Column, csvOnly, numberColumn, pageOnly, timeColumn } from '../../parts/column.tsx';
import { MessageLink, SendLink } from '../../parts/entry-links.tsx';
import { ReasonText, Status } from '../../parts/status.tsx';
import { durationText } from '../../rules/time-text.ts';
import { useNow } from '../../viewer/now.ts';

const message: Column<Message> = {
  id: 'message',
  header: ({ columns }) => columns.message,
  csv: ({ messageId }) => messageId,
  page: { width: 'minmax(78px, 1fr)', cell: ({ messageId }) => <MessageLink messageId={messageId} /> },
};

const status: Column<Message> = {
  id: 'status',
  header: ({ columns }) => columns.status,
  csv: (entry) => entry.status,
  page: { width: '132px', cell: (entry) => <Status status={entry.status} /> },
};

const number = numberColumn<Message>(
  ({ columns }) => columns.number,
  ({ phone, messageId }) => ({ number: phone, of: `m~${messageId}` }),
);

const reason: Column<Message> = {
  id: 'reason',
  header: ({ columns }) => columns.reason,
  csv: (entry) => decisionOf(entry)?.report.errorReason ?? '',
  page: { width: 'minmax(150px, 2fr)', cell: (entry) => <ReasonText report={decisionOf(entry)?.report} /> },
};

const code: Column<Message> = {
  id: 'code',
  header: ({ columns }) => columns.code,
  csv: (entry) => decisionOf(entry)?.report.errorCode ?? '',
};

/** The cost and the route, which only the CSV has. */
const costAndRoute: readonly Column<Message>[] = [
  { id: 'price', header: ({ columns }) => columns.price, csv: ({ price }) => price ?? '' },
  { id: 'currency', header: ({ columns }) => columns.currency, csv: ({ currency }) => currency ?? '' },
  {
    id: 'segments',
    header: ({ columns }) => columns.segments,
    csv: ({ segments }) => (segments === undefined ? '' : String(segments)),
  },
  { id: 'network', header: ({ columns }) => columns.network, csv: ({ network }) => network ?? '' },
  { id: 'carrier', header: ({ columns }) => columns.carrier, csv: ({ carrier }) => carrier ?? '' },
];

const send: Column<Message> = {
  id: 'send',
  header: ({ columns }) => columns.send,
  csv: ({ sendId }) => sendId ?? '',
  page: {
    width: 'minmax(56px, 0.8fr)',
    cell: ({ sendId }) => (sendId === null ? '' : <SendLink sendId={sendId} />),
  },
};

const since = pageOnly(
  timeColumn<Message>(
    ({ columns }) => columns.statusAt,
    ({ statusAt }) => statusAt,
  ),
);

const firstSeen = pageOnly(
  timeColumn<Message>(
    ({ columns }) => columns.firstSeen,
    ({ firstSeenAt }) => firstSeenAt,
  ),
);

/** For how long a message has waited, which moves with the clock. */
function Age({ of: { firstSeenAt } }: { readonly of: Message }) {
  return durationText(firstSeenAt, new Date(useNow()).toISOString());
}

const age: Column<Message> = {
  id: 'age',
  header: ({ columns }) => columns.age,
  page: { width: '84px', cell: (entry) => <Age of={entry} /> },
};

/** The times of a message in CSV: since when it has its status, and when the pipeline first heard of it. */
const times: readonly Column<Message>[] = [
  { id: 'statusAt', header: ({ columns }) => columns.statusAt, csv: ({ statusAt }) => statusAt },
  { id: 'firstSeenAt', header: ({ columns }) => columns.firstSeen, csv: ({ firstSeenAt }) => firstSeenAt },
];

/** Messages by the time of their status. */
export const failureColumns = [message, status, number, reason, code, send, since, ...times, ...costAndRoute];

/** Messages without an outcome, which have no reason. */
export const pendingColumns = [message, status, number, send, age, firstSeen, ...times, ...costAndRoute];

/** Messages marked unknown, by the time since when they are. */
export const unknownColumns = [message, status, number, send, since, ...times, ...costAndRoute];

/** Messages of one send. */
export const sendMessageColumns = [
  message,
  status,
  number,
  reason,
  code,
  csvOnly(send),
  firstSeen,
  ...times,
  ...costAndRoute,
];

export const keyOfMessage = ({ messageId }: Message) => messageId;
