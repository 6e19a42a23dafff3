import type { Fault, Service } from './fault-control.ts';
import type { Scene } from './scene.ts';

/** Where in the pipeline calls go wrong. */
export const stages = ['ingest', 'worker', 'publisher', 'setup', 'automations'] as const;
export type Stage = (typeof stages)[number];

/** Calls of one caller to one service, and how to make it call. */
export interface Part {
  readonly stage: Stage;
  readonly service: Service;
  /** A function's label, or `<label> poller` for what Lambda calls in its name. */
  readonly caller: string;
  /** What has to fail besides, so that the call is made at all. */
  readonly besides?: Fault;
  /** A process calls once and remembers the answer, so the first call has to go wrong. */
  readonly isCalledOnce?: boolean;
  /** Done once, before anything goes wrong. */
  prepare?(scene: Scene, cell: string): Promise<void>;
  /** Makes the caller call; may come back only when the fault is gone. Done again until the fault has met a call. */
  stimulate(scene: Scene, cell: string): Promise<void>;
  /** Done when nothing goes wrong any more, where the pipeline has to be told so. */
  recover?(scene: Scene, cell: string): Promise<void>;
}

const report = (scene: Scene, cell: string) => scene.report(cell);

/** What the worker meets: reports, a body nobody can read, and a request that is forged. */
async function mixed(scene: Scene, cell: string): Promise<void> {
  await Promise.all([scene.report(cell), scene.report(cell), scene.sendUnreadable(cell), scene.forge(cell)]);
}

/** Requests that the pipeline cannot verify yet: it does not know the newest secret of the service. */
const parked = {
  prepare: (scene: Scene) => scene.rotateElsewhere(),
  async stimulate(scene: Scene, cell: string) {
    await Promise.all([scene.reportByService(cell), scene.forge(cell)]);
  },
  recover: (scene: Scene) => scene.reconcileUntilGood(),
};

/** A change at the service, past the pipeline, that it finds, stores and tells of. */
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

/** A function that has been running knows its secret or token, and would not ask. */
const cold = (label: string) => ({
  isCalledOnce: true,
  prepare: async (scene: Scene) => void (await scene.kill(label)),
});

const expire = (scene: Scene) => scene.letCardExpire();

const stop = (scene: Scene, cell: string) => scene.stop(cell);

/** Every call that a function of the pipeline makes to one of the services. */
export const parts: readonly Part[] = [
  { stage: 'ingest', service: 'sqs', caller: 'ingest', stimulate: report },
  {
    stage: 'ingest',
    service: 'secretsmanager',
    caller: 'ingest',
    ...cold('ingest'),
    stimulate: report,
  },

  { stage: 'worker', service: 'sqs', caller: 'worker poller', stimulate: mixed },
  { stage: 'worker', service: 'sqs', caller: 'worker', ...parked },
  { stage: 'worker', service: 'dynamodb', caller: 'worker', stimulate: mixed },
  { stage: 'worker', service: 'secretsmanager', caller: 'worker', ...parked },

  {
    stage: 'publisher',
    service: 'sqs',
    caller: 'publisher',
    stimulate: (scene, cell) => scene.putStrayItem(cell),
  },
  { stage: 'publisher', service: 'dynamodb', caller: 'publisher poller', stimulate: report },
  { stage: 'publisher', service: 'events', caller: 'publisher', stimulate: report },

  {
    stage: 'setup',
    service: 'sqs',
    caller: 'setup poller',
    // What was verified a moment ago makes a mismatch less alarming: a cold function tells of it at once.
    prepare: async (scene) => {
      await scene.kill('ingest');
      await scene.rotateElsewhere();
    },
    stimulate: (scene, cell) => scene.reportByService(cell),
    recover: (scene) => scene.reconcileUntilGood(),
  },
  { stage: 'setup', service: 'dynamodb', caller: 'setup', ...drift },
  { stage: 'setup', service: 'secretsmanager', caller: 'setup', ...drift },
  { stage: 'setup', service: 'events', caller: 'setup', ...drift },
  { stage: 'setup', service: 'sms-service', caller: 'setup', ...drift },

  { stage: 'automations', service: 'sqs', caller: 'opt-out poller', stimulate: stop },
  {
    stage: 'automations',
    service: 'sqs',
    caller: 'opt-out',
    besides: { service: 'sms-service', operation: 'POST /v1/contacts/store', kind: 'fail' },
    stimulate: stop,
  },
  { stage: 'automations', service: 'dynamodb', caller: 'opt-out', stimulate: stop },
  {
    stage: 'automations',
    service: 'secretsmanager',
    caller: 'opt-out',
    ...cold('opt-out'),
    stimulate: stop,
  },
  { stage: 'automations', service: 'sms-service', caller: 'opt-out', stimulate: stop },
  {
    stage: 'automations',
    service: 'secretsmanager',
    caller: 'billing-watch',
    ...cold('billing-watch'),
    stimulate: expire,
  },
  { stage: 'automations', service: 'sms-service', caller: 'billing-watch', stimulate: expire },
  { stage: 'automations', service: 'events', caller: 'billing-watch', stimulate: expire },
];
