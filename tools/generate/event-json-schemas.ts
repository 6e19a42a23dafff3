import * as z from 'zod';
import { type DetailType, detailTypes, publishedSchema } from '../../functions/publish/shapes.ts';

const descriptions: Readonly<Record<DetailType, string>> = {
  [detailTypes.statusChanged]: 'The status of a message changed, or a message was seen for the first time.',
  [detailTypes.deliveryEvent]:
    'A delivery report was stored, whether or not it changed the status. Off by default.',
  [detailTypes.conflict]: 'One report says that the message arrived, and another that it did not.',
  [detailTypes.replyReceived]: 'A recipient replied, or the service sent a reply again with other content.',
  [detailTypes.optOut]: 'A number wants no more messages.',
  [detailTypes.optIn]: 'A number wants messages again.',
  [detailTypes.helpRequested]: 'A reply is nothing but the help keyword.',
  [detailTypes.stale]: 'A message has waited too long for a final report.',
  [detailTypes.cardExpiring]:
    'The default card of the SMS service expires soon, has expired, or there is none.',
  [detailTypes.webhookDrifted]: 'The webhook at the SMS service was changed outside the pipeline.',
  [detailTypes.contractDrifted]:
    'Events differ from the contract and its samples in a way that is new on that day.',
  [detailTypes.deliveryDegraded]:
    'Fewer messages than usual are delivered, they take longer, or more fail for one reason.',
  [detailTypes.deliveryRecovered]: 'Delivery is as usual again.',
  [detailTypes.providerDegraded]:
    'Fewer messages of one of several sources than usual are delivered, they take longer, or too many are slow.',
  [detailTypes.providerRecovered]: 'Delivery of the source is as usual again.',
};

/** Returns the file name of a detail type's schema, without folder and extension: "sms-opt-out.v1". */
export function schemaName(detailType: DetailType): string {
  return `${detailType.toLowerCase().replaceAll(' ', '-')}.v1`;
}

/**
 * Makes the JSON Schema (draft 2020-12) of a detail. It allows further fields: a later release of version 1 may add some, and consumers ignore
 * unknown ones.
 */
export function detailJsonSchema(detailType: DetailType) {
  const { $schema, ...schema } = z.toJSONSchema(publishedSchema(detailType), {
    target: 'draft-2020-12',
    io: 'input',
  });
  return {
    $schema,
    $id: `urn:sms-pipeline:${schemaName(detailType).replace('.', ':')}`,
    title: detailType,
    description: descriptions[detailType],
    ...schema,
  };
}
