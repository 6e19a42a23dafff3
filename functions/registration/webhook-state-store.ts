import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { omitUndefined } from '../base/basics.ts';
import type { Drift } from './webhook-drift.ts';

/** The state of the webhook that registering and deactivating set, and that reconciling restores. */
export type DesiredState = 'registered' | 'deactivated';

/** The state of the webhook without its secret. Times are ISO 8601 in UTC. */
export interface WebhookState {
  /** Undefined until the first registration. */
  readonly desiredState?: DesiredState;
  /** When the webhook was first found registered after it was desired. Until then, a difference at the service is no change made elsewhere. */
  readonly registeredAt?: string;
  readonly lastReconcile?: LastReconcile;
  readonly confirmed?: Confirmed;
  /** Changes made elsewhere that were not repaired. */
  readonly drift?: { readonly kinds: readonly Drift[]; readonly since: string };
  /** When the last verified request was received; to within a minute. */
  readonly lastVerifiedAt?: string;
}

/** At this time the service was asked for its secret, and it is the current one of this version of the stored document. */
export interface Confirmed {
  readonly at: string;
  readonly versionId: string;
}

interface LastReconcile {
  readonly at: string;
  /** The kind of the failure; absent after a success. */
  readonly failure?: string;
}

/** Keeps the state of the webhook: one item, and one for each minute with mismatches. */
export interface WebhookStateTable {
  read(): Promise<WebhookState>;
  /** A deactivation also removes `registeredAt`. */
  setDesiredState(desiredState: DesiredState): Promise<void>;
  /** Stores the desired state if there is none. @returns the stored one */
  assumeDesiredState(desiredState: DesiredState): Promise<DesiredState>;
  recordReconcile(last: LastReconcile): Promise<void>;
  /** Records `registeredAt`; changes nothing unless the webhook should be registered, and after the first time. @param at ISO 8601 */
  recordRegistered(at: string): Promise<void>;
  /**
   * Notes the drift that is left, unless another run has noted drift since this one began.
   *
   * @param drift undefined if none is left
   * @param startedAt when the run began, before it read the state; ISO 8601
   * @param notedAt the current time; ISO 8601
   * @returns false if another run was first, and nothing was written
   */
  noteDrift(drift: WebhookState['drift'], startedAt: string, notedAt: string): Promise<boolean>;
  /** Records a confirmation; one that is older than the stored one changes nothing. */
  recordConfirmed(confirmed: Confirmed): Promise<void>;
  /** Records the time of a verified request; a time before the stored one changes nothing. @param at ISO 8601 */
  recordVerified(at: string): Promise<void>;
  /** @param now milliseconds since the epoch */
  addMismatches(count: number, now: number): Promise<void>;
  /** Returns the count of mismatches in the last hour. @param now milliseconds since the epoch */
  mismatchesLastHour(now: number): Promise<number>;
  /**
   * Takes the turn if the last one of this name was long enough ago. One of several callers gets it.
   *
   * @param now milliseconds since the epoch
   */
  takeTurn(name: Turn, intervalMs: number, now: number): Promise<boolean>;
}

/** Actions with a minimum time between two of them. */
export type Turn = 'reconcileForMismatches' | 'reconcileForRotation' | 'rotateByAge';

const stateKey = { pk: { S: 'webhook' }, sk: { S: 'state' } };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export function createWebhookStateTable(client: DynamoDBClient, tableName: string): WebhookStateTable {
  /** Sets attributes of the state, and removes those that are undefined. @param compared values that only the condition uses */
  async function update(
    values: Readonly<Record<string, unknown>>,
    condition?: string,
    compared: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const names = Object.keys(values);
    const kept = names.filter((name) => values[name] !== undefined);
    const removed = names.filter((name) => values[name] === undefined);
    const sets = kept.map((name) => `#${name} = :${name}`).join(', ');
    const removes = removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}`;
    await client.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: stateKey,
        UpdateExpression: `SET ${sets}${removes}`,
        ...omitUndefined({ ConditionExpression: condition }),
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: marshall(
          { ...Object.fromEntries(kept.map((name) => [`:${name}`, values[name]])), ...compared },
          { removeUndefinedValues: true },
        ),
      }),
    );
  }

  /** @returns false if the condition does not hold */
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
    const {
      desiredState,
      registeredAt,
      lastReconcile,
      confirmedAt,
      confirmedVersion,
      drift,
      lastVerifiedAt,
    } = unmarshall(Item);
    const confirmed =
      confirmedAt === undefined || confirmedVersion === undefined
        ? undefined
        : { at: confirmedAt, versionId: confirmedVersion };
    return omitUndefined({ desiredState, registeredAt, lastReconcile, confirmed, drift, lastVerifiedAt });
  };

  return {
    read,
    setDesiredState: (desiredState) =>
      update(desiredState === 'deactivated' ? { desiredState, registeredAt: undefined } : { desiredState }),
    recordReconcile: (lastReconcile) => update({ lastReconcile }),

    async recordRegistered(registeredAt) {
      // `update` names only the attributes that it sets, so the condition names the other one itself.
      await updateIf(
        'attribute_not_exists(#registeredAt) AND desiredState = :registered',
        { registeredAt },
        {
          ':registered': 'registered',
        },
      );
    },

    async assumeDesiredState(desiredState) {
      if (await updateIf('attribute_not_exists(#desiredState)', { desiredState })) return desiredState;
      return (await read()).desiredState ?? desiredState;
    },

    // The SDK repeats a write whose answer was lost, so the run's own note does not count as another's.
    noteDrift: (drift, startedAt, driftNotedAt) =>
      updateIf(
        'attribute_not_exists(#driftNotedAt) OR #driftNotedAt < :startedAt OR #driftNotedAt = :driftNotedAt',
        { drift, driftNotedAt },
        { ':startedAt': startedAt },
      ),

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

function minuteKey(now: number): string {
  return `mismatches#${new Date(now).toISOString().slice(0, 16)}`;
}
