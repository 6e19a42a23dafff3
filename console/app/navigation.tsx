import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useId, useRef } from 'react';
import { healthOfFrame, quarantineCount } from '../api/queries.ts';
import { Icon } from '../parts/icons.tsx';
import { useFormats } from '../viewer/formats.ts';
import { useWords } from '../viewer/preferences.tsx';
import { useSession } from '../viewer/session.ts';

/** The links to the pages. On a phone they are one row that scrolls. */
export function Navigation() {
  const { nav } = useWords();
  const { sources } = useSession();
  const element = useRef<HTMLElement>(null);
  const href = useRouterState({ select: ({ location }) => location.href });
  const { data: quarantined } = useQuery(quarantineCount);
  const { data: health } = useQuery(healthOfFrame);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the address, and moves with the marks of links.
  useEffect(() => {
    element.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [href, quarantined, health]);
  return (
    <nav ref={element} aria-label={nav.label} className="nav">
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }} className="nav-link">
        <Icon name="overview" />
        {nav.overview}
      </Link>
      {sources.length > 1 && (
        <Link to="/providers" className="nav-link">
          <Icon name="providers" />
          {nav.providers}
        </Link>
      )}
      <Link to="/sends" className="nav-link">
        <Icon name="send" />
        {nav.sends}
      </Link>
      <Link to="/messages" search={{ state: 'failed' }} className="nav-link">
        <Icon name="failures" />
        {nav.failures}
      </Link>
      <Link to="/messages" search={{ state: 'pending' }} className="nav-link">
        <Icon name="pending" />
        {nav.pending}
      </Link>
      <Link to="/replies" className="nav-link">
        <Icon name="replies" />
        {nav.replies}
      </Link>
      <Link to="/opt-outs" className="nav-link">
        <Icon name="optOuts" />
        {nav.optOuts}
      </Link>
      <QuarantineLink {...quarantined} />
      <HealthLink state={health} />
    </nav>
  );
}

interface QuarantineCount {
  readonly entries: number;
  readonly hasMore: boolean;
}

/** With the number of entries that the page shows first. */
function QuarantineLink({ entries = 0, hasMore = false }: Partial<QuarantineCount>) {
  const { nav } = useWords();
  const { count } = useFormats();
  const id = useId();
  const shown = `${count(entries)}${hasMore ? '+' : ''}`;
  return (
    <>
      <Link to="/quarantine" className="nav-link" {...(entries > 0 && { 'aria-describedby': id })}>
        <Icon name="quarantine" />
        {nav.quarantine}
        {entries > 0 && (
          <span className="nav-count" aria-hidden="true">
            {shown}
          </span>
        )}
      </Link>
      <span id={id} hidden>
        {nav.quarantined(shown)}
      </span>
    </>
  );
}

/** With a mark while a check fails or warns. */
function HealthLink({ state }: { readonly state: 'failed' | 'warn' | undefined }) {
  const { nav } = useWords();
  const id = useId();
  return (
    <>
      <Link to="/health" className="nav-link" {...(state && { 'aria-describedby': id })}>
        <Icon name="health" />
        {nav.health}
        {state && (
          <span className="nav-mark" data-state={state}>
            <Icon name={state === 'failed' ? 'cross' : 'alert'} />
          </span>
        )}
      </Link>
      <span id={id} hidden>
        {state && nav.unhealthy[state]}
      </span>
    </>
  );
}
