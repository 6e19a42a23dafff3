import { historyId, mainSource, splitId } from '../../../contract/events/source-id.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { isSharedSecret } from '../../../contract/signature/keys.ts';
import { formatDuration } from '../../../functions/base/basics.ts';
import { probeMessagePrefix } from '../../../functions/history/index.ts';
import { failed, ok, skipped, type Verdict, warn } from '../../../functions/query/index.ts';
import type { Connection, Target } from '../../target/connection.ts';
import type { Context, Wait } from '../../target/context.ts';
import type { ProbeAccess } from '../../target/stack/inspection.ts';
import { AddressRefusedError, postSample } from '../webhook/post-sample.ts';
import { makeSample, type SampleEvent } from '../webhook/sample-event.ts';
import { explain } from './finding.ts';

/** The number of every test message: fictitious, and no other command uses it. */
const probePhone = '+12025550199';

/** A run that began longer ago than this has ended, so what it left may be removed. */
const leftAfterMs = 15 * 60_000;

/** The steps of a test message, in their order. */
export const probeSteps = ['webhook', 'history', 'bus', 'clean-up'] as const;

export type ProbeResult = Readonly<Record<(typeof probeSteps)[number], Verdict>>;

export interface ProbeOptions {
  readonly contract: Contract;
  readonly connection: Connection;
  readonly context: Pick<Context, 'clock' | 'post' | 'newId'>;
  readonly wait: Wait;
  /** How long to wait for the event, in milliseconds. */
  readonly waitMs: number;
  /** The pipeline, for advice. */
  readonly target: Target;
}

const all = (verdict: Verdict): ProbeResult => ({
  webhook: verdict,
  history: verdict,
  bus: verdict,
  'clean-up': verdict,
});

export function skipProbe(reason: string): ProbeResult {
  return all(skipped(reason));
}

/**
 * Sends one delivery report through the public URL, follows it to the history and to a rule of the bus, and removes it. The report says
 * `delivered`: no automation of the pipeline acts on that, except `forward` where it forwards such events. Your own rules see
 * it too: its id distinguishes it from a real one.
 */
export async function probePipeline(options: ProbeOptions): Promise<ProbeResult> {
  const { contract, connection, context, target } = options;
  if (!isSharedSecret(contract.webhook.signature))
    return skipProbe('only the SMS service can sign by this contract: send yourself a real message');
  const probe = await (await connection.inspection()).probe();
  const messageId = `${probeMessagePrefix}${context.newId()}`;
  const sentAt = context.clock();
  let webhook: Verdict;
  try {
    const sample = testEvent(contract, messageId, sentAt, context.newId);
    const { status, url } = await postSample(sample, contract, connection, context, target);
    webhook = ok(`${url} accepted a signed event with HTTP ${status}`);
  } catch (error) {
    if (error instanceof AddressRefusedError)
      return { ...skipProbe('the webhook accepts no event of this machine'), webhook: ok(error.message) };
    return { ...skipProbe('no event was accepted'), webhook: explain(error) };
  }
  const seen = await follow(messageId, probe, options);
  const id = historyId({ source: target.source ?? mainSource, id: messageId });
  return { webhook, ...seen, 'clean-up': await cleanUp(id, seen.history, probe, connection, sentAt) };
}

/** Makes the report. It fills every field that the contract reads, so that it is no mismatch with the contract's samples. */
export function testEvent(
  contract: Contract,
  messageId: string,
  now: number,
  newId: () => string,
): SampleEvent {
  const { recipient, sendId } = contract.events.status;
  const fields = {
    ...(recipient === null ? {} : { to: probePhone }),
    ...(sendId === null ? {} : { sendId: messageId }),
  };
  return makeSample(contract, { kind: 'status', messageId, status: 'delivered', ...fields }, now, newId);
}

/** Waits until the event is in the history and was delivered by the bus, or the time is over. */
async function follow(
  messageId: string,
  probe: ProbeAccess,
  { connection, context: { clock }, wait, waitMs }: ProbeOptions,
): Promise<Pick<ProbeResult, 'history' | 'bus'>> {
  const start = clock();
  const after = () => formatDuration(Math.max(0, clock() - start));
  const late = `not within ${formatDuration(waitMs)}`;
  let history: Verdict | undefined;
  let bus: Verdict | undefined;
  for (;;) {
    try {
      // Receiving waits for the event, so the history is read when there is something to read.
      if (bus === undefined && (await probe.receive(messageId)))
        bus = ok(`a rule of the bus delivered it after ${after()}`);
    } catch (error) {
      bus = explain(error);
    }
    try {
      const message = history === undefined && (await (await connection.history()).message(messageId));
      if (message) history = ok(`stored after ${after()}`);
    } catch (error) {
      history = explain(error);
    }
    if (history !== undefined && bus !== undefined) break;
    const isOver = clock() - start >= waitMs;
    if (isOver || !(await wait(bus === undefined ? 0 : 1_000))) break;
  }
  return {
    history:
      history ??
      failed(
        late,
        'sms quarantine list --since 1h, then sms dead-letter list. Is it in neither, the log of the worker says why: docs/operate/alarms.md, "Events are not stored".',
      ),
    bus:
      bus ??
      (history === undefined
        ? skipped('nothing is published before it is stored')
        : failed(
            late,
            'The publisher or the bus is late: docs/operate/alarms.md, "Events are not published".',
          )),
  };
}

/** Removes the test message, and those that earlier runs left. */
async function cleanUp(
  messageId: string,
  history: Verdict,
  probe: ProbeAccess,
  connection: Connection,
  now: number,
): Promise<Verdict> {
  try {
    await probe.remove(messageId);
    const reader = await connection.history();
    const { entries } = await reader.phone({ phone: probePhone }, { limit: 100 });
    const left = entries.flatMap((entry) =>
      entry.kind === 'message' &&
      splitId(entry.message.messageId).id.startsWith(probeMessagePrefix) &&
      now - Date.parse(entry.message.firstSeenAt) > leftAfterMs
        ? [entry.message.messageId]
        : [],
    );
    for (const id of left) await probe.remove(id);
    if (history.state !== 'ok')
      return warn(
        'the test message may still arrive, and stays then',
        'The next run removes it 15 minutes later.',
      );
    if ((await reader.message(messageId)) !== undefined)
      return warn(`${messageId} was stored again by a repeat`, 'The next run removes it 15 minutes later.');
    return ok(
      `the test message is removed from the history${left.length === 0 ? '' : `, and ${left.length} of earlier runs`}`,
    );
  } catch (error) {
    return explain(error);
  }
}
