import { useQuery } from '@tanstack/react-query';
import { fillQuery } from '../../api/queries.ts';
import { Notice } from '../../parts/notice.tsx';
import { type OverviewRange, overviewRanges, type Times } from '../../rules/time-range.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';
import { useSession } from '../../viewer/session.ts';

/** In place of figures: why there are none, and what to do. */
export function EmptyOverview({ times }: { readonly times: Times<OverviewRange> }) {
  const { overview } = useWords();
  const { count } = useFormats();
  const isLocal = useSession().place === 'local';
  const { data: fill } = useQuery({ ...fillQuery, enabled: isLocal });
  if (fill == null)
    return (
      <Notice icon="overview" title={overview.empty}>
        {times.from === undefined && times.range === overviewRanges.at(-1)
          ? overview.emptyLongest
          : overview.emptyHint}{' '}
        {isLocal && overview.emptyLocal}
      </Notice>
    );
  return (
    <Notice icon="overview" title={overview.filling}>
      {overview.filled(count(fill.sent), count(fill.all))}
      <progress aria-label={overview.filling} value={fill.sent} max={fill.all} />
    </Notice>
  );
}
