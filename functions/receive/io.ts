export { createQuarantineReader } from './quarantine/quarantine-list-store.ts';
export {
  createQuarantine,
  quarantinedFromItem,
  quarantineKey,
  quarantineKeys,
} from './quarantine/quarantine-store.ts';
export { createRequeue } from './quarantine/requeue-store.ts';
