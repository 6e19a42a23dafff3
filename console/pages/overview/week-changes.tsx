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

function ChangeLine({ change }: { readonly change: Change }) {
  const icon = change.kind === 'reason' ? 'up' : directionOf(change);
  const isBad = change.kind === 'reason' || (change.kind === 'rate' && change.isWorse);
  return (
    <li data-bad={isBad || undefined}>
      <Icon name={icon} />
      {useSentence(change)}
    </li>
  );
}

function useSentence(change: Change): string {
  const { overview } = useWords();
  const { count, percent, multiple } = useFormats();
  const reasonText = useReasonText();
  switch (change.kind) {
    case 'rate':
      return overview.rateChange[directionOf(change)](percent(change.now), percent(change.before));
    case 'volume': {
      const { now, before } = change;
      const texts = overview.volumeChange;
      const counts = [count(now), count(before)] as const;
      if (before === 0) return texts.noneBefore(counts[0]);
      if (now === 0) return texts.none(counts[1]);
      if (now >= 2 * before) return texts.times(...counts, multiple(now / before));
      return texts[directionOf(change)](...counts, percent(Math.abs(now - before) / before));
    }
    case 'reason':
      return overview.reasonChange(
        reasonText({ errorReason: change.reason }),
        `${percent(change.now.part / change.now.all)} (${count(change.now.part)})`,
        `${percent(change.before.part / change.before.all)} (${count(change.before.part)})`,
      );
  }
}
