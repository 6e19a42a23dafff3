import type { Fault, Service } from '../../engine/fault-control.ts';
import type { Scene } from './scene.ts';
import type { Part } from './spoiled-calls.ts';

const report = (scene: Scene, cell: string) => scene.report(cell);

/** The worker's input: reports, a reply with STOP, an unreadable body, and a forged request. */
async function mixed(scene: Scene, cell: string): Promise<void> {
  await Promise.all([
    scene.report(cell),
    scene.report(cell),
    scene.stop(cell),
    scene.sendUnreadable(cell),
    scene.forge(cell),
  ]);
}

/** The publisher's input: a message, a reply, and the register's entry for its number. */
async function reportAndStop(scene: Scene, cell: string): Promise<void> {
  await Promise.all([scene.report(cell), scene.stop(cell)]);
}

/** Requests that the pipeline cannot verify yet: it does not know the newest secret of the service. */
const parked = {
  prepare: (scene: Scene) => scene.sandbox.rotateElsewhere(),
  async stimulate(scene: Scene, cell: string) {
    await Promise.all([scene.reportByService(cell), scene.forge(cell)]);
  },
  recover: (scene: Scene) => scene.reconcileUntilGood(),
};

/** A change at the service outside of the pipeline, which the pipeline finds, stores and publishes. */
const drift = {
  async stimulate(scene: Scene) {
    await scene.changeElsewhere();
    await scene.reconcile();
  },
  async recover(scene: Scene, cell: string) {
    await scene.reconcileUntilGood();
    await scene.reportByService(cell);
  },
};

/** Ends the processes first: a running process has cached its secret or token, and does not read it again. */
const cold = (label: string) => ({
  isHeld: true,
  prepare: async (scene: Scene) => void (await scene.kill(label)),
});

const stop = (scene: Scene, cell: string) => scene.stop(cell);
const thank = (scene: Scene, cell: string) => scene.thank(cell);
const degrade = (scene: Scene, cell: string) => scene.degrade(cell);
const expire = (scene: Scene, cell: string) => scene.letCardExpire(cell);

type How = Omit<Part, 'stage' | 'caller' | 'service' | 'operation'>;

function part(stage: Part['stage'], caller: string, service: Service, operation: string, how: How): Part {
  return { ...how, stage, caller, service, operation };
}

const makeContact = 'POST /v1/contacts/store';
const contactRefused: Fault = { service: 'sms-service', operation: makeContact, kind: 'fail' };

/** The secret is rotated outside of the pipeline, which must notice that by the requests that do not verify. */
const noticed: How = {
  async prepare(scene) {
    // A function that has verified a request recently delays its signal. A cold function signals the first mismatch at once.
    await scene.kill('ingest');
    await scene.sandbox.rotateElsewhere();
  },
  stimulate: (scene, cell) => scene.reportByService(cell),
  recover: (scene, cell) => scene.untilNoticed(cell),
};

/** Drift that setup has found. It is published at most once (docs/reference/events.md), so the fault may prevent that. Then the log shows it. */
const driftReported: How = {
  prepare: (scene) => scene.countDrift(),
  stimulate: drift.stimulate,
  async recover(scene, cell) {
    await drift.recover(scene, cell);
    await scene.untilMoreDriftIsReported();
  },
};

