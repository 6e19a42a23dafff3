import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { optOutKey } from '../../../../functions/adapters/history-items.ts';
import { createOptOutRegister } from '../../../../functions/adapters/opt-out-register.ts';
import type { BusEvent } from '../../../../functions/core/bus/bus-event.ts';
import { detailTypes } from '../../../../functions/core/bus/detail-types.ts';
import { type Exercise, freshPhone } from '../exercise.ts';
import { freshEventId, giveUpNonsense, replyReceived, watchPutOff } from './consumed.ts';
import { worklistShards } from './history.ts';

/** Makes a contact, tells a person of a wish, puts off what it cannot read in the register, and gives up what is no event. */
export const exerciseOptOut: Exercise = async (stage) => {
  const { pipeline, sandbox, notices, output, putEvent, eventually, restart } = stage;
  const { dynamoDb } = pipeline;
  const TableName = output('HistoryTableName');
  const [phone, oddPhone] = [freshPhone(), freshPhone()];
  const replyId = randomUUID();
  const register = createOptOutRegister(dynamoDb, TableName, worklistShards(output));
  await register.record({ phone, state: 'out', at: new Date().toISOString(), replyId });
  const odd = marshall({ pk: optOutKey(oddPhone) });
  await dynamoDb.send(new PutItemCommand({ TableName, Item: { ...odd, state: { S: 'odd' } } }));
  const isPutOff = watchPutOff('opt-out', stage);

  await restart('opt-out');
  for (const number of [phone, oddPhone]) await putEvent(optOut(number));
  const wish = randomUUID();
  await putEvent(replyReceived(freshPhone(), { replyId: wish, mayMeanStop: true }));
  await eventually('the contact is made', async () => (await sandbox.contacts()).has(phone));
  await eventually('a person is told', () => notices.has(wish));
  await eventually('the odd one is put off', isPutOff);
  await dynamoDb.send(new DeleteItemCommand({ TableName, Key: odd }));
  await giveUpNonsense('OptOut', stage);
};

function optOut(phone: string): BusEvent {
  const occurredAt = new Date().toISOString();
  return {
    detailType: detailTypes.optOut,
    detail: { version: 1, eventId: freshEventId(), phone, replyId: randomUUID(), occurredAt },
  };
}
