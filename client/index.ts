// The module `sms-event-pipeline/client`.
export {
  allCsv,
  allEntries,
  createClient,
  type QueryClient,
  type QueryClientSettings,
} from './query-client.ts';
export { QueryError } from './query-error.ts';
export { createSignedFetch, type Keys, type SignedFetchSettings } from './signed-fetch.ts';
export type * from './types.ts';
