import { timeTexts } from '../rules/time-text.ts';
import { usePreferences } from '../viewer/preferences.tsx';

interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  /** Whether the time is a stop of the tab key, so that UTC shows without a pointer. In a list the focused row shows it. */
  readonly isStop?: boolean;
}

/** A time in the viewer's zone, with UTC on hover and focus. */
export function Time({ at, isStop = false }: TimeProps) {
  const { language } = usePreferences();
  const { local, utc } = timeTexts(at, language);
  const content = (
    <>
      {local}
      <span className="utc">{utc}</span>
    </>
  );
  if (!isStop)
    return (
      <time className="time" dateTime={at}>
        {content}
      </time>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: UTC must be reachable by keyboard, too.
    <time className="time" dateTime={at} tabIndex={0}>
      {content}
    </time>
  );
}
