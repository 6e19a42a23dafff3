import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { firstReportAt, isCanonicalStatus } from '../../../client/deciding-report.ts';
import type { Message } from '../../../client/types.ts';
import {
  type CanonicalStatus,
  canonicalStatuses,
  outcomeOf,
  rankOf,
} from '../../../contract/schema/sms-event.ts';
import { countriesQuery } from '../../api/queries.ts';
import { Choice } from '../../parts/choice.tsx';
import { useCountryName } from '../../parts/country-name.ts';
import { ListPage } from '../../parts/list-page.tsx';
import { dayRanges, useListSpan } from '../../parts/range-choice.tsx';
import { SourceChoice, useKnownSource } from '../../parts/source-choice.tsx';
import { NextStep } from '../../parts/status.tsx';
import { TextFilter } from '../../parts/text-filter.tsx';
import {
  insightsSpan,
  isOverviewRange,
  type OverviewRange,
  overviewRanges,
  ranges,
  type Times,
  untilOf,
  waits,
} from '../../rules/time-range.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { failureColumns, keyOfMessage, pendingColumns, unknownColumns } from './message-columns.tsx';

const route = getRouteApi('/messages');

const lists = {
  failed: { name: 'failures', outcome: 'failure', columns: failureColumns, range: '24h', ranges: dayRanges },
  pending: { name: 'pending', outcome: 'open', columns: pendingColumns, range: 'all', ranges },
  unknown: { name: 'unknown', outcome: 'unknown', columns: unknownColumns, range: '7d', ranges: dayRanges },
} as const;

function statusesOf(state: keyof typeof lists): readonly CanonicalStatus[] {
  return canonicalStatuses.filter((status) => outcomeOf(rankOf(status)) === lists[state].outcome);
}

/** The query API looks for no shorter beginning of an id. */
const minIdLength = 2;

