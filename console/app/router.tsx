import { createRootRoute, createRoute, createRouter, retainSearchParams } from '@tanstack/react-router';
import { BrokenPage } from '../pages/broken.tsx';
import { HealthPage } from '../pages/health/health.tsx';
import { ConversationPage } from '../pages/messages/conversation.tsx';
import { MessagePage } from '../pages/messages/message.tsx';
import { MessagesPage } from '../pages/messages/messages.tsx';
import { RepliesPage } from '../pages/messages/replies.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { OptOutsPage } from '../pages/opt-outs/opt-outs.tsx';
import { OverviewPage } from '../pages/overview/overview.tsx';
import { QuarantinePage } from '../pages/quarantine/quarantine.tsx';
import { QuarantineEntryPage } from '../pages/quarantine/quarantine-entry.tsx';
import { SendPage } from '../pages/sends/send.tsx';
import { SendsPage } from '../pages/sends/sends.tsx';
import { isOutcome, type Outcome } from '../rules/rates.ts';
import { isOverviewRange, isRange, type OverviewRange, type Range } from '../rules/time-range.ts';
import { Shell } from './shell.tsx';

// Filters are in the query string, so that an address can be shared. No address has a number.

interface RangeSearch {
  readonly range?: Range | undefined;
}

interface MessagesSearch extends RangeSearch {
  readonly state: 'failed' | 'pending';
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
}

interface SendSearch {
  readonly state?: Outcome | undefined;
  readonly reason?: string | undefined;
  /** Empty for failures without a code. */
  readonly code?: string | undefined;
}

interface QuarantineSearch extends RangeSearch {
  readonly reason?: string | undefined;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Returns the range of a query string; a wrong one counts as none. The router keeps what is left out, so it is undefined. */
function rangeOf({ range }: Record<string, unknown>): RangeSearch {
  return { range: isRange(range) ? range : undefined };
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundPage,
  // A shared address keeps the zone of its times.
  validateSearch: ({ zone }: Record<string, unknown>): { readonly zone?: 'utc' | undefined } => ({
    zone: zone === 'utc' ? zone : undefined,
  }),
  search: { middlewares: [retainSearchParams(['zone'])] },
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: ({ range }: Record<string, unknown>): { readonly range?: OverviewRange | undefined } => ({
    range: isOverviewRange(range) ? range : undefined,
  }),
  component: OverviewPage,
});

const messages = createRoute({
  getParentRoute: () => root,
  path: '/messages',
  validateSearch: (search: Record<string, unknown>): MessagesSearch => {
    const state = search.state === 'pending' ? 'pending' : 'failed';
    const reason = state === 'failed' ? text(search.reason) : undefined;
    return { state, ...rangeOf(search), status: text(search.status), reason };
  },
  component: MessagesPage,
});

const message = createRoute({
  getParentRoute: () => root,
  path: '/messages/$messageId',
  component: MessagePage,
});

const conversation = createRoute({
  getParentRoute: () => root,
  path: '/conversations/$of',
  component: ConversationPage,
});

const sends = createRoute({
  getParentRoute: () => root,
  path: '/sends',
  validateSearch: rangeOf,
  component: SendsPage,
});

const send = createRoute({
  getParentRoute: () => root,
  path: '/sends/$sendId',
  validateSearch: ({ state, reason, code }: Record<string, unknown>): SendSearch => {
    const known = isOutcome(state) ? state : undefined;
    if (known !== 'failed' || text(reason) === undefined)
      return { state: known, reason: undefined, code: undefined };
    // The router reads a code of digits as a number.
    return { state: known, reason: text(reason), code: code === undefined ? undefined : String(code) };
  },
  component: SendPage,
});

const replies = createRoute({
  getParentRoute: () => root,
  path: '/replies',
  validateSearch: rangeOf,
  component: RepliesPage,
});

const optOuts = createRoute({
  getParentRoute: () => root,
  path: '/opt-outs',
  validateSearch: rangeOf,
  component: OptOutsPage,
});

const quarantine = createRoute({
  getParentRoute: () => root,
  path: '/quarantine',
  validateSearch: (search: Record<string, unknown>): QuarantineSearch => ({
    ...rangeOf(search),
    reason: text(search.reason),
  }),
  component: QuarantinePage,
});

const quarantineEntry = createRoute({
  getParentRoute: () => root,
  path: '/quarantine/$entryId',
  component: QuarantineEntryPage,
});

const health = createRoute({
  getParentRoute: () => root,
  path: '/health',
  component: HealthPage,
});

const routeTree = root.addChildren([
  overview,
  messages,
  message,
  conversation,
  sends,
  send,
  replies,
  optOuts,
  quarantine,
  quarantineEntry,
  health,
]);

export const createConsoleRouter = () =>
  createRouter({ routeTree, defaultErrorComponent: BrokenPage, scrollRestoration: true });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
