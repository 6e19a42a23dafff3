import { localBus } from '../../../support/local-bus.ts';
import { statusEvent } from '../event-bodies.ts';
import type { Scenario } from '../scenario.ts';
import { untilAllPublished, untilPublished } from './publisher.ts';

/** The bus throttles, and Lambda may not receive the events any more: both are waited for five minutes, really. */
export const behind: Scenario = {
  alarms: ['PublisherPublisherBehind', 'EventsQueueBehind'],
  how: 'the bus throttles every PutEvents (/local/event-bridge/faults), and SQS refuses to let Lambda receive (/local/faults), as where the role of the worker was changed; really waited',
  async play({ site, fired, step, fixed, undo }) {
    const bus = localBus(site.pipeline.port);
    await bus.fail({ throttle: true });
    undo(() => bus.recover());
    await site.post(statusEvent('drill-late'));
    await site.untilStored('drill-late');
    const before = site.monitor.countsOf('worker');
    const fix = await site.spoilPoller('worker');
    undo(fix);
    await site.post(statusEvent('drill-behind'));
    await fired({ deadlineMs: 420_000 });
    await step('PUBLISH-01 names a throttled bus', () =>
      site.expectLogged('publisher', 'PUBLISH-01', /Throttling/),
    );
    await step('a higher PutEvents quota: the bus takes events again', () => bus.recover());
    await step('EventsWorker: no errors and no throttles', () => {
      const { errors, throttles } = site.monitor.countsOf('worker');
      if (errors > before.errors || throttles > before.throttles) throw new Error('the worker was started');
    });
    await step('deploy: the role is as it was', fix);
    await step('the age of the oldest event falls, and the publisher catches up by itself', async () => {
      await site.untilStored('drill-behind', 150_000);
      await site.untilEmpty('EventsQueueUrl', 150_000);
      // Messages of other scenarios were delayed as long.
      await untilAllPublished(site);
    });
    await fixed();
    await step('dlq list: none', () => site.untilListedEmpty('DeadLetterQueueUrl'));
    await site.post(statusEvent('drill-in-time'));
    await untilPublished(site, 'drill-in-time');
  },
};
