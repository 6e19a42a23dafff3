import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Drift } from '../core/webhook/drift.ts';
import type {
  Confirmed,
  LastReconcile,
  PendingDrift,
  Wanted,
  WebhookState,
} from '../core/webhook/webhook-state.ts';

/** Where the state of the webhook is kept: one item, and one for each minute in which signatures did not fit. */
export interface WebhookStateTable {
  read(): Promise<WebhookState>;
  setWanted(wanted: Wanted): Promise<void>;
  /** Writes down what is wanted where nobody has yet. @returns what is wanted then */
  assumeWanted(wanted: Wanted): Promise<Wanted>;
  /** @param drift what is changed elsewhere and was left so; the time it was first seen is kept */
  recordReconcile(last: LastReconcile, drift: readonly Drift[]): Promise<void>;
  /**
   * Notes in one write what was found: what of it is left so, and what is to be told of it.
   *
   * @param known what was known; false where that is no longer so, and nothing was written
   */
  noteDrift(found: FoundDrift, known: WebhookState['drift']): Promise<boolean>;
  /** Forgets what needs to be told no longer. */
  forgetPendingDrift(told: readonly PendingDrift[]): Promise<void>;
  /** An earlier confirmation than the one known changes nothing. */
  recordConfirmed(confirmed: Confirmed): Promise<void>;
  /** @param at ISO 8601; an earlier time than the one known changes nothing */
  recordVerified(at: string): Promise<void>;
  /** @param now milliseconds since the epoch */
  addMismatches(count: number, now: number): Promise<void>;
  /** Mismatches told in the last hour. @param now milliseconds since the epoch */
  mismatchesLastHour(now: number): Promise<number>;
  /**
   * Takes a turn, where the last one of this name was long enough ago; of several callers one gets it.
   *
   * @param now milliseconds since the epoch
   */
  takeTurn(name: Turn, intervalMs: number, now: number): Promise<boolean>;
}

/** What a run found changed elsewhere. */
interface FoundDrift {
  /** As {@link WebhookState} has it; undefined where all was put right. */
  readonly left: WebhookState['drift'];
  readonly pending: readonly PendingDrift[];
}

/** What may happen only so often, whoever asks. */
export type Turn = 'reconcileForMismatches' | 'reconcileForRotation' | 'rotateByAge';

/** The state's item, which nobody but this adapter writes. */
interface StoredState extends Omit<WebhookState, 'confirmed' | 'pendingDrift'> {
  readonly confirmedAt?: string;
  readonly confirmedVersion?: string;
}

