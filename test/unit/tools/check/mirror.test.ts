import { describe, expect, it } from 'vitest';
import { hasLogic, hasOwnTest, judge } from '../../../../tools/check/mirror.ts';

describe('a source has logic', () => {
  it.each([
    ['a function', 'export function a() { return 1; }', true],
    ['an internal function', 'function a() {} export const b = a();', true],
    ['an arrow function', 'export const a = (n: number) => n + 1;', true],
    ['a function behind a type', 'const a = ((n) => n) satisfies (n: number) => number;', true],
    ['a class with a method', 'export class A { b() { return 1; } }', true],
    ['a class with a getter', 'class A { get b() { return 1; } }', true],
    ['a class with an arrow function', 'class A { readonly b = () => 1; }', true],
    ['an error without code', "export class A extends Error { override readonly name = 'A'; }", false],
    ['a type', 'export interface A { b(): void } export type C = () => void;', false],
    ['a declared function', 'export declare function a(): void;', false],
    ['a constant', 'export const a = { b: 1 }; export const c = d.map((e) => e);', false],
    ['a re-export', "export { a } from './b.ts';", false],
  ])('that is %s', (_, text, expected) => {
    expect(hasLogic('a.ts', text)).toBe(expected);
  });
});

describe('the own test of a source', () => {
  it.each([
    ['cli/a/b.ts', 'test/unit/cli/a/b.test.ts', true],
    ['cli/a/b.ts', 'test/unit/cli/a/b.io.test.ts', true],
    ['cli/a/b.ts', 'test/infra/deep/b.test.ts', true],
    ['cli/a/b.ts', 'test/unit/cli/b.test.ts', false],
    ['cli/a/b.ts', 'test/unit/cli/a.test.ts', false],
    ['cli/a/b.ts', 'test/local/a-b.test.ts', false],
    ['functions/worker/handler.ts', 'test/unit/functions/worker/handler.test.ts', true],
    ['functions/worker/handler.ts', 'test/unit/functions/worker/worker.test.ts', true],
    ['functions/worker/handler.ts', 'test/unit/functions/worker.io.test.ts', true],
    ['functions/worker/handler.ts', 'test/local/worker.test.ts', true],
    ['functions/worker/handler.ts', 'test/local/handler.test.ts', false],
    ['functions/worker/handler.ts', 'test/unit/functions/ingest/handler.test.ts', false],
  ])('%s: %s', (source, test, expected) => {
    expect(hasOwnTest(source, new Set([test]))).toBe(expected);
  });
});

describe('the list of sources without a test of their own', () => {
  const code = 'export function run() {}';
  const tree = {
    sources: new Map([
      ['cli/tested.ts', code],
      ['cli/untested.ts', code],
      ['cli/agreed.ts', code],
      ['cli/types.ts', 'export type A = string;'],
    ]),
    tests: new Set(['test/unit/cli/tested.test.ts']),
  };
  const judged = (list: string[], writes = false) => judge(tree, list, writes);

  it('passes when it names exactly these sources', () => {
    expect(judged(['cli/agreed.ts', 'cli/untested.ts'])).toEqual({
      lines: ['3 sources with logic, 2 without a test of their own.'],
      isFailure: false,
    });
  });

  it('fails with advice when a source is missing', () => {
    const { lines, isFailure } = judged(['cli/agreed.ts']);
    expect(isFailure).toBe(true);
    expect(lines).toContain('  cli/untested.ts');
    expect(lines).toContain('  test/unit/cli/untested.test.ts');
    expect(lines.at(-1)).toContain('without-own-test.txt');
  });

  it.each(['cli/tested.ts', 'cli/types.ts', 'cli/gone.ts'])('fails with advice when it names %s', (path) => {
    const { lines, isFailure } = judged(['cli/agreed.ts', path, 'cli/untested.ts']);
    expect(isFailure).toBe(true);
    expect(lines.slice(1)).toEqual([
      expect.stringContaining('without-own-test.txt names sources'),
      `  ${path}`,
      'Remove them: node tools/check/check-mirror.ts --write',
    ]);
  });

  const both = ['cli/agreed.ts', 'cli/untested.ts'];

  it.each([
    ['is shortened by --write', ['cli/gone.ts', ...both], { isFailure: false, newList: both }],
    ['gets no source by --write', ['cli/agreed.ts'], { isFailure: true, newList: ['cli/agreed.ts'] }],
  ])('%s', (_, list, expected) => {
    expect(judged(list, true)).toMatchObject(expected);
  });
});
