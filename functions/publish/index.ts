export type { EventBus } from './bus/event-bus-client.ts';
export { busEventId } from './bus/event-id.ts';
export { publishedPrefixes } from './publisher/item-kinds.ts';