/** Each pending event is an attribute of its own, so that no run writes over what another one noted. */
const pendingPrefix = 'pendingDrift_';
const stateKey = { pk: { S: 'webhook' }, sk: { S: 'state' } };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export function createWebhookStateTable(client: DynamoDBClient, tableName: string): WebhookStateTable {
  /** Sets attributes of the state; undefined removes. */
  async function update(
    values: Readonly<Record<string, unknown>>,
    condition?: string,
    compared: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const names = Object.keys(values);
    const kept = names.filter((name) => values[name] !== undefined);
    const removed = names.filter((name) => values[name] === undefined);
    const sets = kept.length === 0 ? '' : `SET ${kept.map((name) => `#${name} = :${name}`).join(', ')}`;
    const removes = removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}`;
    await client.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: stateKey,
        UpdateExpression: sets + removes,
        ...(condition !== undefined && { ConditionExpression: condition }),
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        // DynamoDB takes no empty map.
        ...(kept.length + Object.keys(compared).length > 0 && {
          ExpressionAttributeValues: marshall(
            { ...Object.fromEntries(kept.map((name) => [`:${name}`, values[name]])), ...compared },
            { removeUndefinedValues: true },
          ),
        }),
      }),
    );
  }

  /** @returns false where the condition does not hold */
  async function updateIf(
    condition: string,
    values: Readonly<Record<string, unknown>>,
    compared?: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    try {
      await update(values, condition, compared);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  const read = async (): Promise<WebhookState> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: stateKey, ConsistentRead: true }),
    );
    if (Item === undefined) return {};
    const stored = unmarshall(Item);
    const { wanted, lastReconcile, confirmedAt, confirmedVersion, drift, lastVerifiedAt } =
      stored as StoredState;
    const pendingDrift = pendingOf(stored);
    return {
      ...(wanted !== undefined && { wanted }),
      ...(lastReconcile !== undefined && { lastReconcile }),
      ...(confirmedAt !== undefined &&
        confirmedVersion !== undefined && { confirmed: { at: confirmedAt, versionId: confirmedVersion } }),
      ...(drift !== undefined && { drift }),
      ...(pendingDrift.length > 0 && { pendingDrift }),
      ...(lastVerifiedAt !== undefined && { lastVerifiedAt }),
    };
  };

  return {
    read,
    setWanted: (wanted) => update({ wanted }),

    async assumeWanted(wanted) {
      if (await updateIf('attribute_not_exists(#wanted)', { wanted })) return wanted;
      return (await read()).wanted ?? wanted;
    },

    async recordReconcile(lastReconcile, kinds) {
      if (kinds.length === 0) return update({ lastReconcile, drift: undefined });
      const known = (await read()).drift;
      const isSame = known?.kinds.join() === kinds.join();
      return update({ lastReconcile, drift: isSame ? known : { kinds, since: lastReconcile.at } });
    },

    noteDrift: ({ left, pending }, known) =>
      updateIf(
        known === undefined ? 'attribute_not_exists(#drift)' : '#drift = :known',
        {
          drift: left,
          ...Object.fromEntries(pending.map((detail) => [pendingPrefix + detail.eventId, detail])),
        },
        known === undefined ? {} : { ':known': known },
      ),

    async forgetPendingDrift(told) {
      if (told.length === 0) return;
      await update(Object.fromEntries(told.map(({ eventId }) => [pendingPrefix + eventId, undefined])));
    },

    async recordConfirmed({ at, versionId }) {
      await updateIf('attribute_not_exists(#confirmedAt) OR #confirmedAt < :confirmedAt', {
        confirmedAt: at,
        confirmedVersion: versionId,
      });
    },

    async recordVerified(lastVerifiedAt) {
      await updateIf('attribute_not_exists(#lastVerifiedAt) OR #lastVerifiedAt < :lastVerifiedAt', {
        lastVerifiedAt,
      });
    },

    async addMismatches(count, now) {
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { pk: { S: 'webhook' }, sk: { S: minuteKey(now) } },
          UpdateExpression: 'ADD #count :count SET #expiresAt = :expiresAt',
          ExpressionAttributeNames: { '#count': 'count', '#expiresAt': 'expiresAt' },
          ExpressionAttributeValues: marshall({
            ':count': count,
            ':expiresAt': Math.ceil((now + 2 * hourMs) / 1000),
          }),
        }),
      );
    },

    async mismatchesLastHour(now) {
      // At most 61 small items: one page.
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: marshall({
            ':pk': 'webhook',
            ':from': minuteKey(now - hourMs),
            ':to': minuteKey(now),
          }),
        }),
      );
      return Items.reduce((sum, item) => sum + Number(item.count?.N ?? 0), 0);
    },

    takeTurn: (name, intervalMs, now) =>
      updateIf(
        `attribute_not_exists(#${name}) OR #${name} <= :latest`,
        { [name]: now },
        { ':latest': now - intervalMs },
      ),
  };
}

function pendingOf(stored: Readonly<Record<string, PendingDrift>>): PendingDrift[] {
  return Object.entries(stored)
    .flatMap(([name, detail]) => (name.startsWith(pendingPrefix) ? [detail] : []))
    .sort((a, b) => (a.foundAt < b.foundAt ? -1 : 1));
}

function minuteKey(now: number): string {
  return `mismatches#${new Date(now).toISOString().slice(0, 16)}`;
}
