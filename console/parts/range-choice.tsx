import { useMemo } from 'react';
import { type Range, ranges, sinceOf } from '../rules/time-range.ts';
import { useWords } from '../viewer/preferences.tsx';
import { Choice } from './choice.tsx';

interface RangeChoiceProps {
  readonly value: Range;
  readonly onChange: (range: Range) => void;
  /** A list that is kept by day cannot be read from its beginning in one request. */
  readonly hasAll?: boolean;
}

/** The filter by time. */
export function RangeChoice({ value, onChange, hasAll = false }: RangeChoiceProps) {
  const { time } = useWords();
  const options = ranges.filter((range) => hasAll || range !== 'all');
  return (
    <Choice
      label={time.range}
      value={value}
      options={options.map((range) => [range, time.ranges[range]] as const)}
      onChange={onChange}
    />
  );
}

/** Returns the oldest time of a range. It stays while the range does, so that pages of one list belong together. */
export function useSince(range: Range): string | undefined {
  return useMemo(() => sinceOf(range, Date.now()), [range]);
}
