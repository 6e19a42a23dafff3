export { createWebhookStateTable } from './registration/webhook-state-store.ts';
export { createSecretCache, createWebhookSecretStore } from './secret/webhook-secret-store.ts';
