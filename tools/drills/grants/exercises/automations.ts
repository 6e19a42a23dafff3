import { createHash, randomUUID } from 'node:crypto';
import {
  DeleteItemCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { optOutKey } from '../../../../functions/history/index.ts';
import { createOptOutRegister } from '../../../../functions/history/io.ts';
import { type BusEvent, type Details, detailTypes } from '../../../../functions/publish/shapes.ts';
import { anotherPhone } from '../another-phone.ts';
import type { Exercise, Stage } from '../exercise.ts';
import { inboxOf } from '../test-bed.ts';
import { listShards } from './history.ts';

/** An id as the details of events have one. */
const freshEventId = (): string => createHash('md5').update(randomUUID()).digest('hex');

/** The fields that the details of stored events share. */
function storedNow() {
  const at = new Date().toISOString();
  return {
    version: 1 as const,
    eventId: freshEventId(),
    historyEventId: randomUUID(),
    occurredAt: at,
    receivedAt: at,
  };
}

type Reply = Details[typeof detailTypes.replyReceived];

/** That a number replied. */
function replyReceived(from: string, about: Partial<Reply> = {}): BusEvent {
  const text = { text: 'Thank you', isTextCut: false, mayMeanStop: false };
  return {
    detailType: detailTypes.replyReceived,
    detail: { ...storedNow(), replyId: randomUUID(), from, ...text, ...about },
  };
}

/** That a message came to a status. */
function statusChanged(
  about: Pick<Details[typeof detailTypes.statusChanged], 'status' | 'outcome' | 'errorCode'>,
): BusEvent & { readonly detail: { readonly eventId: string } } {
  const final = about.outcome !== 'open';
  return {
    detailType: detailTypes.statusChanged,
    detail: { ...storedNow(), messageId: randomUUID(), final, reportCount: 1, conflict: false, ...about },
  };
}

/**
 * Has an automation give up what is no event.
 * @param name as the outputs have it: `<name>QueueUrl` and `<name>DeadLetterQueueUrl`
 */
async function giveUpNonsense(name: string, { pipeline, output, eventually }: Stage): Promise<void> {
  const nonsense = `no event ${randomUUID()}`;
  await pipeline.sqs.send(
    new SendMessageCommand({ QueueUrl: output(`${name}QueueUrl`), MessageBody: nonsense }),
  );
  const givenUp = inboxOf(pipeline.sqs, output(`${name}DeadLetterQueueUrl`));
  await eventually(`${name} gives it up`, () => givenUp.has(nonsense));
}

/** How often an automation has put an event off; the answer says whether it has once more since. */
function watchPutOff(label: string, { pipeline }: Stage): () => boolean {
  const times = () => pipeline.functionLog(label).split('AUTOMATION-01').length;
  const before = times();
  return () => times() > before;
}

/** Creates a contact, sends a notice about a wish, delays an event whose register entry it cannot read, and abandons an invalid event. */
export const exerciseOptOut: Exercise = async (stage) => {
  const { pipeline, sandbox, notices, output, putEvent, eventually, restart } = stage;
  const { dynamoDb } = pipeline;
  const TableName = output('HistoryTableName');
  const [phone, oddPhone] = [anotherPhone(), anotherPhone()];
  const replyId = randomUUID();
  const register = createOptOutRegister(dynamoDb, TableName, { listShards: listShards(output) });
  await register.record({ phone, state: 'out', at: new Date().toISOString(), by: 'person', replyId });
  const odd = marshall({ pk: optOutKey(oddPhone) });
  await dynamoDb.send(new PutItemCommand({ TableName, Item: { ...odd, state: { S: 'odd' } } }));
  const isPutOff = watchPutOff('opt-out', stage);

  await restart('opt-out');
  for (const number of [phone, oddPhone]) await putEvent(optOut(number));
  const wish = randomUUID();
  await putEvent(replyReceived(anotherPhone(), { replyId: wish, mayMeanStop: true }));
  await eventually('the contact is made', async () => (await sandbox.contacts()).has(phone));
  await eventually('a notice is sent', () => notices.has(wish));
  await eventually('the odd one is put off', isPutOff);
  await dynamoDb.send(new DeleteItemCommand({ TableName, Key: odd }));
  await giveUpNonsense('OptOut', stage);
};

function optOut(phone: string): BusEvent {
  const occurredAt = new Date().toISOString();
  return {
    detailType: detailTypes.optOut,
    detail: { version: 1, eventId: freshEventId(), phone, by: 'person', replyId: randomUUID(), occurredAt },
  };
}

/** Makes a contact, waits for its turn, gives the turn of a rejected number back, and gives up what is no event. */
export const exerciseContactSync: Exercise = async (stage) => {
  const { pipeline, sandbox, output, putEvent, eventually, restart } = stage;
  const { dynamoDb } = pipeline;
  const TableName = await turnsTable(stage);
  const keyOf = (phone: string) => marshall({ pk: createHash('sha256').update(phone).digest('hex') });
  const [phone, busyPhone] = [anotherPhone(), anotherPhone()];
  // The SMS service rejects a number of more than 15 digits.
  const rejectedPhone = `${anotherPhone()}00000`;
  const until = Date.now() + 30_000;
  await dynamoDb.send(
    new PutItemCommand({
      TableName,
      Item: { ...keyOf(busyPhone), ...marshall({ state: 'running', owner: 'another run', until }) },
    }),
  );
  const isPutOff = watchPutOff('contact-sync', stage);

  await restart('contact-sync');
  for (const number of [phone, busyPhone, rejectedPhone]) await putEvent(replyReceived(number));
  await eventually('the contact is made', async () => (await sandbox.contacts()).has(phone));
  await eventually('the busy one is put off', isPutOff);
  const givenUp = inboxOf(pipeline.sqs, output('ContactSyncDeadLetterQueueUrl'));
  await eventually('the rejected number is given up', () => givenUp.has(rejectedPhone));
  await eventually('the turn of the rejected number is given back', async () => {
    const { Item } = await dynamoDb.send(
      new GetItemCommand({ TableName, Key: keyOf(rejectedPhone), ConsistentRead: true }),
    );
    return Item === undefined;
  });
  await giveUpNonsense('ContactSync', stage);
};

async function turnsTable({ pipeline }: Stage): Promise<string> {
  const { TableNames = [] } = await pipeline.dynamoDb.send(new ListTablesCommand());
  const name = TableNames.find((each) => each.includes('ContactSyncTurns'));
  if (name === undefined) throw new Error('there is no table of turns');
  return name;
}

/** Sends one notice about a failed message. */
export const exerciseFailureAlert: Exercise = async (stage) => {
  const { pipeline, notices, output, putEvent, invoke, eventually } = stage;
  const QueueUrl = output('FailureAlertQueueUrl');
  await pipeline.sqs.send(new PurgeQueueCommand({ QueueUrl }));
  // Notices leave out what may be a phone number.
  const errorCode = `E-${randomUUID().replaceAll(/\d/g, 'x')}`;
  await putEvent(statusChanged({ status: 'failed', outcome: 'failure', errorCode }));
  await eventually('the notice is sent, and the failure deleted', async () => {
    await invoke(output('FailureAlertFunctionName'), {});
    if (!(await notices.has(errorCode))) return false;
    const { waiting, inFlight } = await pipeline.queueDepth(QueueUrl);
    return waiting + inFlight === 0;
  });
};

const secretSchema = z.object({ secret: z.string() });

/** Sends an event signed, and again after it was refused; gives up what is no event. */
export const exerciseForward: Exercise = async (stage) => {
  const { pipeline, receiver, output, putEvent, eventually, restart } = stage;
  const event = statusChanged({ status: 'sent', outcome: 'open' });
  const isPutOff = watchPutOff('forward', stage);
  await restart('forward');
  await putEvent(event);
  await eventually('the refused event is put off', isPutOff);
  const { body, headers } = await eventually('it comes again', () =>
    receiver.accepted.get(event.detail.eventId),
  );
  const { SecretString = '' } = await pipeline.secretsManager.send(
    new GetSecretValueCommand({ SecretId: output('ForwardSecretArn') }),
  );
  new Webhook(secretSchema.parse(JSON.parse(SecretString)).secret).verify(body, { ...headers });
  await giveUpNonsense('Forward', stage);
};

/** Publishes that the card that pays has expired. */
export const exerciseBillingWatch: Exercise = async ({
  sandbox,
  bus,
  output,
  invoke,
  eventually,
  restart,
}) => {
  const id = randomUUID();
  await sandbox.setCards([{ id, validate: '01/20', default: true }]);
  await restart('billing-watch');
  await invoke(output('BillingWatchFunctionName'), {});
  await eventually('the event about the card is published', async () =>
    (await bus.published()).some(({ detail }) => detail.cardId === id),
  );
};
