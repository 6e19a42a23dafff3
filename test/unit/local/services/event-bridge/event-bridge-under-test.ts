import { EventBridge as EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { handleAwsJson } from '../../../../../local/aws-protocol/aws-json.ts';
import { EventBridge, eventBridgeOperations } from '../../../../../local/services/event-bridge/api.ts';
import { eventBridgeRoutes } from '../../../../../local/services/event-bridge/control-endpoint.ts';
import {
  eventArchiveCreator,
  eventBusCreator,
} from '../../../../../local/services/event-bridge/resources.ts';
import { ruleCreator } from '../../../../../local/services/event-bridge/rules.ts';
import type { Repeat, Schedule } from '../../../../../local/services/event-bridge/schedule.ts';
import { AsyncInvocations } from '../../../../../local/services/lambda/functions.ts';
import { snsClient } from '../../../../../local/services/sns/resources.ts';
import { sqsClient } from '../../../../../local/services/sqs/api.ts';
import { callListener, inMemoryClient, listenerOf } from '../../../../support/in-memory-http.ts';
import { fakeRetryClock, inMemoryFunction, registryOf } from '../../../../support/local-lambda.ts';
import { resourceRequest } from '../../../../support/resource-request.ts';

const failsIfAsked = (event: { fails?: boolean; detail?: { fails?: boolean } } | null) => {
  if (event?.fails || event?.detail?.fails) throw new Error('out of order');
};

/**
 * The stand-in with a bus `sms`, and two functions that its rules may send to, as a local run wires them.
 * @param sqsUrl of a server for the queues and topics that rules send to
 */
export async function createEventBridge(sqsUrl = 'http://127.0.0.1:1') {
  const [sqs, sns] = [sqsClient(sqsUrl), snsClient(sqsUrl)];
  const clock = fakeRetryClock();
  const notes: string[] = [];
  const ruleNotes: string[] = [];
  const note = (line: string): void => void notes.push(line);
  const target = inMemoryFunction(failsIfAsked);
  const otherTarget = inMemoryFunction(failsIfAsked, 'other-function');
  const functions = registryOf(target, otherTarget);
  const asyncInvocations = new AsyncInvocations(clock, note);
  const draws: number[] = [];
  const schedules: Schedule[] = [];
  const timers: { intervalMs: number; run: () => void }[] = [];
  const repeat: Repeat = (run, intervalMs) => {
    const timer = { run, intervalMs };
    timers.push(timer);
    return () => timers.splice(timers.indexOf(timer), 1);
  };
  const eventBridge = new EventBridge({ clock, random: () => draws.shift() ?? 0.99, note });
  const operations = eventBridgeOperations(eventBridge);
  const client = new EventBridgeClient(
    inMemoryClient((request, response) => void handleAwsJson(operations, request, response)),
  );
  const ruleParts = { asyncInvocations, sqsUrl, eventBridge, functions, note, schedules, sns, sqs };
  const createBus = (Name: string) =>
    eventBusCreator(eventBridge)(resourceRequest('AWS::Events::EventBus', { Name }));
  await createBus('sms');

  return {
    client,
    sqs,
    sns,
    clock,
    notes,
    /** The next draws of what is refused; then nothing is. */
    draws,
    target,
    otherTarget,
    schedules,
    /** What a person sees about rules. */
    ruleNotes,
    /** The intervals of rules with a rate, which the test runs. */
    timers,
    createRule: (logicalId: string, properties: object) =>
      ruleCreator(ruleParts, repeat)(resourceRequest('AWS::Events::Rule', properties, logicalId, ruleNotes)),
    createArchive: (properties: object) =>
      eventArchiveCreator(eventBridge)(resourceRequest('AWS::Events::Archive', properties)),
    /** Puts an event on the bus `sms`; returns its id. */
    async put(DetailType: string, detail: object): Promise<string | undefined> {
      const entry = { EventBusName: 'sms', Source: 'test.sms', DetailType, Detail: JSON.stringify(detail) };
      const { Entries } = await client.putEvents({ Entries: [entry] });
      return Entries?.[0]?.EventId;
    },
    /** Calls an address below /local/event-bridge. */
    control: (method: string, path: string, body?: unknown) =>
      callListener(listenerOf(eventBridgeRoutes(eventBridge)), {
        method,
        path: `/local/event-bridge/${path}`,
        body: JSON.stringify(body),
      }),
  };
}

export type EventBridgeUnderTest = Awaited<ReturnType<typeof createEventBridge>>;
