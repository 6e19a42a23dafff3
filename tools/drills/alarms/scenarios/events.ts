import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectContext } from '../../../../contract/document/project-store.ts';
import { readCloudAssembly } from '../../../../local/cloudformation/cloud-assembly.ts';
import { synthesize } from '../../../../local/cloudformation/synthesize.ts';
import { foreignSecret } from '../../../support/post-signed.ts';
import { until } from '../../../support/until.ts';
import { readFunctions } from '../alarms.ts';
import { statusEvent } from '../event-bodies.ts';
import type { Scenario } from '../scenario.ts';
import type { Site } from '../site.ts';

const projectDirectory = join(import.meta.dirname, '../../../..');

export const workerBroken: Scenario = {
  alarms: ['EventsConsumerErrors', 'EventsDeadLettersPresent', 'EventsNotStored'],
  how: 'a deployment of the worker that does not start; its queue gives up after one try (SetQueueAttributes) instead of 20',
  async play({ site, fired, step, sms, fixed, undo }) {
    const restoreRetries = await undo(site.shortenRetries('EventsQueueUrl', 'DeadLetterQueueUrl'));
    await site.untilEmpty('EventsQueueUrl', 240_000);
    const deploy = await undo(site.breakCode('worker'));
    const codesBefore = site.logged('worker', 'WORKER-').length;
    await site.post(statusEvent('drill-broken'));
    await fired();
    await step('log EventsWorker: no WORKER code, but errors', async () => {
      await until('its log names the error', () => site.logged('worker', 'does not start').length > 0);
      if (site.logged('worker', 'WORKER-').length > codesBefore) throw new Error('a WORKER code came');
    });
    await step('fix it and deploy again', async () => {
      deploy();
      await restoreRetries();
    });
    await sms('dead-letter list', 'DeadLetterQueueUrl');
    await sms('dead-letter show DeadLetterQueueUrl', 'sms.status drill-broken');
    await sms('dead-letter redrive DeadLetterQueueUrl --limit 10');
    await step('does WORKER-04 come?', async () => {
      await site.untilStored('drill-broken');
      if (site.logged('worker', 'WORKER-04').length > 0) throw new Error('WORKER-04 came');
    });
    await fixed();
    await sms('dead-letter redrive DeadLetterQueueUrl');
    await step('dead-letter list shows 0 waiting and 0 in flight', () =>
      site.untilListedEmpty('DeadLetterQueueUrl'),
    );
    await site.post(statusEvent('drill-fixed'));
    await site.untilStored('drill-fixed');
  },
};

export const storeFailing: Scenario = {
  alarms: ['EventsMessagesFailing'],
  how: 'DynamoDB throttles the worker (/local/faults), whose clock is five minutes ahead from its second try on',
  async play({ site, fired, step, log, fixed, undo }) {
    const fix = await undo(site.spoil({ caller: 'worker', service: 'dynamodb', kind: 'throttle' }));
    await site.post(statusEvent('drill-throttled'));
    await until('the worker has failed', () => site.logged('worker', 'WORKER-04').length > 0, 60_000);
    const putRight = await undo(site.shiftClock('worker', 300_000));
    await fired({ deadlineMs: 150_000 });
    await log('worker', 'WORKER-04', /ThroughputExceeded/);
    await putRight();
    await fix();
    await fixed();
    await step('what failed comes again by itself', () => site.untilStored('drill-throttled', 150_000));
    await step('dead-letter list: none', () => site.untilListedEmpty('DeadLetterQueueUrl'));
  },
};

