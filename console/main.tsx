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
import { onSessionEnd } from './api/bearer.ts';
import { isBusy, RequestError, reveal } from './api/request.ts';
import { showFirstAnswer } from './app/first-answer.ts';
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

onSessionEnd(() => {
  client.clear();
  reveal(false);
});

/** A link on which this module, of about 25 KB, took longer than this is slow: the rest takes seconds. In milliseconds. */
const slowMs = 600;

/** How long the code waits for the figures, in milliseconds. */
const maxWaitMs = 2000;

// This module is small. It asks for the data of the first view while the code that shows them is loaded.
const language = firstLanguage();
const words = loadWords(language);
// Before the router reads the address, which may be that of a sign-in.
const arrival = await arrive();
const firstAnswer = arrival.kind === 'open' ? askFirst(client) : undefined;
const shown = Promise.all([firstAnswer, words]).then(([answer]) => {
  if (answer !== undefined) showFirstAnswer(answer.insights, answer.times, language);
});
// On a slow link the code would take most of the link from the figures. A server that does not answer must not keep the page away.
if (performance.now() > slowMs && window.location.pathname === '/')
  await Promise.race([
    shown.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, maxWaitMs)),
  ]);
const [{ start }] = await Promise.all([import('./app/start.tsx'), words]);
start(client, arrival);
