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

/** A process that has been running knows its secret or token, and would not ask. */
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

/** A secret that changed elsewhere, which the pipeline is to notice by the mismatches alone. */
const noticed: How = {
  async prepare(scene) {
    // A recent verification delays the signal of a mismatch: a cold function signals it at once.
    await scene.kill('ingest');
    await scene.sandbox.rotateElsewhere();
  },
  stimulate: (scene, cell) => scene.reportByService(cell),
  recover: (scene, cell) => scene.untilNoticed(cell),
};

/** Drift that was found, and could perhaps not be published: it is published at most once (docs/reference/events.md). */
const driftReported: How = {
  prepare: (scene) => scene.countDrift(),
  stimulate: drift.stimulate,
  async recover(scene, cell) {
    await drift.recover(scene, cell);
    await scene.untilMoreDriftIsReported();
  },
};

/** The calls that are spoiled. */
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
    besides: contactRefused,
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
    besides: contactRefused,
    stimulate: thank,
  }),
  part('automations', 'contact-sync', 'sms-service', makeContact, { stimulate: thank }),
  part('automations', 'billing-watch', 'secretsmanager', 'GetSecretValue', {
    ...cold('billing-watch'),
    stimulate: expire,
  }),
  part('automations', 'billing-watch', 'sms-service', 'GET /v1/billing/cards', { stimulate: expire }),
  part('automations', 'billing-watch', 'events', 'PutEvents', { stimulate: expire }),
  ...['GetItem', 'PutItem', 'Query', 'BatchGetItem'].map((operation) =>
    part('automations', 'delivery-watch', 'dynamodb', operation, { stimulate: degrade }),
  ),
  part('automations', 'delivery-watch', 'events', 'PutEvents', { stimulate: degrade }),
];

/** Calls without a row, with the reason; `<caller>`, `<caller> <service>` or `<caller> <service> <operation>`. */
export const notSpoiled: Readonly<Record<string, string>> = {
  query: 'it changes nothing: a question that fails is answered with an error',
  insights: 'the drill insights kills it and spoils its calls, and compares every count with a recount',
  sweep: 'its schedule does what is left the next time, each mark is one write under a condition',
  'failure-alert':
    'reads a queue as opt-out does; its notices go through SNS, which is none of the five services',
  'any poller sqs GetQueueAttributes': 'Lambda asks it when it is set up, before there is anything to lose',
  'any poller dynamodb ListStreams': 'Lambda asks it when it is set up, before there is anything to lose',
  'any poller dynamodb DescribeStream':
    'how Lambda finds the parts of a stream is its own; here the local run would be tried',
  'any poller dynamodb GetShardIterator':
    'how Lambda finds its place in a stream is its own; here the local run would be tried',
  'contact-sync poller sqs': 'the queue is read as that of opt-out is',
  'contact-sync sqs': 'messages wait and are given up by the code of opt-out',
  'contact-sync secretsmanager': 'the API key is read by the code of opt-out',
  'opt-out sms-service POST /v1/auth/token': 'the token is asked for by the code that setup has',
  'contact-sync sms-service POST /v1/auth/token': 'the token is asked for by the code that setup has',
  'billing-watch sms-service POST /v1/auth/token': 'the token is asked for by the code that setup has',
  forward: 'reads a queue as opt-out does, and calls no service but the receiver of the events',
};