export const contractOutdated: Scenario = {
  alarms: ['EventsEventsQuarantined'],
  how: 'a genuine event that has its time in a field that the contract does not name',
  async play({ site, fired, step, sms, fixed, undo }) {
    const { type, data } = statusEvent('drill-quarantined');
    const { occurred_at: time, ...rest } = data;
    await site.post({ type, data: { ...rest, time } });
    await fired();
    const { entries } = JSON.parse(await sms('quarantine list --since 1d --all --json'));
    await sms(`quarantine show ${entries[0]?.id} --json`, 'missing-field');
    const directory = mkdtempSync(join(tmpdir(), 'alarm-drill-'));
    try {
      const contract = join(directory, 'contract.json');
      await step('correct the contract and deploy', async () => {
        correctContract(contract);
        const deployed = await workerContract(contract, join(directory, 'cdk.out'));
        await undo(site.deployFile('worker', 'contract.json', deployed));
      });
      await fixed();
      await sms(`quarantine replay --since 7d --dry-run --contract ${contract}`, 'missing-field');
      await sms(`quarantine replay --since 7d --contract ${contract}`);
      await site.untilStored('drill-quarantined');
    } finally {
      rmSync(directory, { recursive: true });
    }
    const left = JSON.parse(await sms('quarantine list --since 7d --all --json')).entries.length;
    if (left > 0) throw new Error(`${left} left`);
  },
};

/** Writes the contract that names the other field too. */
function correctContract(file: string): void {
  const shipped = readFileSync(join(projectDirectory, 'contract.json'), 'utf8');
  writeFileSync(file, shipped.replace('"data.occurred_at"', '"data.occurred_at || data.time"'));
}

/** Returns the contract as a deployment would put it beside the worker's code. @param assembly the folder to synthesize into */
async function workerContract(contract: string, assembly: string): Promise<Buffer> {
  await synthesize(projectDirectory, assembly, {
    ...projectContext(projectDirectory),
    'sms:serviceBaseUrl': 'http://127.0.0.1:1',
    'sms:contractFile': contract,
  });
  const worker = readFunctions(readCloudAssembly(assembly)).find(({ label }) => label === 'worker');
  if (worker === undefined) throw new Error('the stacks have no worker');
  return readFileSync(join(worker.codeDirectory, 'contract.json'));
}

export const parkedRefused: Scenario = {
  alarms: ['IngestRequestsRejected'],
  how: '25 forged requests while a rotation is undecided: the service applies it, never answers and answers no read',
  async play({ site, fired, step, sms, fixed, undo }) {
    const { sandbox } = site;
    const rotations = await sandbox.rotations();
    await sandbox.setFaults({ dropAnswers: 1 });
    const recover = await undo(() => sandbox.setFaults({}));
    const rotating = site.trySms(['webhook', 'rotate']);
    await until('the service has rotated', async () => (await sandbox.rotations()) > rotations);
    await sandbox.setFaults({ refuseReads: { status: 503, calls: 1000 } });
    await rotating;
    const secret = foreignSecret();
    // Each is parked.
    for (let number = 0; number < 25; number += 1)
      await site.post(statusEvent(`forged-${number}`), 200, { secret });
    await recover();
    await step("reconcile, run by hand as its schedule does, stores the rotation's secret", () =>
      until(
        'the rotation is unconfirmed',
        async () => (await site.trySms(['webhook', 'reconcile'])).out.includes('unconfirmed, begun'),
        60_000,
      ),
    );
    await sms('webhook status', 'unconfirmed, begun');
    await step('the mark goes by itself: by reconcile, every 5 s instead of every 5 min', () =>
      until('the mark of the rotation has gone', () => isSettled(site), 240_000),
    );
    await fired({ deadlineMs: 120_000 });
    await sms('webhook status', 'the same as at the SMS service');
    const list = 'quarantine list --reason signature-mismatch --since 1d --all --json';
    // The alarm fires at ten of them; each is judged by itself.
    const entries = await step(list, () =>
      until(
        'all 25 are there',
        async () => {
          const listed = JSON.parse(await site.sms(list)).entries;
          return listed.length >= 25 && listed;
        },
        120_000,
      ),
    );
    if (entries.length !== 25) throw new Error(`${entries.length} of 25 are there`);
    await sms(`quarantine show ${entries[0].id} --json`, 'webhook-signature');
    await fixed();
    await site.post(statusEvent('drill-after-forgeries'));
    await site.untilStored('drill-after-forgeries');
    await site.untilEmpty('EventsQueueUrl');
  },
};

/** Does the schedule's five-minute work after a few seconds. */
async function isSettled(site: Site): Promise<boolean> {
  await delay(5000);
  const { code, out } = await site.trySms(['webhook', 'reconcile', '--json']);
  return code === 0 && JSON.parse(out).secret.rotating === null;
}
