import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { OptOut } from '../../../client/types.ts';
import { manualPrefix } from '../../api/console-types.ts';
import type { Column } from '../../parts/column.ts';
import { ForeignText, NumberButton, NumberLink } from '../../parts/entry-links.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { useSince } from '../../parts/range-choice.tsx';
import { Time } from '../../parts/time.tsx';
import { ranges } from '../../rules/time-range.ts';
import { useWords } from '../../viewer/preferences.tsx';

const route = getRouteApi('/opt-outs');
const keyOf = ({ replyId }: OptOut) => replyId;

function useColumns(): readonly Column<OptOut>[] {
  const { columns, optOuts } = useWords();
  return useMemo(
    () => [
      {
        id: 'number',
        header: columns.number,
        text: ({ phone }) => phone,
        cell: (original) =>
          original.replyId.startsWith(manualPrefix) ? (
            <NumberButton number={original.phone} />
          ) : (
            <NumberLink number={original.phone} of={`r~${original.replyId}`} />
          ),
      },
      {
        id: 'source',
        header: columns.source,
        text: ({ replyId, reason }) => {
          if (!replyId.startsWith(manualPrefix)) return optOuts.byReply;
          return reason === undefined ? optOuts.byOperator : optOuts.byOperatorWith(reason);
        },
        cell: (_, text) => <ForeignText text={text} />,
      },
      {
        id: 'time',
        header: columns.optedOut,
        text: ({ since }) => since,
        cell: (_, text) => <Time at={text} />,
      },
    ],
    [columns, optOuts],
  );
}

/** The numbers that want no more messages. */
export function OptOutsPage() {
  const { optOuts } = useWords();
  const { range = 'all' } = route.useSearch();
  const navigate = route.useNavigate();
  const since = useSince(range);
  const source = useMemo(() => ({ path: '/v1/opt-outs', filters: { since } }), [since]);
  return (
    <ListPage
      name="opt-outs"
      texts={optOuts}
      source={source}
      columns={useColumns()}
      keyOf={keyOf}
      range={range}
      ranges={ranges}
      onRange={(next) => void navigate({ search: { range: next }, replace: true })}
    />
  );
}
