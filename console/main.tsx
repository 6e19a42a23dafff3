import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/list.css';
import './styles/detail.css';
import './styles/figures.css';
import './styles/print.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { arrive } from './api/arrival.ts';
import { isBusy, RequestError } from './api/request.ts';
import { createConsoleRouter } from './app/router.tsx';
import { SessionGate } from './app/session-gate.tsx';
import { PreferencesProvider } from './viewer/preferences.tsx';

/** Repeats of a request at once. Later ones are of the queries. */
const maxRetries = 2;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A browser without a network still reaches the loopback interface, and other failures name their cause.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < maxRetries && isBusy(error),
      retryDelay: (failures, error) =>
        error instanceof RequestError && error.retryAfterSeconds !== undefined
          ? Math.min(error.retryAfterSeconds, 10) * 1000
          : 500 * 2 ** failures,
    },
  },
});

// Before the router reads the address, which may be that of a sign-in.
const arrival = await arrive();

const root = document.querySelector('#console');
if (root === null) throw new Error('The page has no element #console.');
const router = createConsoleRouter();
createRoot(root, {
  // The page of a failure shows it.
  onCaughtError: () => {},
}).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <PreferencesProvider>
        <SessionGate arrival={arrival}>
          <RouterProvider router={router} />
        </SessionGate>
      </PreferencesProvider>
    </QueryClientProvider>
  </StrictMode>,
);
