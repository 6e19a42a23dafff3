import { browserZone } from '../../rules/time-text.ts';
import { usePreferences, useWords } from '../../viewer/preferences.tsx';

/** The keys of the console, and the zone of its times. */
export function Keyboard() {
  const { keyboard, time } = useWords();
  const { zone } = usePreferences();
  const [shown, other] = zone === 'utc' ? ['UTC', browserZone()] : [browserZone(), 'UTC'];
  const keys = [
    [['/'], keyboard.search],
    [['↑', '↓'], keyboard.move],
    [['Enter'], keyboard.open],
    [['Esc'], keyboard.back],
  ] as const;
  return (
    <footer className="keyboard">
      <p className="footnote">
        {time.zone(shown)} {other !== shown && time.otherZone(other)}
      </p>
      <details>
        <summary>{keyboard.title}</summary>
        <dl>
          {keys.map(([names, meaning]) => (
            <div key={meaning}>
              <dt>
                {names.map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </footer>
  );
}
