import { describeWebhookService } from '../../../../support/suites/sms-service-webhook.ts';
import { describeWebhookSecretStore } from '../../../../support/suites/webhook-secret-store.ts';
import { describeWebhookState } from '../../../../support/suites/webhook-state.ts';
import { createMemoryState, createMemoryStore } from './memory-ports.ts';
import { createMemoryWebhook } from './memory-webhook.ts';

describeWebhookSecretStore('memory', () => createMemoryStore());
describeWebhookState('memory', () => createMemoryState());
describeWebhookService('an SMS service in memory', () => createMemoryWebhook());
