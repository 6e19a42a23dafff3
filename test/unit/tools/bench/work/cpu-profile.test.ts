import { describe, expect, it } from 'vitest';
import { cpuProfile, ownerOf, ownTimes } from '../../../../../tools/bench/work/cpu-profile.ts';

describe('a source belongs to', () => {
  it.each([
    ['the package it is in', '../../node_modules/@smithy/core/dist-es/x.js', '@smithy/core'],
    ['the innermost package', 'node_modules/a/node_modules/b/x.js', 'b'],
    ['a folder of functions/', '../functions/core/events/fields.ts', 'functions/core'],
    ['a part of Node.js', 'node:internal/deps/undici/undici', 'node:internal/deps/undici'],
    ['a part of Node.js, whatever file', 'node:internal/streams/writable', 'node:internal/streams'],
    ['a module of Node.js', 'node:_http_client', 'node:_http_client'],
    ['itself', '(garbage collector)', '(garbage collector)'],
  ])('%s', (_, source, owner) => {
    expect(ownerOf(source)).toBe(owner);
  });
});

it('the time of a profile is added up by owner, without what was idle', () => {
  const frame = (functionName: string, url = '') => ({
    callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 },
  });
  const profile = cpuProfile.parse({
    nodes: [
      { id: 1, ...frame('(idle)') },
      { id: 2, ...frame('a', 'node_modules/a/index.mjs') },
      { id: 3, ...frame('b', 'node_modules/a/other.mjs') },
      { id: 4, ...frame('(garbage collector)') },
    ],
    samples: [1, 2, 3, 4, 2],
    timeDeltas: [9000, 1000, 2000, 1000, 0],
  });
  expect(ownTimes(profile, ({ url, functionName }) => url || functionName)).toEqual([
    { owner: 'a', milliseconds: 3, part: 0.75 },
    { owner: '(garbage collector)', milliseconds: 1, part: 0.25 },
  ]);
});
