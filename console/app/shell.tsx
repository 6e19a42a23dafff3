import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { usePreferences, useWords } from '../viewer/preferences.tsx';
import { useSession } from '../viewer/session.ts';
import { removeFirstAnswer } from './first-answer.ts';
import { Freshness } from './freshness.tsx';
import { Navigation } from './navigation.tsx';
import { PreferencesButton } from './preferences-button.tsx';
import { RevealButton } from './reveal-button.tsx';
import { SearchBox } from './search-box.tsx';

interface PageLocation {
  readonly pathname: string;
  readonly search: { readonly state?: unknown };
}

/** Returns what differs between two pages. Failures and Pending share a path; elsewhere a state is a filter. */
function pageOf({ pathname, search }: PageLocation): string {
  return pathname === '/messages' ? `${pathname} ${search.state}` : pathname;
}

/** The frame of every page: search, navigation, who uses it. */
export function Shell() {
  const words = useWords();
  const { pipeline, role } = useSession();
  useZoneInAddress();
  useEffect(removeFirstAnswer, []);
  const main = useRef<HTMLElement>(null);
  const page = useRouterState({ select: ({ location }) => pageOf(location) });
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    // A screen reader continues with the new page, and the tab key too.
    // A list that was returned to has given it to its row.
    const { activeElement } = document;
    if (activeElement === main.current || !main.current?.contains(activeElement))
      main.current?.focus({ preventScroll: true });
  }, [page]);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <header className="top">
        <Link to="/" className="brand">
          <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
            <path d="M8 9h16v11H15l-5 4v-4H8z" />
          </svg>
          <span className="brand-name">{pipeline}</span>
          <span className="visually-hidden">{words.home}</span>
        </Link>
        <SearchBox />
        <div className="who">
          <span className="role" title={words.roleNotes[role]}>
            {words.roles[role]}
          </span>
          <RevealButton />
          <PreferencesButton />
        </div>
      </header>
      <Navigation />
      <main id="content" tabIndex={-1} ref={main}>
        <Freshness />
        <Outlet />
      </main>
    </div>
  );
}

/** Writes the zone of the viewer into the address, so that a shared one shows the same times. */
function useZoneInAddress() {
  const { zone } = usePreferences();
  const navigate = useNavigate();
  const ofAddress = useRouterState({ select: ({ location }) => location.search.zone });
  useEffect(() => {
    const wanted = zone === 'utc' ? zone : undefined;
    if (ofAddress === wanted) return;
    void navigate({
      to: '.',
      search: (before) => ({ ...before, zone: wanted }),
      hash: true,
      replace: true,
      resetScroll: false,
    });
  }, [zone, ofAddress, navigate]);
}