/** The messages that failed, those that wait for a final status, and those that got none. */
export function MessagesPage() {
  const words = useWords();
  const search = route.useSearch();
  const { state, by, status, range, from, to, reason, code, wait, country, id } = search;
  const shownSource = useKnownSource(search.source);
  const navigate = route.useNavigate();
  const show = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const list = lists[state];
  // The overview counts whole hours or days of its own ranges.
  const countedRange = isOverviewRange(range) ? range : '24h';
  const shownRange = by === 'first' ? countedRange : (range ?? list.range);
  const times = { range: shownRange, from, to };
  const listSpan = useListSpan(times);
  const counted = useMemo(
    () => insightsSpan({ range: countedRange, from, to }, Date.now()),
    [countedRange, from, to],
  );
  const since = by === 'first' ? counted.since : listSpan.since;
  const shownStatus = status !== undefined && isCanonicalStatus(status) ? status : undefined;
  const shownId = id !== undefined && id.length >= minIdLength ? id : undefined;
  const waitUntil = useMemo(() => untilOf(wait, Date.now()), [wait]);
  // A message that was first seen in a time may have failed after it.
  const ends = [waitUntil, by === 'first' ? undefined : listSpan.until];
  const [until] = ends.filter((end) => end !== undefined).toSorted();
  const reasons = Object.entries(words.errorReasons);
  const shownReason = reasons.some(([known]) => known === reason) ? reason : undefined;
  const source = useMemo(
    () => ({
      path: '/v1/messages',
      filters: {
        state,
        since,
        until,
        status: shownStatus,
        country,
        idPrefix: shownId,
        source: shownSource,
        // A list of messages that wait too long begins with the one that waits longest.
        ...(state === 'pending' && wait !== undefined && { order: 'oldest' }),
        ...(state === 'failed' && { reason: shownReason, code }),
      },
    }),
    [state, wait, since, until, shownStatus, country, shownId, shownSource, shownReason, code],
  );
  const keep = useCallback(
    (message: Message) => {
      const first = firstReportAt(message);
      const isBefore = counted.until === undefined || first < counted.until;
      return by === undefined || (first >= counted.since && isBefore);
    },
    [by, counted],
  );
  const texts = { failed: words.failures, pending: words.pending, unknown: words.unknown }[state];
  const statuses = statusesOf(state).map((known) => [known, words.statuses[known]] as const);
  return (
    <ListPage
      listKey={`${state} ${by}`}
      name={list.name}
      texts={by === 'first' ? { ...texts, intro: words.list.introByFirst } : texts}
      source={source}
      columns={list.columns}
      keyOf={keyOfMessage}
      keep={keep}
      named={[shownStatus, shownReason, code, wait, country, id, shownSource, by && 'by-first-report']}
      filters={
        <>
          {state === 'failed' ? null : (
            <Choice
              label={words.list.state}
              value={state}
              options={[
                ['pending', words.pending.title],
                ['unknown', words.unknown.title],
              ]}
              onChange={(next) => show({ state: next, status: undefined, range: undefined })}
            />
          )}
          {state === 'pending' && (
            <Choice
              label={words.pending.waiting}
              value={wait ?? ''}
              options={[
                ['', words.pending.anyWait],
                ...waits.map((one) => [one, words.pending.waits[one]] as const),
              ]}
              onChange={(next) => show({ wait: next === '' ? undefined : next })}
            />
          )}
          {statuses.length > 1 && (
            <Choice
              label={words.columns.status}
              value={shownStatus ?? ''}
              options={[['', words.list.anyStatus], ...statuses]}
              onChange={(next) => show({ status: next === '' ? undefined : next })}
            />
          )}
          {state === 'failed' && (
            <TextFilter
              key={code}
              label={words.columns.code}
              hint={words.list.codeHint}
              value={code ?? ''}
              onChange={(next) => show({ code: next === '' ? undefined : next })}
            />
          )}
          {state === 'failed' && (
            <Choice
              label={words.columns.reason}
              value={shownReason ?? ''}
              options={[['', words.list.anyReason], ...reasons]}
              onChange={(next) => show({ reason: next === '' ? undefined : next })}
            />
          )}
          <TextFilter
            key={`id ${id}`}
            label={words.list.id}
            hint={words.list.idHint}
            value={id ?? ''}
            minLength={minIdLength}
            onChange={(next) => show({ id: next === '' ? undefined : next })}
          />
          <SourceChoice value={shownSource} onChange={(next) => show({ source: next })} />
          <CountryChoice
            value={country}
            times={{ range: countedRange, from, to }}
            onChange={(next) => show({ country: next })}
          />
          <Choice
            label={words.list.by}
            value={by ?? ''}
            options={[
              ['', texts.by],
              ['first', words.list.byFirst],
            ]}
            onChange={(next) =>
              show(
                next === 'first'
                  ? { by: next, range: isOverviewRange(shownRange) ? shownRange : '30d' }
                  : { by: undefined, range: shownRange },
              )
            }
          />
        </>
      }
      note={
        state === 'pending' ? (
          <p className="next-step">
            {wait !== undefined && `${words.pending.oldestFirst} `}
            {words.pending.step}
          </p>
        ) : (
          <NextStep reason={shownReason} />
        )
      }
      times={times}
      isOfFigures={by === 'first'}
      ranges={by === 'first' ? overviewRanges : list.ranges}
      onTimes={show}
    />
  );
}

interface CountryChoiceProps {
  readonly value: string | undefined;
  /** Countries with messages in this time can be chosen. */
  readonly times: Times<OverviewRange>;
  readonly onChange: (country: string | undefined) => void;
}

function CountryChoice({ value, times, onChange }: CountryChoiceProps) {
  const { list, overview } = useWords();
  const countryName = useCountryName();
  const now = useMemo(() => Date.now(), []);
  const span = insightsSpan(times, now);
  const counted = useQuery(countriesQuery(span)).data?.total.countries ?? [];
  const countries = [...new Set([...counted.map(({ country }) => country), ...(value ? [value] : [])])];
  if (countries.length === 0) return null;
  return (
    <Choice
      label={overview.country}
      value={value ?? ''}
      options={[['', list.anyCountry], ...countries.map((one) => [one, countryName(one)] as const)]}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  );
}
