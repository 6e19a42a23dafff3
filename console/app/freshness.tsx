import { useFreshness } from '../api/freshness.ts';
import { mayPass } from '../api/request.ts';
import { useCause } from '../parts/notice.tsx';
import { Time } from '../parts/time.tsx';
import { browserZone, timeTexts } from '../rules/time-text.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';

/** When the page was refreshed, and why it is no longer. A screen reader announces the failures only. */
export function Freshness() {
  const { states, time } = useWords();
  const { language, timeZone } = usePreferences();
  const { updatedAt, error } = useFreshness();
  const cause = useCause();
  const at = new Date(updatedAt).toISOString();
  return (
    <>
      <p className="updated">
        {updatedAt > 0 && error === null && (
          <>
            {states.updated} <Time at={at} />.{' '}
          </>
        )}
        {time.shown(timeZone ?? browserZone())}
      </p>
      <div role="status" className="freshness">
        {updatedAt > 0 && error !== null && (
          <p className="stale">
            {states.stale(timeTexts(at, language, timeZone).shown)} {cause(error)}{' '}
            {mayPass(error) && states.again}
          </p>
        )}
      </div>
    </>
  );
}
