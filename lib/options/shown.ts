import { Token } from 'aws-cdk-lib';

/** Returns whether a value is an object whose members are props. */
export function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
}

/** Stands in messages for a token. */
export const token = 'a token of CDK, whose value is known at deployment only';

/** A value for a message. Texts are not shown, because one may be a key. An ARN is none. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Token.isUnresolved(value)) return token;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (value === '') return 'an empty text';
  if (typeof value === 'function')
    return `a ${/^class\b/.test(String(value)) ? 'class' : 'function that was not called'}`;
  if (typeof value === 'string') return value.startsWith('arn:') ? value : 'a text';
  return `the ${typeof value} ${String(value)}`;
}
