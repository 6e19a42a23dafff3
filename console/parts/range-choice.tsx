import { useMemo } from 'react';
import { type Range, ranges, sinceOf } from '../rules/time-range.ts';
import { timeTexts } from '../rules/time-text.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';
import { Choice } from './choice.tsx';

interface RangeChoiceProps<R extends Range> {
  readonly value: R;
  readonly onChange: (range: R) => void;
  readonly options: readonly R[];
}

/** The ranges of a list that is kept by day: it cannot be read from its beginning in one request. */
export const dayRanges = ranges.filter((range) => range !== 'all');

/** The filter by time. */
export function RangeChoice<R extends Range>({ value, onChange, options }: RangeChoiceProps<R>) {
  const { time } = useWords();
  const { language, timeZone } = usePreferences();
  const since = useSince(value);
  return (
    <span className="range">
      <Choice
        label={time.range}
        value={value}
        options={options.map((range) => [range, time.ranges[range]] as const)}
        onChange={onChange}
      />
      {since !== undefined && (
        <span className="range-since">{time.since(timeTexts(since, language, timeZone).shown)}</span>
      )}
    </span>
  );
}

/** Returns the oldest time of a range. It stays while the range does, so that pages of one list belong together. */
export function useSince(range: Range): string | undefined {
  return useMemo(() => sinceOf(range, Date.now()), [range]);
}
