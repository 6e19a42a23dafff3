import { createHash } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

/** The result of a claim. */
type Claim =
  | { readonly kind: 'claimed' }
  /** An attempt has succeeded, and its period has not ended. */
  | { readonly kind: 'done' }
  /** Another attempt holds the lease until then; milliseconds since the epoch. */
  | { readonly kind: 'running'; readonly until: number };

/** Allows one attempt at a time for each number, and one success a period. All times are milliseconds. */
export interface ContactLease {
  /**
   * Claims the number for {@link leaseMs}.
   *
   * @param owner a unique name of the attempt
   */
  claim(phone: string, owner: string, now: number): Promise<Claim>;
  /** Records the success, which counts until then. It changes nothing if another attempt holds the lease. */
  finish(phone: string, owner: string, until: number): Promise<void>;
  /** Ends the claim. It changes nothing if another attempt holds the lease. */
  release(phone: string, owner: string): Promise<void>;
}

/** A claim that is neither finished nor released ends after this time. */
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
            // An owner whose response was lost claims again.
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

/** Returns the key of a number: its hash, so that the table shows no numbers. Hashing all possible numbers still reveals them. */
function keyOf(phone: string) {
  return { pk: { S: createHash('sha256').update(phone).digest('hex') } };
}

function secondsOf(ms: number): number {
  return Math.ceil(ms / 1000);
}
