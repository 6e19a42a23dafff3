import { timeTexts } from '../rules/time-text.ts';
import { usePreferences } from '../viewer/preferences.tsx';

interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  /** Whether the time is a stop of the tab key, so that the other zone shows without a pointer. In a list the focused row shows it. */
  readonly isStop?: boolean;
}

/** A time in the viewer's zone, with UTC on hover and focus; with that of the browser where the viewer's is UTC. */
export function Time({ at, isStop = false }: TimeProps) {
  const { language, timeZone } = usePreferences();
  const { shown, other } = timeTexts(at, language, timeZone);
  const content = (
    <>
      {shown}
      <span className="utc">{other}</span>
    </>
  );
  if (!isStop)
    return (
      <time className="time" dateTime={at}>
        {content}
      </time>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The other zone must be reachable by keyboard, too.
    <time className="time" dateTime={at} tabIndex={0}>
      {content}
    </time>
  );
}
