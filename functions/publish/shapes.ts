export { type BusEvent, type Details, detailSchemas, type webhookDriftKinds } from './bus/details.ts';
export { type DetailType, detailTypes, eventSource } from './bus/event-types.ts';