/** The calls that the drill spoils. */
export const parts: readonly Part[] = [
  part('ingest', 'ingest', 'sqs', 'SendMessage', { stimulate: report }),
  part('ingest', 'ingest', 'secretsmanager', 'GetSecretValue', { ...cold('ingest'), stimulate: report }),

  part('worker', 'worker poller', 'sqs', 'ReceiveMessage', { isHeld: true, stimulate: mixed }),
  part('worker', 'worker poller', 'sqs', 'DeleteMessageBatch', { stimulate: mixed }),
  part('worker', 'worker', 'sqs', 'ChangeMessageVisibilityBatch', parked),
  part('worker', 'worker', 'dynamodb', 'UpdateItem', { stimulate: mixed }),
  part('worker', 'worker', 'dynamodb', 'PutItem', { stimulate: mixed }),
  part('worker', 'worker', 'dynamodb', 'GetItem', parked),
  part('worker', 'worker', 'secretsmanager', 'GetSecretValue', parked),

  part('publisher', 'publisher poller', 'dynamodb', 'GetRecords', {
    isHeld: true,
    stimulate: reportAndStop,
  }),
  part('publisher', 'publisher', 'events', 'PutEvents', { stimulate: reportAndStop }),
  part('publisher', 'publisher', 'sqs', 'SendMessage', {
    stimulate: (scene, cell) => scene.putStrayItem(cell),
  }),

  part('setup', 'setup poller', 'sqs', 'ReceiveMessage', { isHeld: true, ...noticed }),
  part('setup', 'setup poller', 'sqs', 'DeleteMessageBatch', noticed),
  part('setup', 'setup', 'dynamodb', 'GetItem', drift),
  part('setup', 'setup', 'dynamodb', 'UpdateItem', drift),
  part('setup', 'setup', 'dynamodb', 'Query', drift),
  part('setup', 'setup', 'secretsmanager', 'GetSecretValue', drift),
  part('setup', 'setup', 'secretsmanager', 'PutSecretValue', drift),
  part('setup', 'setup', 'secretsmanager', 'UpdateSecretVersionStage', drift),
  part('setup', 'setup', 'events', 'PutEvents', driftReported),
  part('setup', 'setup', 'sms-service', 'POST /v1/auth/token', { ...drift, ...cold('setup') }),
  part('setup', 'setup', 'sms-service', 'GET /v1/account/webhook', drift),
  part('setup', 'setup', 'sms-service', 'PUT /v1/account/webhook', drift),

  part('automations', 'opt-out poller', 'sqs', 'ReceiveMessage', { isHeld: true, stimulate: stop }),
  part('automations', 'opt-out poller', 'sqs', 'DeleteMessageBatch', { stimulate: stop }),
  part('automations', 'opt-out', 'sqs', 'ChangeMessageVisibilityBatch', {
    neededFault: contactRefused,
    stimulate: stop,
  }),
  part('automations', 'opt-out', 'sqs', 'SendMessage', {
    stimulate: (scene, cell) => scene.sendNoEvent(cell),
  }),
  part('automations', 'opt-out', 'dynamodb', 'GetItem', { stimulate: stop }),
  part('automations', 'opt-out', 'secretsmanager', 'GetSecretValue', { ...cold('opt-out'), stimulate: stop }),
  part('automations', 'opt-out', 'sms-service', makeContact, { stimulate: stop }),
  part('automations', 'contact-sync', 'dynamodb', 'UpdateItem', { stimulate: thank }),
  part('automations', 'contact-sync', 'dynamodb', 'DeleteItem', {
    neededFault: contactRefused,
    stimulate: thank,
  }),
  part('automations', 'contact-sync', 'sms-service', makeContact, { stimulate: thank }),
  part('automations', 'billing-watch', 'secretsmanager', 'GetSecretValue', {
    ...cold('billing-watch'),
    stimulate: expire,
  }),
  part('automations', 'billing-watch', 'sms-service', 'GET /v1/billing/cards', { stimulate: expire }),
  part('automations', 'billing-watch', 'events', 'PutEvents', { stimulate: expire }),
  ...['GetItem', 'PutItem', 'Query'].map((operation) =>
    part('automations', 'delivery-watch', 'dynamodb', operation, { stimulate: degrade }),
  ),
  part('automations', 'delivery-watch', 'events', 'PutEvents', { stimulate: degrade }),
];

/** The calls that the drill does not spoil, with the reason. A key is `<caller>`, `<caller> <service>` or `<caller> <service> <operation>`. */
export const notSpoiled: Readonly<Record<string, string>> = {
  query: 'it changes nothing: a query that fails is answered with an error',
  insights: 'the drill insights kills it and spoils its calls, and compares every count with a recount',
  sweep: 'its next scheduled run does the rest, and each mark is one conditional write',
  'failure-alert':
    'it reads a queue as opt-out does, and its notices go through SNS, whose calls cannot be spoiled',
  'any poller sqs GetQueueAttributes': 'Lambda calls it during the set-up, before there are messages',
  'any poller dynamodb ListStreams': 'Lambda calls it during the set-up, before there are records',
  'any poller dynamodb DescribeStream':
    'Lambda finds the shards of a stream in its own way, so this would test only the local run',
  'any poller dynamodb GetShardIterator':
    'Lambda finds its position in a stream in its own way, so this would test only the local run',
  'contact-sync poller sqs': 'the queue is read by the code that reads that of opt-out',
  'contact-sync sqs': 'the code of opt-out retries messages, and sends them to the dead-letter queue',
  'contact-sync secretsmanager': 'the API key is read by the code of opt-out',
  'opt-out sms-service POST /v1/auth/token': 'the code of setup requests the token',
  'contact-sync sms-service POST /v1/auth/token': 'the code of setup requests the token',
  'billing-watch sms-service POST /v1/auth/token': 'the code of setup requests the token',
  'delivery-watch dynamodb BatchGetItem':
    'it is called only if the traffic of the drill itself degrades, which is chance. If it fails, the run ends before it writes, as with Query',
  forward: 'it reads a queue as opt-out does, and calls only the receiver of the events',
};
