import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import type { Quarantined } from '../../../client/types.ts';
import { type ListSource, listQuery, type Page, quarantineOfFrame } from '../../api/queries.ts';
import { Choice } from '../../parts/choice.tsx';
import { type Column, timeColumn } from '../../parts/column.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { dayRanges, useListSpan } from '../../parts/range-choice.tsx';
import { SourceChoice, useKnownSource } from '../../parts/source-choice.tsx';
import { quarantineStepOf } from '../../rules/quarantine-step.ts';
import { quarantineRange } from '../../rules/time-range.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { useSession } from '../../viewer/session.ts';
import { BulkReplay } from './bulk-replay.tsx';

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

/** What to do about entries with a reason; nothing for a reason of a later version. */
export function QuarantineStep({ reason }: { readonly reason: string }) {
  const { nextStep, quarantineSteps } = useWords();
  const step = quarantineStepOf(reason);
  if (step === undefined) return null;
  return (
    <p className="next-step">
      <strong>{nextStep}:</strong> {quarantineSteps[step]}
    </p>
  );
}

function ReasonLink({ entry }: { readonly entry: Quarantined }) {
  const reasonText = useQuarantineReason();
  return (
    <Link to="/quarantine/$entryId" params={{ entryId: entry.id }}>
      {reasonText(entry.reason)}
    </Link>
  );
}

function Position({ index }: Pick<Quarantined, 'index'>) {
  const { quarantine } = useWords();
  return index === null ? quarantine.whole : quarantine.position(index);
}

const columns: readonly Column<Quarantined>[] = [
  // It names an entry to `sms quarantine replay --id`.
  { id: 'id', header: ({ columns }) => columns.entry, csv: ({ id }) => id },
  {
    id: 'reason',
    header: ({ columns }) => columns.reason,
    csv: ({ reason }) => reason,
    page: { width: 'minmax(0, 2fr)', cell: (entry) => <ReasonLink entry={entry} /> },
  },
  {
    id: 'field',
    header: ({ columns }) => columns.field,
    csv: ({ field }) => field ?? '',
    page: { width: 'minmax(0, 1fr)', cell: ({ field }) => <code>{field}</code> },
  },
  {
    id: 'position',
    header: ({ columns }) => columns.entry,
    csv: ({ index }) => (index === null ? '' : String(index)),
    page: { width: 'minmax(0, 1fr)', cell: ({ index }) => <Position index={index} /> },
  },
  timeColumn(
    ({ columns }) => columns.received,
    ({ receivedAt }) => receivedAt,
  ),
];

/** Gives the navigation the entries of the list, if it shows what the navigation counts: two readings would differ. */
function useCountOfNavigation(source: ListSource, isCounted: boolean) {
  const client = useQueryClient();
  const first = useInfiniteQuery(listQuery<Page<Quarantined>>(source)).data?.pages[0];
  const { data: counted } = useQuery(quarantineOfFrame);
  const isSame = JSON.stringify(first) === JSON.stringify(counted);
  useEffect(() => {
    if (isCounted && first !== undefined && !isSame)
      client.setQueryData<Page<unknown>>(quarantineOfFrame.queryKey, first);
  }, [client, isCounted, first, isSame]);
}

/** The events that could not be stored as history. */
export function QuarantinePage() {
  const words = useWords();
  const { canReplay } = useSession();
  const reasonText = useQuarantineReason();
  const { range = quarantineRange, from, to, reason, source: sourceName } = route.useSearch();
  const shownSource = useKnownSource(sourceName);
  const navigate = route.useNavigate();
  const show = (change: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const times = { range, from, to };
  const { since, until } = useListSpan(times);
  const known = Object.entries(words.quarantineReasons);
  const shownReason = known.some(([name]) => name === reason) ? reason : undefined;
  const source = useMemo(
    () => ({ path: '/v1/quarantine', filters: { since, until, reason: shownReason, source: shownSource } }),
    [since, until, shownReason, shownSource],
  );
  useCountOfNavigation(
    source,
    from === undefined && range === quarantineRange && shownReason === undefined && shownSource === undefined,
  );
  return (
    <ListPage
      name="quarantine"
      texts={words.quarantine}
      source={source}
      columns={columns}
      keyOf={keyOf}
      named={[shownReason, shownSource]}
      filters={
        <>
          <Choice
            label={words.columns.reason}
            value={shownReason ?? ''}
            options={[['', words.list.anyReason], ...known]}
            onChange={(next) => show({ reason: next === '' ? undefined : next })}
          />
          <SourceChoice value={shownSource} onChange={(next) => show({ source: next })} />
        </>
      }
      note={
        shownReason !== undefined && (
          <>
            <QuarantineStep reason={shownReason} />
            {canReplay && (
              <BulkReplay
                key={`${shownReason} ${range} ${shownSource}`}
                source={source}
                reason={shownReason}
                reasonText={reasonText(shownReason)}
              />
            )}
          </>
        )
      }
      times={times}
      ranges={dayRanges}
      onTimes={show}
    />
  );
}
