import { contractHash } from '../../contract/events/body.ts';
import { createMapper } from '../../contract/events/mapping.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import * as scheme from '../../contract/signature/verify.ts';
import { createCapture } from '../../functions/receive/captured-requests.ts';
import { decodeEnvelope, type Envelope, encodeEnvelope } from '../../functions/receive/envelope.ts';
import { contractRules } from '../../functions/receive/ingest/contract-rules.ts';
import { receive } from '../../functions/receive/ingest/receive.ts';
import { createRejectionPolicy } from '../../functions/receive/ingest/rejection-policy.ts';
import type { QuarantineEntry } from '../../functions/receive/quarantine/quarantine.ts';
import { replayableRequest } from '../../functions/receive/quarantine/replayable-request.ts';
import type { SecretDocument } from '../../functions/registration/secret/secret-document.ts';
import { httpApiEvent, type RequestParts } from '../../tools/support/lambda-events.ts';
import { queueMessage } from '../unit/functions/receive/worker/queue-messages.ts';
import { workerUnderTest } from '../unit/functions/receive/worker/worker-under-test.ts';
import { recorder } from './recorder.ts';

interface PipelineSettings {
  /** The secret that the pipeline has stored at first. */
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether requests with an unknown signature are parked. */
  readonly parks?: boolean;
  /** Whether requests that would be rejected are captured. */
  readonly captures?: boolean;
}

export const webhookUrl = 'https://example.test/webhooks/sms';

/** Ingest, the queue and the worker of a contract in memory, composed as the handlers do it. */
export function contractPipeline(contract: Contract, settings: PipelineSettings) {
  const { rules, headersRead, hasSecret } = contractRules(
    { ...contract.webhook, hash: contractHash(contract) },
    scheme,
  );
  const stored: { document: SecretDocument; confirmed: { at: string; versionId: string } | undefined } = {
    document: { version: 1, current: { secret: settings.secret, since: '2026-01-01T00:00:00.000Z' } },
    confirmed: undefined,
  };
  const clock = () => settings.now;
  const { log, count, lines } = recorder();
  const queue: string[] = [];
  const cache = { read: async () => stored.document, reread: async () => stored.document };
  const policy = createRejectionPolicy({
    cache,
    verify: rules.verify,
    park: settings.parks ? 'always' : 'rotating',
    headersRead: headersRead.all,
    capture: createCapture({
      until: settings.captures ? new Date(settings.now + 60_000).toISOString() : '',
      credentials: headersRead.credentials,
      signatures: headersRead.signatures,
      tokenIn: rules.tokenIn,
    }),
    signals: { send: async () => undefined },
    clock,
    log,
    count,
  });
  const map = createMapper(contract);
  const worker = workerUnderTest({
    map,
    parked: (recorded) => ({
      verify: rules.verify,
      tokenIn: rules.tokenIn,
      readsQuery: contract.webhook.reads?.query !== undefined,
      state: { read: async () => (stored.confirmed === undefined ? {} : { confirmed: stored.confirmed }) },
      secret: { read: async () => ({ versionId: 'v1', document: stored.document }) },
      harmlessHeaders: headersRead.signatures,
      visibility: { change: async () => [] },
      ...recorded,
    }),
  });
  let delivered = 0;

  return {
    ...worker,
    lines,
    /** The requests that ingest queued and the worker has not yet read. */
    queued: (): Envelope[] => queue.flatMap((text) => decodeEnvelope(text) ?? []),
    /** Posts a request to the webhook. */
    post: (request: RequestParts) =>
      receive(httpApiEvent(request), {
        ...rules,
        secrets: hasSecret ? { cache, policy } : undefined,
        queue: { send: async (text) => void queue.push(text) },
        clock,
        log,
        count,
        webhookUrl,
      }),
    /** Lets the worker read what is queued. */
    async deliver(): Promise<void> {
      const texts = queue.splice(0);
      const failed = await worker.work(
        texts.map((text, index) => queueMessage(`q-${delivered + index}`, text)),
      );
      delivered += texts.length;
      if (failed.length > 0) throw new Error(`the worker left ${failed.length} requests in the queue`);
    },
    /** Replaces the stored secret, which the service confirms. */
    storeSecret(secret: string): void {
      stored.document = { version: 1, current: { secret, since: '2026-01-01T00:00:00.000Z' } };
      stored.confirmed = { at: new Date(settings.now + 3_600_000).toISOString(), versionId: 'v1' };
    },
    /** Sends an entry of the quarantine to the worker again. @returns why it stays, if it does */
    replay(entry: QuarantineEntry): string | undefined {
      const replayable = replayableRequest({ ...entry, id: 'entry' }, { source: 'main', contract, map });
      if ('stays' in replayable) return replayable.stays;
      queue.push(encodeEnvelope(replayable.envelope));
      return undefined;
    },
  };
}
