import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Details } from '../bus/details.ts';
import type { detailTypes } from '../bus/event-types.ts';
import type { CaptureCount } from '../webhook/secret-document.ts';
import { type Drift, driftKinds } from '../webhook/webhook-drift.ts';

/** What this pipeline wants of the service: set by registering and deactivating, followed by reconciling. */
export type DesiredState = 'registered' | 'deactivated';

/** What is known about the webhook besides its secret. Times are ISO 8601 in UTC. */
export interface WebhookState {
  /** Undefined until the first registration. */
  readonly wanted?: DesiredState;
  readonly lastReconcile?: LastReconcile;
  readonly confirmed?: Confirmed;
  /** What was found changed elsewhere and not put right. */
  readonly drift?: { readonly kinds: readonly Drift[]; readonly since: string };
  /** When each thing was last found changed elsewhere by the run that tells it. */
  readonly lastTold?: Readonly<Partial<Record<Drift, string>>>;
  /** What was found changed elsewhere and the bus has not confirmed yet, the oldest first. */
  readonly pendingDrift?: readonly PendingDrift[];
  /** When a request was last received that was verified; to within a minute. */
  readonly lastVerifiedAt?: string;
}

/** The detail of an event to publish, its id included: told as it was found, whenever that is. */
export type PendingDrift = Details[typeof detailTypes.webhookDrifted];

/** The service was asked for its secret at a time, and it is the current one of a version of the stored document. */
export interface Confirmed {
  readonly at: string;
  readonly versionId: string;
}

interface LastReconcile {
  readonly at: string;
  /** Why it failed, a kind of the setup function's failures; absent where it did not. */
  readonly failure?: string;
}

/** Where the state of the webhook is kept: one item, one for each minute in which signatures did not fit, and one a capture. */
export interface WebhookStateTable {
  read(): Promise<WebhookState>;
  setWanted(wanted: DesiredState): Promise<void>;
  /** Writes down what is wanted where nobody has yet. @returns what is wanted then */
  assumeWanted(wanted: DesiredState): Promise<DesiredState>;
  recordReconcile(last: LastReconcile): Promise<void>;
  /**
   * Notes in one write what is left changed elsewhere, and what is to be told of it.
   *
   * @param known what was known to be left
   * @param startedAt when the run began that notes it, ISO 8601
   * @returns false where that is no longer so, or another run has told one of these things since then, and nothing was written
   */
  noteDrift(note: DriftNote, known: WebhookState['drift'], startedAt: string): Promise<boolean>;
  /** Forgets what needs to be told no longer. */
  forgetPendingDrift(told: readonly PendingDrift[]): Promise<void>;
  /** An earlier confirmation than the one known changes nothing. */
  recordConfirmed(confirmed: Confirmed): Promise<void>;
  /** @param at ISO 8601; an earlier time than the one known changes nothing */
  recordVerified(at: string): Promise<void>;
  /** @param now milliseconds since the epoch */
  addMismatches(count: number, now: number): Promise<void>;
  /**
   * Adds to the requests of a capture.
   *
   * @param until when it ends, which names it; ISO 8601 in UTC
   */
  addCaptured(count: CaptureCount, until: string): Promise<void>;
  /** How many requests of a capture were told. @param until as above */
  captured(until: string): Promise<CaptureCount>;
  /** Mismatches told in the last hour. @param now milliseconds since the epoch */
  mismatchesLastHour(now: number): Promise<number>;
  /**
   * Takes a turn, where the last one of this name was long enough ago; of several callers one gets it.
   *
   * @param now milliseconds since the epoch
   */
  takeTurn(name: Turn, intervalMs: number, now: number): Promise<boolean>;
}

interface DriftNote {
  /** As {@link WebhookState} has it; undefined where nothing is. */
  readonly left: WebhookState['drift'];
  readonly pending: readonly PendingDrift[];
}

/** What may happen only so often, whoever asks. */
export type Turn = 'reconcileForMismatches' | 'reconcileForRotation' | 'rotateByAge';

/** The state's item, which nobody but this adapter writes. */
interface StoredState extends Omit<WebhookState, 'confirmed' | 'lastTold' | 'pendingDrift'> {
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
    const told = driftKinds.filter((kind) => stored[toldName(kind)] !== undefined);
    const pendingDrift = pendingOf(stored);
    return {
      ...(wanted !== undefined && { wanted }),
      ...(lastReconcile !== undefined && { lastReconcile }),
      ...(confirmedAt !== undefined &&
        confirmedVersion !== undefined && { confirmed: { at: confirmedAt, versionId: confirmedVersion } }),
      ...(drift !== undefined && { drift }),
      ...(told.length > 0 && {
        lastTold: Object.fromEntries(told.map((kind) => [kind, stored[toldName(kind)]])),
      }),
      ...(pendingDrift.length > 0 && { pendingDrift }),
      ...(lastVerifiedAt !== undefined && { lastVerifiedAt }),
    };
  };

  return {
    read,
    setWanted: (wanted) => update({ wanted }),
    recordReconcile: (lastReconcile) => update({ lastReconcile }),

    async assumeWanted(wanted) {
      if (await updateIf('attribute_not_exists(#wanted)', { wanted })) return wanted;
      return (await read()).wanted ?? wanted;
    },

    noteDrift: ({ left, pending }, known, startedAt) => {
      const isAsKnown = known === undefined ? 'attribute_not_exists(#drift)' : '#drift = :known';
      const areUntold = pending
        .map(({ kind }) => `#${toldName(kind)}`)
        .map((name) => `(attribute_not_exists(${name}) OR ${name} < :startedAt)`);
      return updateIf(
        [isAsKnown, ...areUntold].join(' AND '),
        {
          drift: left,
          ...Object.fromEntries(pending.map((detail) => [pendingPrefix + detail.eventId, detail])),
          ...Object.fromEntries(pending.map(({ kind, foundAt }) => [toldName(kind), foundAt])),
        },
        {
          ...(known !== undefined && { ':known': known }),
          // DynamoDB takes no value that is not used.
          ...(pending.length > 0 && { ':startedAt': startedAt }),
        },
      );
    },

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

    async addCaptured({ captured, leftOut }, until) {
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: captureKey(until),
          UpdateExpression: 'ADD #count :count, #leftOut :leftOut SET #expiresAt = :expiresAt',
          ExpressionAttributeNames: { '#count': 'count', '#leftOut': 'leftOut', '#expiresAt': 'expiresAt' },
          ExpressionAttributeValues: marshall({
            ':count': captured,
            ':leftOut': leftOut,
            ':expiresAt': Math.ceil((Date.parse(until) + 24 * hourMs) / 1000),
          }),
        }),
      );
    },

    async captured(until) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key: captureKey(until), ConsistentRead: true }),
      );
      return { captured: Number(Item?.count?.N ?? 0), leftOut: Number(Item?.leftOut?.N ?? 0) };
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

/** A name without a hyphen: it stands in expressions. */
function toldName(kind: Drift): string {
  return `told_${kind.replaceAll('-', '_')}`;
}

function captureKey(until: string) {
  return { pk: { S: 'webhook' }, sk: { S: `captured#${until}` } };
}

function minuteKey(now: number): string {
  return `mismatches#${new Date(now).toISOString().slice(0, 16)}`;
}
