import { memoryContactLease } from '../../support/fakes/contact-lease.ts';
import { memoryDriftRegister } from '../../support/fakes/drift-register.ts';
import { memoryBus } from '../../support/fakes/event-bus.ts';
import { memoryHistory } from '../../support/fakes/history.ts';
import { memoryQuarantine } from '../../support/fakes/quarantine.ts';
import { createMemoryWebhook } from '../../support/fakes/sms-service-webhook.ts';
import { createMemoryStore } from '../../support/fakes/webhook-secret-store.ts';
import { createMemoryState } from '../../support/fakes/webhook-state.ts';
import { contactLeaseSuite } from '../../support/suites/contact-lease.ts';
import { driftRegisterSuite } from '../../support/suites/drift-register.ts';
import { eventBusSuite } from '../../support/suites/event-bus.ts';
import { historyListsSuite } from '../../support/suites/history-lists.ts';
import { historyWriterSuite } from '../../support/suites/history-writer.ts';
import { optOutRegisterSuite } from '../../support/suites/opt-out-register.ts';
import { quarantineSuite } from '../../support/suites/quarantine.ts';
import { describeWebhookService } from '../../support/suites/sms-service-webhook.ts';
import { staleMarkerSuite } from '../../support/suites/stale-marker.ts';
import { describeWebhookSecretStore } from '../../support/suites/webhook-secret-store.ts';
import { describeWebhookState } from '../../support/suites/webhook-state.ts';

const fake = 'in memory';

historyWriterSuite(fake, async () => memoryHistory());
historyListsSuite(fake, async () => memoryHistory());
optOutRegisterSuite(fake, async () => memoryHistory().register);
staleMarkerSuite(fake, async () => memoryHistory({}, 10));
driftRegisterSuite(fake, async () => memoryDriftRegister());
quarantineSuite(fake, async () => memoryQuarantine());
contactLeaseSuite(fake, async () => memoryContactLease());
describeWebhookSecretStore(fake, () => createMemoryStore());
describeWebhookState(fake, () => createMemoryState());
describeWebhookService('an SMS service in memory', () => createMemoryWebhook());
eventBusSuite(fake, async () => {
  let isThrottled = false;
  const { publish, published } = memoryBus(() =>
    isThrottled ? { kind: 'failed', error: 'ThrottlingException' } : { kind: 'published' },
  );
  return {
    publish,
    details: async () => published.map(({ detail }) => detail),
    throttle: () => {
      isThrottled = true;
    },
  };
});
