export { type DetailType, detailTypes, eventSource } from '../../events/event-types.ts';
export { type BusEvent, type Details, detailSchemas, type webhookDriftKinds } from './bus/details.ts';
