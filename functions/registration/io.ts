export { createSecretCache, createWebhookSecretStore } from './secret/webhook-secret-store.ts';
export { createWebhookStateTable } from './webhook-state-store.ts';
