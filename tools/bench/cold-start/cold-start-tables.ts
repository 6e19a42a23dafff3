import { cpus, totalmem } from 'node:os';
import { renderTable } from '../../support/table.ts';
import type { ProcessFigures, VariantRow } from './cold-start-figures.ts';

/** The conditions of a figure besides the code. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGiB: number;
  readonly node: string;
}

export function machine(): Machine {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}

export function renderMachine({ cores, processor, memoryGiB, node }: Machine): string {
  return `${cores} cores (${processor}), ${memoryGiB} GiB of memory, Node.js ${node}`;
}

interface Column {
  readonly figure: keyof ProcessFigures;
  readonly title: string;
  readonly digits: number;
}

const coldColumns: readonly Column[] = [
  { figure: 'initMs', title: 'init ms', digits: 1 },
  { figure: 'initCpuMs', title: 'init CPU', digits: 1 },
  { figure: 'firstResponseMs', title: 'first ms', digits: 1 },
  { figure: 'firstCpuMs', title: 'first CPU', digits: 1 },
];

const warmColumns: readonly Column[] = [
  { figure: 'warmMs', title: 'warm ms', digits: 3 },
  { figure: 'warmCpuMs', title: 'warm CPU', digits: 3 },
];

const coldLegend = [
  'init: from spawning the process until it asks for its first event. first: from that event given until its answer is there.',
  'CPU: processor time, all threads, ms: until it asks for its first event; then until it asks for the next one.',
  'above: above the empty handler. ratio: that, of esbuild defaults.',
  'Calls to AWS go over HTTPS, handshakes included (TLS 1.3, a P-256 key), to a process on this machine that answers at once.',
];

const warmLegend = [
  'warm: from an event given until its answer is there. CPU: processor time of a request, all threads, ms.',
  'Calls to AWS go over HTTPS here too, on connections that are kept alive. The Runtime API speaks plain HTTP, as on Lambda.',
];

/** The starts for people, with what the columns mean. */
export function renderColdStart(rows: readonly VariantRow[]): string {
  return [renderColumns(rows, coldColumns), ...coldLegend].join('\n');
}

/** The warm requests likewise. */
export function renderWarmRequests(rows: readonly VariantRow[]): string {
  return [renderColumns(rows, warmColumns), ...warmLegend].join('\n');
}

function renderColumns(rows: readonly VariantRow[], columns: readonly Column[]): string {
  const head = columns.flatMap(({ title }) => [title, 'above', 'ratio']);
  const body = rows.map(({ name, bytes, median: medians, aboveEmpty, ofDefaults }) => [
    name,
    (bytes / 1000).toFixed(1),
    ...columns.flatMap(({ figure, digits }) => [
      medians[figure].toFixed(digits),
      name === 'empty handler' ? '' : aboveEmpty[figure].toFixed(digits),
      name === 'empty handler' ? '' : ofDefaults[figure].toFixed(2),
    ]),
  ]);
  return renderTable([['', 'kB', ...head], ...body]);
}
