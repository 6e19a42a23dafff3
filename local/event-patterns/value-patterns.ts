import { BlockList, isIP } from 'node:net';

/** EventBridge rejects the pattern, or it is not supported on one machine. The message names the path. */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  /** @param path the place in the pattern, for example `detail.status` */
  constructor(path: string, reason: string) {
    super(`${path === '' ? 'the pattern' : path}: ${reason}`);
  }
}

/**
 * Compiles an IPv4 or IPv6 block such as `10.0.0.0/24`. A single address is not a block: EventBridge's matcher rejects
 * `/32` and `/128`.
 *
 * @throws PatternError
 */
export function compileCidr(block: unknown, path: string): (address: string) => boolean {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(String(block)) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(length) >= (family === 4 ? 32 : 128)) {
    throw new PatternError(path, 'expected a block of addresses such as 10.0.0.0/24');
  }
  const list = new BlockList();
  list.addSubnet(address, Number(length), family === 4 ? 'ipv4' : 'ipv6');
  return (candidate) => isIP(candidate) === family && list.check(candidate, family === 4 ? 'ipv4' : 'ipv6');
}

type Comparison = (value: number, bound: number) => boolean;

const comparisons: Readonly<Partial<Record<string, Comparison>>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** The matching is limited to values from -5.0e9 to +5.0e9, both included (EventBridge User Guide, "Numeric matching"). */
const MAX_VALUE = 5e9;

/**
 * Compiles `["=", 5]`, `["<", 10]` or a range as `[">", 0, "<=", 5]`, the lower bound first. Larger values, such as times in
 * milliseconds, match nothing.
 *
 * @throws PatternError
 */
export function compileNumeric(range: unknown, path: string): (value: number) => boolean {
  if (!Array.isArray(range) || (range.length !== 2 && range.length !== 4)) {
    throw new PatternError(path, 'expected one comparison, or a lower and an upper bound');
  }
  const [first, firstBound, second, secondBound] = range;
  const lower = comparison(first, firstBound, path);
  if (range.length === 2) return lower;
  const upper = comparison(second, secondBound, path);
  if (!String(first).startsWith('>') || !String(second).startsWith('<') || firstBound >= secondBound) {
    throw new PatternError(path, 'a range is a lower bound and then a larger upper one');
  }
  return (value) => lower(value) && upper(value);
}

function comparison(operator: unknown, bound: unknown, path: string): (value: number) => boolean {
  const compare = comparisons[String(operator)];
  if (!compare) throw new PatternError(path, `there is no comparison ${JSON.stringify(operator)}`);
  if (typeof bound !== 'number' || Math.abs(bound) > MAX_VALUE) {
    throw new PatternError(path, 'a bound is a number from -5e9 to 5e9');
  }
  return (value) => Math.abs(value) <= MAX_VALUE && compare(value, bound);
}

/**
 * Compiles a wildcard. `*` stands for any number of characters, `\*` is an asterisk and `\\` a backslash. Consecutive wildcards are rejected, as
 * EventBridge does (User Guide, "Matching using wildcards").
 *
 * @throws PatternError
 */
export function compileWildcard(wildcard: string, path: string): (text: string) => boolean {
  let source = '';
  let afterStar = false;
  for (let index = 0; index < wildcard.length; index += 1) {
    const character = wildcard.charAt(index);
    if (character === '*') {
      if (afterStar) throw new PatternError(path, 'wildcards in a row are not allowed');
      source += '.*';
      afterStar = true;
      continue;
    }
    afterStar = false;
    if (character !== '\\') {
      source += literal(character);
      continue;
    }
    index += 1;
    const escaped = wildcard.charAt(index);
    if (escaped !== '*' && escaped !== '\\') {
      throw new PatternError(path, 'a backslash is only allowed before an asterisk or a backslash');
    }
    source += literal(escaped);
  }
  const expression = new RegExp(`^${source}$`, 's');
  return (text) => expression.test(text);
}

function literal(character: string): string {
  return character.replace(/[$()*+./?[\\\]^{|}-]/, '\\$&');
}
