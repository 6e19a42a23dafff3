export { captureLimits } from './captured-requests.ts';
export { decodeEnvelope, type Envelope, encodeEnvelope } from './envelope.ts';
export { addressNotAllowed } from './ingest/receive.ts';
export { bodyOfEvent } from './quarantine/body-of-event.ts';
export { hasWholeBody } from './quarantine/quarantine.ts';
export type { QuarantineReader } from './quarantine/quarantine-list-store.ts';
export { reasonMeanings, whyItStays } from './quarantine/reasons.ts';
export { type Replayed, type ReplayOutcome, replayEntry, whyTwice } from './quarantine/replay-entry.ts';
export {
  type NotReplayable,
  type Reading,
  replayableRequest,
  requestOf,
} from './quarantine/replayable-request.ts';
export type { Requeue } from './quarantine/requeue-store.ts';
