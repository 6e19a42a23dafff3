import { useQueries } from '@tanstack/react-query';
import { insightsQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { useReasonText } from '../../parts/status.tsx';
import { type Change, changesSince, comparedSpans, directionOf } from '../../rules/week-change.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';

/** What changed since the same time last week, a sentence each. */
export function WeekChanges({ now }: { readonly now: number }) {
  const { overview, states } = useWords();
  const { current, before } = comparedSpans(now);
  const [inDay, inWeek] = useQueries({
    queries: [current, before].map((span) => insightsQuery({ interval: 'hour', by: 'reason', ...span })),
  });
  const isFailed = inDay?.isError === true || inWeek?.isError === true;
  const changes = inDay?.data && inWeek?.data ? changesSince(inDay.data, inWeek.data) : undefined;
  return (
    <section className="card" aria-labelledby="changes">
      <h2 id="changes">{overview.changes}</h2>
      {changes === undefined && (
        <p className="note" data-loading={!isFailed || undefined}>
          {isFailed ? states.errorTitle : states.loading}
        </p>
      )}
      {changes?.length === 0 && <p className="note">{overview.noChanges}</p>}
      {changes !== undefined && changes.length > 0 && (
        <ul className="changes">
          {changes.map((change) => (
            <ChangeLine change={change} key={change.kind === 'reason' ? change.reason : change.kind} />
          ))}
        </ul>
      )}
    </section>
  );
}

const icons = { up: 'up', down: 'down', same: 'same' } as const;

function ChangeLine({ change }: { readonly change: Change }) {
  const direction = directionOf(change);
  const isBad = change.kind === 'reason' || (change.kind === 'rate' && direction === 'down');
  return (
    <li data-bad={isBad || undefined}>
      <Icon name={icons[direction]} />
      {useSentence(change)}
    </li>
  );
}

function useSentence(change: Change): string {
  const { overview } = useWords();
  const { count, percent } = useFormats();
  const reasonText = useReasonText();
  const direction = directionOf(change);
  switch (change.kind) {
    case 'rate':
      return overview.rateChange[direction](percent(change.now), percent(change.before));
    case 'volume':
      return overview.volumeChange[direction](
        count(change.now),
        count(change.before),
        percent(Math.abs(change.now - change.before) / change.before),
      );
    case 'reason':
      return overview.reasonChange(
        reasonText({ errorReason: change.reason }),
        count(change.now),
        count(change.before),
      );
  }
}
