import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { createHistoryLists } from '../../functions/history/io.ts';
import { localClient } from '../aws-protocol/call.ts';
import type { LocalRun } from '../run/run.ts';
import type { Progress } from '../terminal/terminal.ts';
import { openInbox } from './notices-inbox.ts';
import { type Scenario, stopFrom } from './scenario.ts';
import { sendEvents, untilNothing } from './send-events.ts';

const busSchema = z.array(
  z.looseObject({ 'detail-type': z.string(), detail: z.looseObject({ phone: z.string().optional() }) }),
);
const sandboxSchema = z.looseObject({ contacts: z.array(z.looseObject({ phone: z.string() })) });

/**
 * Plays a reply STOP and the failed messages, and shows the effects of the automations that are on. Returns the missing effects, one line each.
 *
 * @param now gives ms since the epoch
 */
export async function playAutomations(
  run: LocalRun,
  scenario: Scenario,
  progress: Progress,
  now: () => number,
): Promise<string[]> {
  const missing =
    run.output('OptOutQueueUrl') === undefined ? [] : await playStop(run, scenario, progress, now);
  const topicArn = run.output('NoticesTopicArn');
  const alertFunction = run.output('FailureAlertFunctionName');
  const alertQueueUrl = run.output('FailureAlertQueueUrl');
  if (
    missing.length > 0 ||
    topicArn === undefined ||
    alertFunction === undefined ||
    alertQueueUrl === undefined
  )
    return missing;
  const inbox = await openInbox(run.sqs, run.queuesUrl, topicArn);
  const waiting = await untilNothing(async () => {
    const { Attributes = {} } = await run.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: alertQueueUrl, AttributeNames: ['All'] }),
    );
    const waitingCount = Number(Attributes.ApproximateNumberOfMessages);
    return waitingCount >= scenario.failures.length
      ? []
      : [`${scenario.failures.length - waitingCount} failures to alert of`];
  });
  if (waiting.length > 0) return waiting;
  return showAlerts(run, scenario, alertFunction, inbox.next, progress);
}

async function playStop(
  run: LocalRun,
  scenario: Scenario,
  progress: Progress,
  now: () => number,
): Promise<string[]> {
  const stop = await sendEvents(run.smsServiceUrl, [stopFrom(scenario, now())]);
  if (stop.kind === 'error') return [stop.error];
  const { phone } = scenario.optingOut;
  const lists = createHistoryLists(run.dynamodb, run.historyTableName ?? '', run.listShards);
  const missing = await untilNothing(async () => {
    const optedOut = await lists.optOuts({}, { limit: 100 });
    const { contacts } = sandboxSchema.parse(await json(`${run.smsServiceUrl}/sandbox/state`));
    const published = busSchema.parse(await json(`${run.awsUrl}/local/event-bridge/events`));
    return [
      optedOut.entries.some((entry) => entry.phone === phone)
        ? []
        : ['the number in the register of opt-outs'],
      published.some((event) => event['detail-type'] === 'SMS Opt-Out' && event.detail.phone === phone)
        ? []
        : ['the event SMS Opt-Out on the bus'],
      contacts.some((contact) => contact.phone === phone) ? [] : ['the contact at the SMS service'],
    ].flat();
  });
  if (missing.length > 0) return missing;
  progress.step(
    'a reply STOP: the number is in the register, SMS Opt-Out on the bus, the contact at the sandbox',
  );
  return [];
}

/** Invokes the alert as its schedule would, and prints the notices. */
async function showAlerts(
  run: LocalRun,
  { failures }: Scenario,
  FunctionName: string,
  next: () => Promise<string | undefined>,
  progress: Progress,
): Promise<string[]> {
  const lambda = new LambdaClient(localClient(run.awsUrl));
  const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
  if (FunctionError !== undefined) return ['the alert about failed messages: its function failed'];
  const notices: string[] = [];
  const missing = await untilNothing(async () => {
    const notice = await next();
    if (notice !== undefined) notices.push(notice);
    const text = notices.join('\n');
    return failures.filter((id) => !text.includes(id)).map((id) => `message ${id} in the grouped alert`);
  });
  if (missing.length > 0) return missing;
  progress.step(
    `${failures.length} failed messages are in ${notices.length} alerts, one for each error code:`,
  );
  for (const notice of notices) {
    progress.print('');
    for (const line of notice.trimEnd().split('\n')) progress.print(`    ${line}`);
  }
  return [];
}

async function json(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}
