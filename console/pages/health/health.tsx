import { useQuery } from '@tanstack/react-query';
import type { Health } from '../../../client/types.ts';
import { healthQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { Missing, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useWords } from '../../viewer/preferences.tsx';
import { HealthDetails } from './health-details.tsx';

const icons = { ok: 'check', warn: 'alert', failed: 'cross', skipped: 'question' } as const;
/** What needs attention comes first. */
const order = ['failed', 'warn', 'ok', 'skipped'] as const;

/** Whether the pipeline works: what its checks found. */
export function HealthPage() {
  const words = useWords();
  const health = useQuery(healthQuery);
  return (
    <Page title={words.health.title} intro={words.health.intro}>
      {health.data === undefined ? (
        <Missing query={health} />
      ) : (
        <>
          <Checks checks={health.data.checks} />
          <HealthDetails health={health.data} />
          <p className="note">
            {words.health.checkedAt} <Time at={health.data.checkedAt} isStop />
          </p>
        </>
      )}
    </Page>
  );
}

function Checks({ checks }: Pick<Health, 'checks'>) {
  const { health } = useWords();
  const count = (state: keyof typeof icons) => checks.filter((check) => check.state === state).length;
  if (checks.length === 0) return <Notice icon="question" title={health.empty} />;
  const [failed, warnings] = [count('failed'), count('warn')];
  const verdict = [failed > 0 && health.unhealthy(failed), warnings > 0 && health.warnings(warnings)];
  return (
    <>
      <p className="verdict" role="status" data-state={failed > 0 ? 'failed' : warnings > 0 ? 'warn' : 'ok'}>
        <Icon name={failed > 0 ? 'cross' : warnings > 0 ? 'alert' : 'check'} />
        {verdict.filter(Boolean).join(', ') || health.healthy}
      </p>
      <ul className="checks">
        {order.flatMap((state) =>
          checks
            .filter((check) => check.state === state)
            .map(({ check, found, hint }) => (
              <li className="card check" data-state={state} key={check}>
                <h2>{check}</h2>
                <span className="check-state">
                  <Icon name={icons[state]} />
                  {health.states[state]}
                </span>
                <p>{found}</p>
                {hint !== null && (
                  <p className="hint">
                    <strong>{health.hint}:</strong> {hint}
                  </p>
                )}
              </li>
            )),
        )}
      </ul>
    </>
  );
}
