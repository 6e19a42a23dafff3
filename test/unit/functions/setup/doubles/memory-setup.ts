import { deadlineAt } from '../../../../../functions/runtime/basics.ts';
import type { SetupPorts } from '../../../../../functions/setup/request.ts';
import { ok } from '../../../../../functions/sms-service/request.ts';
import { acceptedSecrets, markLeadMs } from '../../../../../functions/webhook/secret-document.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { recorder } from '../../../../../tools/support/recorder.ts';
import { createTestPorts } from '../../sms-service/test-ports.ts';
import { createMemoryBus, createMemoryState, createMemoryStore } from './memory-ports.ts';
import { createMemoryWebhook } from './memory-webhook.ts';
import { hour, webhookUrl } from './setup-under-test.ts';

const firstSecret = 'whsec_MA==';

/**
 * A registered webhook with everything in memory, for runs that are stopped anywhere. At every call of a port it is checked
 * that no event of the service would be refused, and that no rotation is asked for before its mark has stood long enough.
 */
export function createMemorySetup() {
  const { ports, advance } = createTestPorts();
  const store = createMemoryStore({
    version: 1,
    current: { secret: firstSecret, since: '2026-01-01T00:00:00.000Z' },
  });
  const state = createMemoryState({ wanted: 'registered' });
  const log = recorder();
  const bus = createMemoryBus();
  const broken: string[] = [];
  const { webhook, rotations, client } = createMemoryWebhook({ url: webhookUrl, secret: firstSecret });

  const service: SetupPorts['service'] = {
    readWebhook: client.readWebhook,
    setWebhook: async (input) => {
      const since = Date.parse(store.document?.rotating?.since ?? '');
      if (input.rotate_secret === true && !(ports.clock() - since >= markLeadMs))
        broken.push('rotated without a mark that was stored long enough');
      return client.setWebhook(input);
    },
  };

  function check(): void {
    const { document } = store;
    const isAccepted = document && acceptedSecrets(document, ports.clock()).includes(webhook.secret);
    if (!isAccepted && document?.rotating === undefined) broken.push('an event would have been refused');
  }

  /** A new invocation; `stop` names the call of a port that it never gets an answer to, the first being 1. */
  function invoke(stop: Stop = { at: Number.POSITIVE_INFINITY, isDone: false }) {
    let calls = 0;
    let reached: (() => void) | undefined;
    const stopped = new Promise<'stopped'>((resolve) => {
      reached = () => resolve('stopped');
    });
    function stoppable<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) {
      return async (...args: A): Promise<R> => {
        check();
        if (++calls < stop.at) return call(...args);
        if (stop.isDone) await call(...args);
        check();
        reached?.();
        return new Promise<R>(() => undefined);
      };
    }
    const connected = {
      readWebhook: stoppable(service.readWebhook),
      setWebhook: stoppable(service.setWebhook),
    };
    const dependencies: SetupPorts = {
      ...ports,
      registration: 'on',
      readApiKey: async () => ok('key'),
      connect: () => connected,
      service: connected,
      store: { read: stoppable(store.read), replace: stoppable(store.replace) },
      state: {
        ...state,
        read: stoppable(state.read),
        setWanted: stoppable(state.setWanted),
        assumeWanted: stoppable(state.assumeWanted),
        takeTurn: stoppable(state.takeTurn),
        recordReconcile: stoppable(state.recordReconcile),
        recordConfirmed: stoppable(state.recordConfirmed),
        noteDrift: stoppable(state.noteDrift),
        mismatchesLastHour: stoppable(state.mismatchesLastHour),
      },
      bus: { publish: stoppable(bus.publish) },
      webhookUrl,
      signature: shippedContract.webhook.signature,
      overlapMs: 24 * hour,
      onDrift: 'repair',
      rotateAfterMs: undefined,
      captureSetting: '',
      requestId: `request-${ports.clock()}`,
      deadline: deadlineAt(ports.clock() + 45_000, ports.clock),
      sleep: stoppable(async (ms) => ports.sleep(ms)),
      log: log.log,
      count: log.count,
    };
    return { dependencies, stopped };
  }

  return {
    store,
    state,
    webhook,
    published: bus.published,
    invoke,
    advance,
    clock: ports.clock,
    /** The rules that were broken, in words. */
    broken,
    rotations,
    firstSecret,
  };
}

/** Where a run is stopped: at a call of a port, before or after what the call does. */
export interface Stop {
  readonly at: number;
  readonly isDone: boolean;
}
