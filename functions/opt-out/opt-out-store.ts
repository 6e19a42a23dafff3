import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { ReplyText } from '../../contract/schema/sms-event.ts';
import { type Item, optOutKey, registerKeysOf, shardOf } from '../history/history-item-store.ts';
import { compareText } from '../history/message.ts';
import type { KeywordOf } from './keyword.ts';

/** That a number wants no more messages, or wants them again. */
export interface OptOutChange {
  /** E.164 where it can be read as such. */
  readonly phone: string;
  readonly state: 'out' | 'in';
  /** When it was said; ISO 8601 in UTC. Of several the newest counts. */
  readonly at: string;
  /** The reply that said it. */
  readonly replyId: string;
}

/** A number that wants no more messages. */
export type OptOut = Omit<OptOutChange, 'state'>;

/** What one reply says about being written to: "out" and "in" of one reply are two statements. */
export interface OptOutStatement extends OptOutChange {
  /**
   * Tells the versions of a reply apart. Undefined where only the reply's id can tell a copy from something new: the service
   * reports no time, or a version of this pipeline without statements wrote it. It ends with the time of receipt where nothing can.
   */
  readonly eventId?: string;
}

/** So many statements of a number are kept, the newest. */
export const maxStatements = 100;

/** How far the service's clock may be ahead of ours. */
const clockToleranceMs = 5 * 60_000;

/** Reads what a reply says about being written to; most replies say nothing. @param receivedAt ISO 8601 in UTC */
export function readStatement(
  { eventId, replyId, from, text, occurredAt, isTimed, isDistinct }: ReplyText,
  receivedAt: string,
  keywordOf: KeywordOf,
): OptOutStatement | undefined {
  const keyword = keywordOf(text, from);
  if (keyword !== 'stop' && keyword !== 'start') return undefined;
  const state = keyword === 'stop' ? 'out' : 'in';
  const ownId = isTimed || !replyId.isWellFormed() ? eventId : undefined;
  // A second STOP may look like a copy of the first. When in doubt, the person is opted out, so each receipt is a statement.
  const id = state === 'out' && !isDistinct ? `${eventId} ${receivedAt}` : ownId;
  return {
    // What a database gives back: an id or a number is the same before and after it is stored.
    phone: from.toWellFormed(),
    state,
    at: effectiveTime(state, occurredAt, receivedAt),
    replyId: replyId.toWellFormed(),
    ...(id === undefined ? {} : { eventId: id }),
  };
}

/**
 * When something counts as said. A time further ahead of the receipt than clocks differ is wrong: then STOP counts as late as it can have
 * been said, and START as early.
 */
function effectiveTime(state: 'out' | 'in', occurredAt: string | undefined, receivedAt: string): string {
  if (occurredAt === undefined) return receivedAt;
  const latest = Date.parse(receivedAt) + clockToleranceMs;
  if (Date.parse(occurredAt) <= latest) return occurredAt;
  return state === 'out' ? new Date(latest).toISOString() : receivedAt;
}

/**
 * Joins statements of a number. Of copies of one statement the earliest time counts, so order and repetition do not matter as long as
 * there are no more than {@link maxStatements}.
 *
 * @param known as this function gives them
 * @returns the newest first: the first one is what the number wants. Those of `known` that stay are the same objects
 */
export function joinStatements(
  known: readonly OptOutStatement[],
  others: readonly OptOutStatement[],
): OptOutStatement[] {
  const joined = new Map<string, OptOutStatement>();
  for (const statement of [...known, ...others]) {
    const id = idOf(statement);
    const copy = joined.get(id);
    if (copy === undefined || compareStatements(statement, copy) < 0) joined.set(id, statement);
  }
  return [...joined.values()].sort((a, b) => compareStatements(b, a)).slice(0, maxStatements);
}

/** Whether two statements are copies of one. */
export function isSameStatement(a: OptOutStatement, b: OptOutStatement): boolean {
  return idOf(a) === idOf(b);
}

function idOf({ state, eventId, replyId }: OptOutStatement): string {
  return eventId === undefined ? `${state} reply ${replyId}` : `${state} event ${eventId}`;
}

/**
 * Orders what a number said: the newest counts. Of one moment "out" counts: when in doubt, the person is opted out. Negative where `a`
 * counts less than `b`.
 */
export function compareOptOutChanges(a: SaidChange, b: SaidChange): number {
  // "out" is the greater text of the two.
  return compareText(a.at, b.at) || compareText(a.state, b.state) || compareText(a.replyId, b.replyId);
}

type SaidChange = Pick<OptOutChange, 'at' | 'replyId' | 'state'>;

/** As {@link compareOptOutChanges}, then by what else differs, so that the order is always the same. */
function compareStatements(a: OptOutStatement, b: OptOutStatement): number {
  return (
    compareOptOutChanges(a, b) ||
    compareText(a.eventId ?? '', b.eventId ?? '') ||
    compareText(a.phone, b.phone)
  );
}

