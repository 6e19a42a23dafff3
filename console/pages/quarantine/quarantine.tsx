import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Quarantined } from '../../../client/types.ts';
import { Choice } from '../../parts/choice.tsx';
import type { Column } from '../../parts/column.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { dayRanges, useSince } from '../../parts/range-choice.tsx';
import { Time } from '../../parts/time.tsx';
import { useWords } from '../../viewer/preferences.tsx';

const route = getRouteApi('/quarantine');
const keyOf = ({ id }: Quarantined) => id;

/** Returns a function that names a reason of the quarantine in the viewer's language; a reason of a later version as it is. */
export function useQuarantineReason(): (reason: string) => string {
  const { quarantineReasons } = useWords();
  return useCallback(
    (reason) => Object.entries(quarantineReasons).find(([known]) => known === reason)?.[1] ?? reason,
    [quarantineReasons],
  );
}

function useColumns(): readonly Column<Quarantined>[] {
  const { columns, quarantine } = useWords();
  const reasonText = useQuarantineReason();
  return useMemo(
    () => [
      {
        id: 'reason',
        header: columns.reason,
        text: ({ reason }) => reason,
        cell: (original) => (
          <Link to="/quarantine/$entryId" params={{ entryId: original.id }}>
            {reasonText(original.reason)}
          </Link>
        ),
      },
      {
        id: 'field',
        header: columns.field,
        text: ({ field }) => field ?? '',
        cell: (_, text) => <code>{text}</code>,
      },
      {
        id: 'position',
        header: columns.entry,
        text: ({ index }) => (index === null ? quarantine.whole : quarantine.position(index)),
        cell: (_, text) => text,
      },
      {
        id: 'time',
        header: columns.received,
        text: ({ receivedAt }) => receivedAt,
        cell: (_, text) => <Time at={text} />,
      },
    ],
    [columns, quarantine, reasonText],
  );
}

/** The events that could not be stored as history. */
export function QuarantinePage() {
  const words = useWords();
  const { range = '7d', reason } = route.useSearch();
  const navigate = route.useNavigate();
  const since = useSince(range);
  const known = Object.entries(words.quarantineReasons);
  const shownReason = known.some(([name]) => name === reason) ? reason : undefined;
  const source = useMemo(
    () => ({ path: '/v1/quarantine', filters: { since, reason: shownReason } }),
    [since, shownReason],
  );
  return (
    <ListPage
      name="quarantine"
      texts={words.quarantine}
      source={source}
      columns={useColumns()}
      keyOf={keyOf}
      filters={
        <Choice
          label={words.columns.reason}
          value={shownReason ?? ''}
          options={[['', words.list.anyReason], ...known]}
          onChange={(next) =>
            void navigate({ search: { range, ...(next !== '' && { reason: next }) }, replace: true })
          }
        />
      }
      range={range}
      ranges={dayRanges}
      onRange={(next) => void navigate({ search: (before) => ({ ...before, range: next }), replace: true })}
    />
  );
}
