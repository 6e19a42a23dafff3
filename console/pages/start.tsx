import { Page } from '../parts/page.tsx';
import { useWords } from '../viewer/preferences.tsx';

/** The page that the console opens with: what can be searched for, and how. */
export function StartPage() {
  const { start, time } = useWords();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const keys = [
    [['/'], start.keySearch],
    [['↑', '↓'], start.keyMove],
    [['Enter'], start.keyOpen],
    [['Esc'], start.keyBack],
  ] as const;
  return (
    <Page title={start.title} intro={start.intro}>
      <section className="card start-keys" aria-labelledby="keys">
        <h2 id="keys">{start.keys}</h2>
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
      </section>
      <p className="footnote">{time.zone(zone)}</p>
    </Page>
  );
}
