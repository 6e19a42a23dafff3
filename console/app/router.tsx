import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { BrokenPage } from '../pages/broken.tsx';
import { CodePage } from '../pages/codes/code.tsx';
import { HealthPage } from '../pages/health/health.tsx';
import { ConversationPage } from '../pages/messages/conversation.tsx';
import { MessagePage } from '../pages/messages/message.tsx';
import { MessagesPage } from '../pages/messages/messages.tsx';
import { RepliesPage } from '../pages/messages/replies.tsx';
import { NotFoundPage } from '../pages/not-found.tsx';
import { OptOutsPage } from '../pages/opt-outs/opt-outs.tsx';
import { OverviewPage } from '../pages/overview/overview.tsx';
import { ProvidersPage } from '../pages/providers/providers.tsx';
import { QuarantinePage } from '../pages/quarantine/quarantine.tsx';
import { QuarantineEntryPage } from '../pages/quarantine/quarantine-entry.tsx';
import { SendPage } from '../pages/sends/send.tsx';
import { SendsPage } from '../pages/sends/sends.tsx';
import { isOutcome, type Outcome } from '../rules/rates.ts';
import { isSendOrder, type SendOrder } from '../rules/send-order.ts';
import {
  type ChosenDays,
  chosenDays,
  isOverviewRange,
  isRange,
  type OverviewRange,
  type Range,
  type Wait,
  waits,
} from '../rules/time-range.ts';
import { Shell } from './shell.tsx';

// Filters are in the query string, so that an address can be shared. No address has a number.

interface RangeSearch extends ChosenDays {
  readonly range?: Range | undefined;
}

interface MessagesSearch extends RangeSearch {
  readonly state: 'failed' | 'pending' | 'unknown';
  /** Which time the range is about: that of the first report, as in the overview, or that of the list. */
  readonly by?: 'first' | undefined;
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
  readonly code?: string | undefined;
  /** For how long a pending message has waited. */
  readonly wait?: Wait | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** The beginning of an id. */
  readonly id?: string | undefined;
  readonly source?: string | undefined;
}

interface SendsSearch extends RangeSearch {
  readonly order?: SendOrder | undefined;
  /** A part of the name, or its beginning and "*". */
  readonly name?: string | undefined;
  readonly source?: string | undefined;
}

interface SendSearch {
  readonly state?: Outcome | undefined;
  readonly reason?: string | undefined;
  /** Empty for failures without a code. */
  readonly code?: string | undefined;
}

interface RepliesSearch extends RangeSearch {
  /** A part of the text. */
  readonly words?: string | undefined;
  readonly source?: string | undefined;
}

interface OptOutsSearch extends RangeSearch {
  readonly by?: 'person' | 'operator' | 'provider' | undefined;
  readonly source?: string | undefined;
}

interface QuarantineSearch extends RangeSearch {
  readonly source?: string | undefined;
  readonly reason?: string | undefined;
}

/** Returns what a viewer typed. The router reads digits as a number. */
const typedText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? text(String(value)) : undefined;

const optOutOrigins = ['person', 'operator', 'provider'] as const;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** Returns the range of a query string; a wrong one counts as none. The router keeps what is left out, so it is undefined. */
function rangeOf(search: Record<string, unknown>): RangeSearch {
  return { range: isRange(search.range) ? search.range : undefined, ...chosenDays(search) };
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

interface FiguresSearch extends ChosenDays {
  readonly range?: OverviewRange | undefined;
}

const figuresRangeOf = (search: Record<string, unknown>): FiguresSearch => ({
  range: isOverviewRange(search.range) ? search.range : undefined,
  ...chosenDays(search),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: figuresRangeOf,
  component: OverviewPage,
});

const providers = createRoute({
  getParentRoute: () => root,
  path: '/providers',
  validateSearch: figuresRangeOf,
  component: ProvidersPage,
});

const messages = createRoute({
  getParentRoute: () => root,
  path: '/messages',
  validateSearch: (search: Record<string, unknown>): MessagesSearch => {
    const state = search.state === 'pending' || search.state === 'unknown' ? search.state : 'failed';
    const by = search.by === 'first' ? search.by : undefined;
    const [reason, code] =
      state === 'failed' ? [text(search.reason), typedText(search.code)] : [undefined, undefined];
    const wait = state === 'pending' ? waits.find((known) => known === search.wait) : undefined;
    const country = /^[A-Z]{2}$/.test(String(search.country)) ? String(search.country) : undefined;
    const source = text(search.source);
    return {
      state,
      by,
      ...rangeOf(search),
      status: text(search.status),
      reason,
      code,
      wait,
      country,
      id: typedText(search.id),
      source,
    };
  },
  component: MessagesPage,
});

const message = createRoute({
  getParentRoute: () => root,
  path: '/messages/$messageId',
  component: MessagePage,
});

const code = createRoute({
  getParentRoute: () => root,
  path: '/codes/$code',
  component: CodePage,
});

/** It is opened seldom, so its words are loaded with it. */
const proof = createRoute({
  getParentRoute: () => root,
  path: '/messages/$messageId/proof',
  component: lazyRouteComponent(() => import('../pages/messages/proof.tsx'), 'ProofPage'),
});

const conversation = createRoute({
  getParentRoute: () => root,
  path: '/conversations/$of',
  component: ConversationPage,
});

const sends = createRoute({
  getParentRoute: () => root,
  path: '/sends',
  validateSearch: (search: Record<string, unknown>): SendsSearch => ({
    ...rangeOf(search),
    order: isSendOrder(search.order) ? search.order : undefined,
    name: text(search.name),
    source: text(search.source),
  }),
  component: SendsPage,
});

const send = createRoute({
  getParentRoute: () => root,
  path: '/sends/$sendId',
  validateSearch: ({ state, reason, code }: Record<string, unknown>): SendSearch => {
    const known = isOutcome(state) ? state : undefined;
    if (known !== 'failed' || text(reason) === undefined)
      return { state: known, reason: undefined, code: undefined };
    return { state: known, reason: text(reason), code: typeof code === 'string' ? code : undefined };
  },
  component: SendPage,
});

const replies = createRoute({
  getParentRoute: () => root,
  path: '/replies',
  validateSearch: (search: Record<string, unknown>): RepliesSearch => ({
    ...rangeOf(search),
    words: typedText(search.words),
    source: text(search.source),
  }),
  component: RepliesPage,
});

const optOuts = createRoute({
  getParentRoute: () => root,
  path: '/opt-outs',
  validateSearch: (search: Record<string, unknown>): OptOutsSearch => ({
    ...rangeOf(search),
    by: optOutOrigins.find((known) => known === search.by),
    source: text(search.source),
  }),
  component: OptOutsPage,
});

const quarantine = createRoute({
  getParentRoute: () => root,
  path: '/quarantine',
  validateSearch: (search: Record<string, unknown>): QuarantineSearch => ({
    ...rangeOf(search),
    reason: text(search.reason),
    source: text(search.source),
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
  providers,
  messages,
  message,
  code,
  proof,
  conversation,
  sends,
  send,
  replies,
  optOuts,
  quarantine,
  quarantineEntry,
  health,
]);

/** All filters are texts. The router's own writer would put quotation marks around one of digits. */
function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

export const createConsoleRouter = () =>
  createRouter({
    routeTree,
    defaultErrorComponent: BrokenPage,
    scrollRestoration: true,
    parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
    stringifySearch,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
