import type { AttributeValue, _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord, AttributeValue as EventValue } from 'aws-lambda';
import { REGION } from '../../../aws-protocol/call.ts';
import { TemplateError } from '../../../cloudformation/template.ts';
import { compilePattern } from '../../../event-patterns/compile-pattern.ts';
import { reasonOf } from '../../../terminal/terminal.ts';

/** Makes the record that Lambda passes to a function: binary data as base64, the time in seconds. */
export function streamRecordOf(record: StreamRecord, streamArn: string): DynamoDBRecord {
  const { Keys, NewImage, OldImage, ApproximateCreationDateTime, ...others } = record.dynamodb ?? {};
  const { userIdentity } = record;
  return {
    eventID: record.eventID ?? '',
    eventName: record.eventName ?? 'MODIFY',
    eventVersion: record.eventVersion ?? '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: REGION,
    dynamodb: {
      ...(ApproximateCreationDateTime && {
        ApproximateCreationDateTime: Math.floor(ApproximateCreationDateTime.getTime() / 1000),
      }),
      ...(Keys && { Keys: imageOf(Keys) }),
      ...(NewImage && { NewImage: imageOf(NewImage) }),
      ...(OldImage && { OldImage: imageOf(OldImage) }),
      ...others,
    },
    // Only a deletion by time to live has it.
    ...(userIdentity && {
      userIdentity: { principalId: userIdentity.PrincipalId, type: userIdentity.Type },
    }),
    eventSourceARN: streamArn,
  };
}

function imageOf(image: Readonly<Record<string, AttributeValue>>): Record<string, EventValue> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, eventValueOf(value)]));
}

function eventValueOf(value: AttributeValue): EventValue {
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(base64) };
  if (value.L !== undefined) return { L: value.L.map(eventValueOf) };
  if (value.M !== undefined) return { M: imageOf(value.M) };
  if (value.S !== undefined) return { S: value.S };
  if (value.N !== undefined) return { N: value.N };
  if (value.SS !== undefined) return { SS: value.SS };
  if (value.NS !== undefined) return { NS: value.NS };
  if (value.BOOL !== undefined) return { BOOL: value.BOOL };
  return { NULL: true };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/**
 * Compiles the filters of an event source mapping. A record passes if one filter matches, or if there are none.
 *
 * @param patterns JSON, in the language of EventBridge
 * @throws TemplateError for a pattern that is not JSON or not supported
 */
export function compileFilters(patterns: readonly string[]): (record: unknown) => boolean {
  if (patterns.length === 0) return () => true;
  const matchers = patterns.map((pattern, index) => {
    try {
      return compilePattern(JSON.parse(pattern));
    } catch (error) {
      throw new TemplateError(`FilterCriteria.Filters.${index}.Pattern: ${reasonOf(error)}`);
    }
  });
  return (record) => matchers.some((matches) => matches(record));
}
