import type { EventPattern } from 'aws-cdk-lib/aws-events';
import { type DetailType, detailTypes, eventSource } from '../../functions/core/bus/detail-types.ts';
import type { EventFilter, ReplyFilter } from './filters.ts';

/** EventBridge's name of each operator ("Comparison operators for use in event patterns", user guide). */
const operators: Readonly<Record<string, string>> = {
  prefix: 'prefix',
  suffix: 'suffix',
  equalsIgnoreCase: 'equals-ignore-case',
  wildcard: 'wildcard',
  anythingBut: 'anything-but',
  numeric: 'numeric',
  exists: 'exists',
};

/** The pattern of a rule for these events of the pipeline, and for nobody else's. */
export function eventPattern({ detailType, detail }: EventFilter): EventPattern {
  return patternOf([detailType].flat(), detail ?? {});
}

/** The pattern of a rule for replies. */
export function replyPattern({ textMatches, ...fields }: ReplyFilter): EventPattern {
  const text = textMatches === undefined ? {} : { text: textMatches };
  return patternOf([detailTypes.replyReceived], { ...fields, ...text });
}

function patternOf(detailType: DetailType[], detail: Readonly<Record<string, unknown>>): EventPattern {
  const fields = Object.entries(detail).map(([field, filter]) => [field, [filter].flat().map(matcherOf)]);
  return {
    source: [eventSource],
    detailType,
    ...(fields.length === 0 ? {} : { detail: Object.fromEntries(fields) }),
  };
}

function matcherOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [[name, operand] = ['', undefined]] = Object.entries(value);
  if (name === 'word' || name === 'equals') return operand;
  return { [operators[name] ?? name]: name === 'anythingBut' ? [operand].flat().map(matcherOf) : operand };
}
