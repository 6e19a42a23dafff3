import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { countTraced, type ScriptCoverage, tracedFiles } from '../../../../tools/trace/coverage.ts';
import { hopsAsJson, hopsOf, renderHops } from '../../../../tools/trace/hops.ts';

const root = '/project';

function script(path: string, ...functions: [name: string, offset: number, count: number][]): ScriptCoverage {
  return {
    url: pathToFileURL(`${root}/${path}`).href,
    functions: functions.map(([functionName, startOffset, count]) => ({
      functionName,
      ranges: [
        { startOffset, count },
        { startOffset: startOffset + 1, count: 1 },
      ],
    })),
  };
}

describe('the files of a trace', () => {
  it('have the named functions that were called, in the order of the source', () => {
    const scripts = [
      script(
        'functions/ingest/receive.ts',
        ['enqueue', 90, 1],
        ['', 50, 2],
        ['receive', 10, 1],
        ['no', 70, 0],
      ),
    ];
    expect(tracedFiles(scripts, root)).toEqual([
      {
        path: 'functions/ingest/receive.ts',
        functions: [
          { name: 'receive', offset: 10 },
          { name: 'enqueue', offset: 90 },
        ],
      },
    ]);
  });

  it('begin with the handler', () => {
    const scripts = [
      script('functions/a/z.ts', ['z', 0, 1]),
      script('contract/b.ts', ['b', 0, 1]),
      script('functions/a/handler.ts', ['', 0, 1]),
    ];
    expect(tracedFiles(scripts, root).map(({ path }) => path)).toEqual([
      'functions/a/handler.ts',
      'contract/b.ts',
      'functions/a/z.ts',
    ]);
  });

  it('are product files: no packages, no tools, no modules of Node.js', () => {
    const scripts = [
      script('node_modules/functions/index.js', ['a', 0, 1]),
      script('tools/trace/trace.ts', ['b', 0, 1]),
      { ...script('x', ['c', 0, 1]), url: 'node:internal/timers' },
      { ...script('x', ['d', 0, 1]), url: '' },
    ];
    expect(tracedFiles(scripts, root)).toEqual([]);
  });

  it('are left out when no function of them ran', () => {
    expect(tracedFiles([script('functions/a.ts', ['a', 0, 0])], root)).toEqual([]);
  });
});

it('a file and a function that ran at two hops count once', () => {
  const shared = { path: 'functions/shared.ts', functions: [{ name: 'one', offset: 1 }] };
  const other = {
    path: 'functions/other.ts',
    functions: [
      { name: 'same', offset: 1 },
      { name: 'same', offset: 2 },
    ],
  };
  expect(countTraced([[shared], [shared, other]])).toEqual({ files: 2, functions: 3 });
});

describe('the hops of a trace', () => {
  const file = (path: string) => ({ path, functions: [{ name: 'run', offset: 0 }] });
  const outcomes = {
    ingest: 'answered',
    queue: 'one message',
    worker: 'none failed',
    table: 'stored',
    stream: 'INSERT',
    publisher: 'none failed',
    bus: 'published',
  };
  const hops = hopsOf(
    {
      ingest: [file('functions/ingest/handler.ts'), file('functions/aws/sqs-queue.ts')],
      worker: [file('functions/worker/handler.ts'), file('functions/history/history-write-store.ts')],
      publisher: [
        file('functions/publisher/handler.ts'),
        file('functions/publisher/item-kinds.ts'),
        file('functions/bus/event-bus-client.ts'),
      ],
    },
    outcomes,
  );

  it('give the files that talk to a service to that service', () => {
    expect(hops.map(({ name, files }) => [name, files.map(({ path }) => path)])).toEqual([
      ['ingest', ['functions/ingest/handler.ts']],
      ['queue', ['functions/aws/sqs-queue.ts']],
      ['worker', ['functions/worker/handler.ts']],
      ['table', ['functions/history/history-write-store.ts']],
      ['stream', ['functions/publisher/item-kinds.ts']],
      ['publisher', ['functions/publisher/handler.ts']],
      ['bus', ['functions/bus/event-bus-client.ts']],
    ]);
  });

  it('are printed with the count of each and of all', () => {
    const text = renderHops(hops);
    expect(text).toContain(
      'ingest: answered (1 file, 1 function)\n  functions/ingest/handler.ts\n      run\n\nqueue: one message',
    );
    expect(text).toMatch(/In all: 7 files, 7 functions$/);
  });

  it('are JSON with the same counts', () => {
    expect(hopsAsJson(hops)).toMatchObject({
      hops: [{ hop: 'ingest', outcome: 'answered', files: 1, functions: 1 }, {}, {}, {}, {}, {}, {}],
      files: 7,
      functions: 7,
    });
  });
});
