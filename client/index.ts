// The module `sms-event-pipeline/client`.
export type { QueryClient } from './generated/sdk.gen.ts';
export type * from './generated/types.gen.ts';
export { allCsv, allEntries, createClient, type QueryClientSettings } from './query-client.ts';
export { QueryError } from './query-error.ts';
export { createSignedFetch, type Keys, type SignedFetchSettings } from './signed-fetch.ts';
