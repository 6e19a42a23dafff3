import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SNSClient } from '@aws-sdk/client-sns';
import { clientSettings, readEnvironment } from '../../base/handler-settings.ts';
import { createNotices } from '../../base/notices-client.ts';
import { readBusMessage } from '../runner/bus-message.ts';
import { createServiceHandler, serviceVariables } from '../runner/service-handler.ts';
import { createOptOutReader } from './opt-out-read-store.ts';
import { optOutTypes, workOptOut } from './work-opt-out.ts';

const environment = readEnvironment({
  ...serviceVariables,
  HISTORY_TABLE_NAME: 'text',
  OPT_OUT_LIST_IDS: 'list',
  OPT_IN_LIST_IDS: 'list',
  NOTICES_TOPIC_ARN: 'text',
});
const dependencies = {
  register: createOptOutReader(new DynamoDBClient(clientSettings), environment.HISTORY_TABLE_NAME),
  lists: { out: environment.OPT_OUT_LIST_IDS, in: environment.OPT_IN_LIST_IDS },
  notices: createNotices(new SNSClient(clientSettings), environment.NOTICES_TOPIC_ARN),
};

/** Updates contacts to the state in the register of opt-outs. */
export const handler = createServiceHandler(environment, {
  handle: (body, service) => workOptOut(readBusMessage(body, optOutTypes), { ...dependencies, service }),
  concurrency: 5,
});
