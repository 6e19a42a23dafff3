export { createEventBus } from './bus/event-bus-client.ts';