/** Which numbers want no more messages: an item a number in the history table, which does not expire. */
export interface OptOutRegister {
  /**
   * Records statements, all of one number. The order and the repetition of statements do not matter, and where they change nothing nothing
   * is written.
   *
   * @throws ContentionError where other writers keep changing the number's item; the caller tries again later
   */
  record(...statements: readonly OptOutStatement[]): Promise<void>;
}

/** Thrown where other writers keep changing the same item. */
class ContentionError extends Error {
  override readonly name = 'ContentionError';
}

const maxAttempts = 16;

export function createOptOutRegister(
  client: DynamoDBClient,
  tableName: string,
  worklistShards: number,
): OptOutRegister {
  /**
   * An update whose condition never holds writes nothing and gives the item, strongly consistent. So the worker needs no permission to
   * read the table.
   */
  async function read(key: string): Promise<Item | undefined> {
    try {
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { pk: { S: key } },
          ConditionExpression: 'attribute_exists(#pk) AND attribute_not_exists(#pk)',
          ExpressionAttributeNames: { '#pk': 'pk' },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return undefined;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return error.Item;
      throw error;
    }
  }

  /** What versions before stored of a number under other keys than today's. */
  async function readOthers(phone: string): Promise<OptOutStatement[]> {
    const others = registerKeysOf(phone).filter((key) => key !== optOutKey(phone));
    const items = await Promise.all(others.map(read));
    return items.flatMap((item) => (item === undefined ? [] : statementsFromItem(item)));
  }

  return {
    async record(...statements) {
      const [first] = statements;
      if (first === undefined) return;
      const key = optOutKey(first.phone);
      let stored = await read(key);
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const before = stored === undefined ? await readOthers(first.phone) : statementsFromItem(stored);
        const after = joinStatements(before, statements);
        const [standing] = after;
        if (standing === undefined || (stored !== undefined && isAsStored(stored, before, after))) return;
        try {
          await client.send(
            new PutItemCommand({
              TableName: tableName,
              Item: itemOf(key, standing, after, worklistShards),
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...isUnchanged(stored),
            }),
          );
          return;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
          stored = error.Item;
        }
      }
      throw new ContentionError(`an item changed ${maxAttempts} times while it was being written`);
    },
  };
}

function itemOf(
  key: string,
  standing: OptOutStatement,
  statements: readonly OptOutStatement[],
  shards: number,
): Item {
  const { phone, state, at, replyId } = standing;
  return marshall(
    {
      pk: key,
      number: phone,
      state,
      changedAt: at,
      replyId,
      ...(state === 'out' ? { worklist: `optout#${shardOf(phone, shards)}`, listedAt: at } : {}),
      statements,
    },
    { removeUndefinedValues: true },
  );
}

/** What decides over a number's next state: all of it is compared, so an item that was deleted and written again in between is safe. */
const decisive = ['state', 'changedAt', 'replyId', 'statements'] as const;

/** The condition that the item is still what was read, or still does not exist. */
function isUnchanged(
  stored: Item | undefined,
): Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
> {
  if (stored === undefined)
    return { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': 'pk' } };
  const values: Record<string, AttributeValue> = {};
  const conditions = decisive.map((name) => {
    const value = stored[name];
    if (value === undefined) return `attribute_not_exists(#${name})`;
    values[`:${name}`] = value;
    return `#${name} = :${name}`;
  });
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(decisive.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: values,
  };
}

function isAsStored(
  stored: Item,
  before: readonly OptOutStatement[],
  after: readonly OptOutStatement[],
): boolean {
  const isSame =
    after.length === before.length && after.every((statement, index) => statement === before[index]);
  return isSame && isStanding(optOutChangeFromItem(stored), after[0]);
}

/**
 * What a number said, the newest first.
 *
 * A version without statements keeps only what stands. It may also have written over an item that has statements, while two versions
 * run beside each other: what stands there and in no statement is one.
 */
export function statementsFromItem(item: Item): OptOutStatement[] {
  const standing = optOutChangeFromItem(item);
  const statements: OptOutStatement[] = item.statements === undefined ? [] : unmarshall(item).statements;
  return joinStatements(statements, isStanding(standing, statements[0]) ? [] : [standing]);
}

function isStanding({ state, at, replyId }: OptOutChange, newest: OptOutStatement | undefined): boolean {
  return newest?.state === state && newest.at === at && newest.replyId === replyId;
}

/** What an item of the register says of a number, whether it wants messages or not. */
export function optOutChangeFromItem(item: Item): OptOutChange {
  const { number: phone, state, changedAt: at, replyId } = unmarshall(item);
  return { phone, state, at, replyId };
}

/** @returns undefined for a number that wants messages again */
export function optOutFromItem(item: Item): OptOut | undefined {
  const { state, ...optOut } = optOutChangeFromItem(item);
  return state === 'out' ? optOut : undefined;
}
