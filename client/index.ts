// The module `sms-event-pipeline/client`.
export type { QueryClient } from './generated/sdk.gen.ts';
export type * from './generated/types.gen.ts';
export { allEntries, createClient, type QueryClientSettings, QueryError } from './query-client.ts';
export { createSignedFetch, type Keys, type SignedFetchSettings } from './signed-fetch.ts';
