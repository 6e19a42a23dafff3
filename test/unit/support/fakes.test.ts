import { memoryContactLease } from '../../support/fakes/contact-lease.ts';
import { memoryDriftRegister } from '../../support/fakes/drift-register.ts';
import { memoryBus } from '../../support/fakes/event-bus.ts';
import { memoryHistory } from '../../support/fakes/history.ts';
import { memoryQuarantine } from '../../support/fakes/quarantine.ts';
import { contactLeaseSuite } from '../../support/suites/contact-lease.ts';
import { driftRegisterSuite } from '../../support/suites/drift-register.ts';
import { eventBusSuite } from '../../support/suites/event-bus.ts';
import { historyListsSuite } from '../../support/suites/history-lists.ts';
import { historyWriterSuite } from '../../support/suites/history-writer.ts';
import { optOutRegisterSuite } from '../../support/suites/opt-out-register.ts';
import { quarantineSuite } from '../../support/suites/quarantine.ts';
import { staleMarkerSuite } from '../../support/suites/stale-marker.ts';

const fake = 'in memory';

historyWriterSuite(fake, async () => memoryHistory());
historyListsSuite(fake, async () => memoryHistory());
optOutRegisterSuite(fake, async () => memoryHistory().register);
staleMarkerSuite(fake, async () => memoryHistory({}, 10));
driftRegisterSuite(fake, async () => memoryDriftRegister());
quarantineSuite(fake, async () => memoryQuarantine());
contactLeaseSuite(fake, async () => memoryContactLease());
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
