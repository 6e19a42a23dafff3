export { watchStateKey } from './delivery-watch/watch-state-store.ts';
