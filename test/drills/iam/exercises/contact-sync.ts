import { createHash } from 'node:crypto';
import {
  DeleteItemCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Exercise, freshPhone, type Stage } from '../exercise.ts';
import { giveUpNonsense, replyReceived, watchPutOff } from './consumed.ts';

/** What the SMS service takes for no number. */
const noPhone = '';

/** Makes a contact, waits for its turn, gives a turn back, and gives up what is no event. */
export const exerciseContactSync: Exercise = async (stage) => {
  const { pipeline, sandbox, putEvent, eventually, restart } = stage;
  const { dynamoDb } = pipeline;
  const TableName = await turnsTable(stage);
  const keyOf = (phone: string) => marshall({ pk: createHash('sha256').update(phone).digest('hex') });
  const [phone, busyPhone] = [freshPhone(), freshPhone()];
  const until = Date.now() + 30_000;
  await dynamoDb.send(
    new PutItemCommand({
      TableName,
      Item: { ...keyOf(busyPhone), ...marshall({ state: 'running', owner: 'somebody else', until }) },
    }),
  );
  // One that was not given back is another invocation's for a while.
  await dynamoDb.send(new DeleteItemCommand({ TableName, Key: keyOf(noPhone) }));
  const isPutOff = watchPutOff('contact-sync', stage);

  await restart('contact-sync');
  for (const number of [phone, busyPhone, noPhone]) await putEvent(replyReceived(number));
  await eventually('the contact is made', async () => (await sandbox.contacts()).has(phone));
  await eventually('the busy one is put off', isPutOff);
  await eventually('the turn of no number is given back', async () => {
    const { Item } = await dynamoDb.send(
      new GetItemCommand({ TableName, Key: keyOf(noPhone), ConsistentRead: true }),
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
