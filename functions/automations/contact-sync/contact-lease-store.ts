import { createHash } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

/** What came of asking for a number's turn. */
export type Claim =
  | { readonly kind: 'claimed' }
  /** The number had its turn, and its period has not ended. */
  | { readonly kind: 'done' }
  /** Somebody else is at it, or was, and has until then; milliseconds since the epoch. */
  | { readonly kind: 'running'; readonly until: number };

/** Whose turn it is: for each number one at a time, and one that succeeds a period. All times are milliseconds. */
export interface ContactLease {
  /**
   * Takes the number's turn for {@link leaseMs}.
   *
   * @param owner names the attempt, another one each time
   */
  claim(phone: string, owner: string, now: number): Promise<Claim>;
  /** Ends the period then; nothing where somebody else has the turn by now. */
  finish(phone: string, owner: string, until: number): Promise<void>;
  /** Gives the turn back; nothing where somebody else has it by now. */
  release(phone: string, owner: string): Promise<void>;
}

/** How long a claim holds that is neither finished nor released. */
export const leaseMs = 120_000;

const names = { '#state': 'state', '#until': 'until', '#owner': 'owner', '#expiresAt': 'expiresAt' };
const ours = '#state = :running AND #owner = :owner';

export function createContactLease(client: DynamoDBClient, tableName: string): ContactLease {
  const set = (phone: string) => ({
    TableName: tableName,
    Key: keyOf(phone),
    UpdateExpression: 'SET #state = :state, #until = :until, #owner = :owner, #expiresAt = :expiresAt',
    ExpressionAttributeNames: names,
  });

  return {
    async claim(phone, owner, now) {
      const until = now + leaseMs;
      try {
        await client.send(
          new UpdateItemCommand({
            ...set(phone),
            // An owner whose answer was lost asks again.
            ConditionExpression: `attribute_not_exists(pk) OR #until <= :now OR (${ours})`,
            ExpressionAttributeValues: marshall({
              ':state': 'running',
              ':running': 'running',
              ':until': until,
              ':owner': owner,
              ':now': now,
              ':expiresAt': secondsOf(until),
            }),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return { kind: 'claimed' };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return error.Item?.state?.S === 'done'
          ? { kind: 'done' }
          : { kind: 'running', until: Number(error.Item?.until?.N ?? until) };
      }
    },

    finish: (phone, owner, until) =>
      whereOurs(
        client.send(
          new UpdateItemCommand({
            ...set(phone),
            ConditionExpression: ours,
            ExpressionAttributeValues: marshall({
              ':state': 'done',
              ':running': 'running',
              ':until': until,
              ':owner': owner,
              ':expiresAt': secondsOf(until),
            }),
          }),
        ),
      ),

    release: (phone, owner) =>
      whereOurs(
        client.send(
          new DeleteItemCommand({
            TableName: tableName,
            Key: keyOf(phone),
            ConditionExpression: ours,
            ExpressionAttributeNames: { '#state': 'state', '#owner': 'owner' },
            ExpressionAttributeValues: marshall({ ':running': 'running', ':owner': owner }),
          }),
        ),
      ),
  };
}

async function whereOurs(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Tells numbers apart without showing them to who reads the table; who tries all numbers still finds them. */
function keyOf(phone: string) {
  return { pk: { S: createHash('sha256').update(phone).digest('hex') } };
}

function secondsOf(ms: number): number {
  return Math.ceil(ms / 1000);
}
