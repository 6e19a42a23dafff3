import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Icon } from '../parts/icons.tsx';
import { useWords } from '../viewer/preferences.tsx';

/** The links to the pages. On a phone they are one row that scrolls. */
export function Navigation() {
  const { nav } = useWords();
  const element = useRef<HTMLElement>(null);
  const href = useRouterState({ select: ({ location }) => location.href });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the address.
  useEffect(() => {
    element.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [href]);
  return (
    <nav ref={element} aria-label={nav.label} className="nav">
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }} className="nav-link">
        <Icon name="overview" />
        {nav.overview}
      </Link>
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
      <Link to="/quarantine" className="nav-link">
        <Icon name="quarantine" />
        {nav.quarantine}
      </Link>
      <Link to="/health" className="nav-link">
        <Icon name="health" />
        {nav.health}
      </Link>
    </nav>
  );
}
