import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/list.css';
import './styles/detail.css';
import './styles/figures.css';
import './styles/print.css';
import { QueryClient } from '@tanstack/react-query';
import { arrive } from './api/arrival.ts';
import { askFirst } from './api/ask-first.ts';
import { isBusy, RequestError } from './api/request.ts';
import { firstLanguage, loadWords } from './viewer/catalogues.ts';

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

// This module is small. It asks for the data of the first view while the code that shows them is loaded.
const app = import('./app/start.tsx');
const words = loadWords(firstLanguage());
// Before the router reads the address, which may be that of a sign-in.
const arrival = await arrive();
if (arrival.kind === 'open') void askFirst(client);
const [{ start }] = await Promise.all([app, words]);
start(client, arrival);
