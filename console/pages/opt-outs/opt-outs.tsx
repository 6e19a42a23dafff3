import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OptOut } from '../../../client/types.ts';
import { Choice } from '../../parts/choice.tsx';
import { type Column, numberColumn, timeColumn } from '../../parts/column.tsx';
import { ForeignText, NumberButton } from '../../parts/entry-links.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useListSpan } from '../../parts/range-choice.tsx';
import { SourceChoice, useKnownSource } from '../../parts/source-choice.tsx';
import { ranges } from '../../rules/time-range.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { useSession } from '../../viewer/session.ts';

const route = getRouteApi('/opt-outs');
// A number opts out at most once by each reply, entry or message.
const keyOf = ({ replyId, entryId, messageId, phone }: OptOut) =>
  `${replyId ?? entryId ?? messageId} ${phone}`;

function Source({ entry }: { readonly entry: OptOut }) {
  const { optOuts, conversation } = useWords();
  return (
    <>
      <Origin entry={entry} />
      {entry.recordedBy !== undefined && (
        <span>
          {' '}
          <ForeignText text={`(${conversation.recordedBy(entry.recordedBy)})`} />
        </span>
      )}
      {entry.outOf !== undefined && <span> {optOuts.outOf(entry.outOf.join(', '))}</span>}
      {entry.outOfAllExcept !== undefined && entry.outOfAllExcept.length > 0 && (
        <span> {optOuts.outOfAllExcept(entry.outOfAllExcept.join(', '))}</span>
      )}
    </>
  );
}

function Origin({ entry: { by, reason } }: { readonly entry: OptOut }) {
  const { optOuts } = useWords();
  if (by !== 'operator') return by === 'person' ? optOuts.byReply : optOuts.byProvider;
  return reason === undefined ? optOuts.byOperator : <ForeignText text={optOuts.byOperatorWith(reason)} />;
}

const columns: readonly Column<OptOut>[] = [
  numberColumn(
    ({ columns }) => columns.number,
    ({ phone, replyId, messageId }) => ({
      number: phone,
      of: messageId === undefined ? `r~${replyId}` : `m~${messageId}`,
    }),
    ({ by, phone }) => (by === 'operator' ? <NumberButton number={phone} /> : undefined),
  ),
  {
    id: 'by',
    header: ({ columns }) => columns.origin,
    csv: ({ by }) => by,
    page: { width: 'minmax(0, 1fr)', cell: (entry) => <Source entry={entry} /> },
  },
  { id: 'reason', header: ({ columns }) => columns.reason, csv: ({ reason }) => reason ?? '' },
  {
    id: 'recordedBy',
    header: ({ columns }) => columns.recordedBy,
    csv: ({ recordedBy }) => recordedBy ?? '',
  },
  timeColumn(
    ({ columns }) => columns.optedOut,
    ({ since }) => since,
  ),
];

/** The columns of a pipeline with several sources, whose opt-outs may count by source. */
const columnsOfSources: readonly Column<OptOut>[] = [
  ...columns,
  { id: 'outOf', header: ({ columns }) => columns.outOf, csv: ({ outOf }) => outOf?.join(' ') ?? '' },
  {
    id: 'outOfAllExcept',
    header: ({ columns }) => columns.outOfAllExcept,
    csv: ({ outOfAllExcept }) => outOfAllExcept?.join(' ') ?? '',
  },
];

/** The numbers that want no more messages. */
export function OptOutsPage() {
  const { optOuts, columns: columnNames } = useWords();
  const { sources } = useSession();
  const { range = 'all', from, to, by, source: sourceName } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const times = { range, from, to };
  const { since, until } = useListSpan(times);
  const shownSource = useKnownSource(sourceName);
  const source = useMemo(
    () => ({ path: '/v1/opt-outs', filters: { since, until, by, source: shownSource } }),
    [since, until, by, shownSource],
  );
  return (
    <ListPage
      name="opt-outs"
      named={[by, shownSource]}
      texts={optOuts}
      source={source}
      columns={sources.length > 1 ? columnsOfSources : columns}
      keyOf={keyOf}
      times={times}
      ranges={ranges}
      onTimes={show}
      filters={
        <>
          <Choice
            label={columnNames.origin}
            value={by ?? ''}
            options={[
              ['', optOuts.anyOrigin],
              ['person', optOuts.byReply],
              ['operator', optOuts.byOperator],
              ['provider', optOuts.byProvider],
            ]}
            onChange={(next) => show({ by: next === '' ? undefined : next })}
          />
          <SourceChoice value={shownSource} onChange={(next) => show({ source: next })} />
        </>
      }
    />
  );
}
