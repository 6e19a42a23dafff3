import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Arrival } from '../api/sign-in.ts';
import { PreferencesProvider } from '../viewer/preferences.tsx';
import { createConsoleRouter } from './router.tsx';
import { SessionGate } from './session-gate.tsx';

/** Shows the console in its page. */
export function start(client: QueryClient, arrival: Arrival): void {
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
}
