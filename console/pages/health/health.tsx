import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Health } from '../../../client/types.ts';
import { healthQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { Missing, Notice } from '../../parts/notice.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useWords } from '../../viewer/preferences.tsx';
import { useSession } from '../../viewer/session.ts';
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
  const isDatabaseDown = checks.some(({ check, state }) => check === 'database' && state === 'failed');
  const skipped = isDatabaseDown ? health.skippedByDatabase : health.skipped;
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
              <CheckCard key={check} {...{ check, state, found, hint, skipped }} />
            )),
        )}
      </ul>
    </>
  );
}

/** The parts of this page that have more about a check. */
const parts: Readonly<Record<string, 'webhook' | 'queues' | 'dead-letters' | 'alarms' | 'drift'>> = {
  'api-key': 'webhook',
  'webhook-url': 'webhook',
  'webhook-secret': 'webhook',
  reconcile: 'webhook',
  verified: 'webhook',
  queues: 'queues',
  'dead-letters': 'dead-letters',
  alarms: 'alarms',
  'contract-drift': 'drift',
};
/** The checks whose events are in quarantine. */
const quarantining: readonly string[] = ['verified', 'contract-drift'];

type CheckCardProps = Health['checks'][number] & {
  /** Why checks were skipped. */
  readonly skipped: string;
};

/** A check in the words of those who have no terminal. What the server says of it is for the operator. */
function CheckCard({ check, state, found, hint, skipped }: CheckCardProps) {
  const { health, nav } = useWords();
  const { role, sources } = useSession();
  const source = sources.find((name) => check === `source-${name}`);
  const texts =
    source === undefined
      ? Object.entries(health.checks).find(([name]) => name === check)?.[1]
      : { ...health.sourceCheck, title: health.sourceCheck.title(source) };
  const meaning = state === 'skipped' ? skipped : texts?.[state];
  const isBad = state === 'failed' || state === 'warn';
  const part = parts[check];
  // In a pipeline with several sources it is about one of them.
  const ofMain = part === 'webhook' && sources.length > 1 ? ': main' : '';
  const titles = {
    webhook: health.webhook.title,
    queues: health.queues,
    'dead-letters': health.deadLetters,
    alarms: health.alarms,
    drift: health.drift,
  };
  return (
    <li className="card check" data-state={state}>
      <h2>
        {texts?.title ?? check}
        {ofMain}
      </h2>
      <span className="check-state">
        <Icon name={icons[state]} />
        {health.states[state]}
      </span>
      <div className="check-text">
        <p>
          {meaning ?? found} {isBad && role !== 'operator' && health.report}
        </p>
        {isBad && part !== undefined && (
          <p>
            {health.more}{' '}
            <Link to="/health" hash={part} replace>
              {titles[part]}
            </Link>
            {quarantining.includes(check) && (
              <>
                {', '}
                <Link to="/quarantine">{nav.quarantine}</Link>
              </>
            )}
          </p>
        )}
        <details open={isBad && role === 'operator'}>
          <summary>{health.details}</summary>
          <p lang="en">
            <code>{check}</code>: {found}
          </p>
          {hint !== null && (
            <p lang="en">
              <strong>{health.hint}:</strong> {hint}
            </p>
          )}
        </details>
      </div>
    </li>
  );
}
