import assert from 'node:assert/strict';
import type { Log } from '../../../functions/base/log-catalogue.ts';
import type { Count } from '../../../functions/base/metrics.ts';
import { privateNumber, privateText } from './hostile-values.ts';
import { expiredSecret, strangersSecret, targets } from './targets.ts';

const secrets = [...targets.map(({ secret }) => secret), expiredSecret, strangersSecret];
const hidden = [...secrets, ...secrets.map((secret) => secret.replace('whsec_', '')), privateText];
const digits = privateNumber.replace('+1', '');
const stackLine = /\n\s+at |node:internal|\/functions\//;

/** Fails if a visible text holds a private value or a stack. */
export function assertHoldsNothingPrivate(where: string, text: string): void {
  for (const value of [...hidden, digits]) assert(!text.includes(value), `${where} holds a private value`);
  assert(!stackLine.test(text), `${where} holds a stack`);
}

/** What only a defect of ours puts into a text: the words of JavaScript's own errors, and values that were not made for people. */
const insides =
  /\b(?:Type|Range|Reference|Syntax|URI|Zod)Error\b|Cannot (?:read|convert|set|access|destructure)|is not (?:a function|iterable)|Maximum call stack|Invalid (?:array|string) length|\[object |\bundefined\b|URI malformed|node_modules|\.ts:\d/;

/** Fails if a visible text holds a private value, a stack, or the words of an error that was not expected. */
export function assertIsAnswer(where: string, text: string): void {
  assertHoldsNothingPrivate(where, text);
  assertShowsNoInsides(where, text);
}

/** Fails as {@link assertIsAnswer} does, and permits numbers and texts: for what an operator sees. */
export function assertShowsNoInsides(where: string, text: string): void {
  assert(!stackLine.test(text), `${where} holds a stack`);
  const found = insides.exec(text);
  assert(found === null, `${where} holds "${found?.[0]}": ${text.slice(0, 200)}`);
}

/**
 * Compares the logs and counts of the attacked code with the permitted ones. The code may catch errors of its dependencies, so broken
 * promises are collected, and thrown by `close`.
 */
export function createWatch() {
  const lines: string[] = [];
  const broken: unknown[] = [];
  /** Runs a check whose failure the attacked code must not swallow. */
  function check(assertion: () => void): void {
    try {
      assertion();
    } catch (error) {
      broken.push(error);
    }
  }
  const log: Log = (name, fields = {}) => {
    lines.push(JSON.stringify([name, fields]));
    check(() => {
      assertHoldsNothingPrivate('the log', lines.at(-1) ?? '');
      for (const value of Object.values(fields))
        assert(typeof value !== 'string' || isTame(value), 'the log holds a text from outside');
    });
  };
  const count: Count = (_metric, by = 1) =>
    check(() => assert(Number.isSafeInteger(by) && by >= 0, 'a count is none'));
  return {
    log,
    count,
    check,
    lines,
    open: () => {
      lines.length = 0;
      broken.length = 0;
    },
    /** @throws the first thing that was broken since `open` */
    close: () => {
      if (broken.length > 0) throw broken[0];
      assertPrototypesUntouched();
    },
  };
}

/** Ids, also those of conversations and of other sources, masked numbers, reasons and names of errors: nothing that a stranger may choose. */
function isTame(value: string): boolean {
  return /^[\w:.#, ~/•-]{0,128}$/.test(value);
}

const untouched = new Map(
  [Object.prototype, Array.prototype, String.prototype, Function.prototype, Map.prototype].map(
    (prototype) => [prototype, Reflect.ownKeys(prototype).length],
  ),
);

/** Fails where something has reached the prototypes everything inherits from. */
export function assertPrototypesUntouched(): void {
  for (const [prototype, keys] of untouched)
    assert.equal(Reflect.ownKeys(prototype).length, keys, 'a prototype was polluted');
  assert(!('polluted' in {}), 'Object.prototype was polluted');
}
