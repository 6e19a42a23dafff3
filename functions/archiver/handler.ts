import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import { openArchiveObjects } from '#archive';
import { readItems } from '../history/item-read-store.ts';
import { invocationDeadline } from '../runtime/basics.ts';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../runtime/handler-settings.ts';
import { logCatalogue } from '../runtime/log-catalogue.ts';
import { type ArchiverDependencies, archiveDays } from './archive-days.ts';
import { createNotedItems } from './noted-items-store.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  HISTORY_TABLE_NAME: 'text',
  OPEN_BATCHES_TABLE_NAME: 'text',
  ARCHIVE_BUCKET_NAME: 'text',
  ARCHIVE_AFTER_DAYS: 'integer',
  RETENTION_DAYS: 'integer',
});
const dynamoDb = new DynamoDBClient(clientSettings);
const objects = openArchiveObjects(environment.ARCHIVE_BUCKET_NAME);
if (objects === undefined)
  throw new Error('the archive is off: the stack has no reason to run this function');

const dependencies: ArchiverDependencies = {
  objects,
  readItems: (keys, options) => readItems(dynamoDb, environment.HISTORY_TABLE_NAME, keys, undefined, options),
  noted: createNotedItems(dynamoDb, environment.OPEN_BATCHES_TABLE_NAME),
  afterDays: environment.ARCHIVE_AFTER_DAYS,
  retentionDays: environment.RETENTION_DAYS,
  clock: Date.now,
  log,
  count,
};

/** Time at the end of the invocation in which no hour begins, in milliseconds: one hour of notes is read and stored. */
const reservedMs = 300_000;

/** Copies messages and replies to the archive before they expire. It runs on a schedule and ignores the event payload. */
export const handler = middy<unknown, void>()
  .use(observability())
  .handler((_event, context) => archiveDays(dependencies, invocationDeadline(context, reservedMs)));
