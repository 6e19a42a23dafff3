import { useEffect, useId, useMemo, useRef } from 'react';
import { dayOf, type Range, ranges, spanOf, type TimeSpan, type Times } from '../rules/time-range.ts';
import { timeTexts } from '../rules/time-text.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';
import { Choice } from './choice.tsx';

interface RangeChoiceProps<R extends Range> {
  readonly times: Times<R>;
  readonly onChange: (times: Partial<Times<R>>) => void;
  readonly options: readonly R[];
  /** Whether the days are those of figures, which are counted in UTC. */
  readonly isOfFigures?: boolean;
}

/** The ranges of a list that is kept by day: it cannot be read from its beginning in one request. */
export const dayRanges = ranges.filter((range) => range !== 'all');

/** The filter by time: a range, or days that the viewer chooses. */
export function RangeChoice<R extends Range>({
  times,
  onChange,
  options,
  isOfFigures = false,
}: RangeChoiceProps<R>) {
  const { time } = useWords();
  const { language, timeZone } = usePreferences();
  const zone = isOfFigures ? 'UTC' : timeZone;
  const { since, until } = useSpan(times, zone);
  const shown = (at: string) => timeTexts(at, language, timeZone).shown;
  return (
    <span className="range">
      <Choice
        label={time.range}
        value={times.from === undefined ? times.range : 'days'}
        options={[...options.map((range) => [range, time.ranges[range]] as const), ['days', time.days]]}
        onChange={(next) =>
          onChange(
            next === 'days'
              ? {
                  from: dayOf(since === undefined ? Date.now() : Date.parse(since), zone),
                  to: dayOf(Date.now(), zone),
                }
              : { range: next, from: undefined, to: undefined },
          )
        }
      />
      {times.from !== undefined && (
        <>
          <DayChoice
            label={zone === 'UTC' ? time.fromDayUtc : time.fromDay}
            value={times.from}
            max={times.to}
            onChange={(from) => onChange({ from, to: times.to })}
          />
          <DayChoice
            label={zone === 'UTC' ? time.toDayUtc : time.toDay}
            value={times.to}
            min={times.from}
            onChange={(to) => onChange({ from: times.from, to })}
          />
        </>
      )}
      {since !== undefined && (
        <span className="range-since">
          {until === undefined ? time.since(shown(since)) : time.between(shown(since), shown(until))}
        </span>
      )}
    </span>
  );
}

interface DayChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

/**
 * A day. The browser's own control has a calendar, and writes dates as the viewer does. It keeps what is typed, so the day of the address is
 * written into it only if it is another one.
 */
function DayChoice({ label, value = '', min = '1970-01-01', max = '2999-12-31', onChange }: DayChoiceProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value;
  }, [value]);
  return (
    <span className="choice">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        ref={input}
        type="date"
        defaultValue={value}
        min={min}
        max={max}
        onChange={({ target }) => {
          if (target.value !== '' && target.validity.valid) onChange(target.value);
        }}
      />
    </span>
  );
}

/** Returns the span of a range or of days. It stays while they do, so that pages of one list belong together. */
function useSpan({ range, from, to }: Times, zone: 'UTC' | undefined): TimeSpan {
  return useMemo(() => spanOf({ range, from, to }, Date.now(), zone), [range, from, to, zone]);
}

/** Returns the span of a list, whose days are those of the viewer's zone. */
export function useListSpan(times: Times): TimeSpan {
  return useSpan(times, usePreferences().timeZone);
}
