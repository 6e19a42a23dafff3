import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { clientSettings, readEnvironment } from '../../base/handler-settings.ts';
import { readBusMessage } from '../runner/bus-message.ts';
import { createServiceHandler, serviceVariables } from '../runner/service-handler.ts';
import { createContactLease } from './contact-lease-store.ts';
import { contactSyncTypes, syncContact } from './sync-contact.ts';

const environment = readEnvironment({
  ...serviceVariables,
  CONTACT_TURNS_TABLE_NAME: 'text',
  CONTACT_LIST_IDS: 'list',
});
const dependencies = {
  lease: createContactLease(new DynamoDBClient(clientSettings), environment.CONTACT_TURNS_TABLE_NAME),
  lists: environment.CONTACT_LIST_IDS,
  clock: Date.now,
  newId: randomUUID,
};

/** Writes contacts of numbers that replied. */
export const handler = createServiceHandler(environment, {
  handle: (body, service) =>
    syncContact(readBusMessage(body, contactSyncTypes), { ...dependencies, service }),
  concurrency: 2,
});
