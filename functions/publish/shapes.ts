export { type DetailType, detailTypes, eventSource } from '../../events/event-types.ts';
export {
  type BusEvent,
  type Details,
  detailSchemas,
  publishedSchema,
  type webhookDriftKinds,
} from './bus/details.ts';
