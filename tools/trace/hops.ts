import { countTraced, type TracedFile } from './coverage.ts';

/** The functions of the pipeline that a report runs through. */
export type TracedFunctionName = 'ingest' | 'worker' | 'publisher';

export type HopName = TracedFunctionName | 'queue' | 'table' | 'stream' | 'bus';

/** One stop of a report on its way. */
export interface Hop {
  readonly name: HopName;
  /** The work of the stop, in a few words. */
  readonly outcome: string;
  readonly files: readonly TracedFile[];
}

/** The hops in order. A service's hop has those files of an invocation that talk to it or read what it delivers. */
const hops: readonly { name: HopName; ranIn: TracedFunctionName; talksToService?: RegExp }[] = [
  { name: 'ingest', ranIn: 'ingest' },
  { name: 'queue', ranIn: 'ingest', talksToService: /-queue\.ts$/ },
  { name: 'worker', ranIn: 'worker' },
  { name: 'table', ranIn: 'worker', talksToService: /history\/.*-store\.ts$/ },
  { name: 'stream', ranIn: 'publisher', talksToService: /(item-kinds|history\/.*-store)\.ts$/ },
  { name: 'publisher', ranIn: 'publisher' },
  { name: 'bus', ranIn: 'publisher', talksToService: /-client\.ts$/ },
];

/** Divides what ran in each invocation among the hops. */
export function hopsOf(
  ran: Readonly<Record<TracedFunctionName, readonly TracedFile[]>>,
  outcomes: Readonly<Record<HopName, string>>,
): Hop[] {
  return hops.map(({ name, ranIn, talksToService }) => {
    const services = hops.filter((hop) => hop.ranIn === ranIn).flatMap((hop) => hop.talksToService ?? []);
    const isOfHop = (path: string) =>
      talksToService?.test(path) ?? !services.some((service) => service.test(path));
    return { name, outcome: outcomes[name], files: ran[ranIn].filter(({ path }) => isOfHop(path)) };
  });
}

/** The trace as text: a paragraph a hop, then the count of all. */
export function renderHops(all: readonly Hop[]): string {
  const paragraphs = all.map(({ name, outcome, files }) => {
    const lines = files.map(({ path, functions }) => {
      const names = functions.map((traced) => traced.name).join(', ');
      return `  ${path}\n      ${names === '' ? '(functions without a name)' : names}`;
    });
    return [`${name}: ${outcome} (${counts([files])})`, ...lines].join('\n');
  });
  return [...paragraphs, `In all: ${counts(all.map(({ files }) => files))}`].join('\n\n');
}

function counts(lists: readonly (readonly TracedFile[])[]): string {
  const { files, functions } = countTraced(lists);
  return `${files} ${files === 1 ? 'file' : 'files'}, ${functions} ${functions === 1 ? 'function' : 'functions'}`;
}

/** The trace for programs. */
export function hopsAsJson(all: readonly Hop[]): unknown {
  return {
    hops: all.map(({ name, outcome, files }) => ({
      hop: name,
      outcome,
      ...countTraced([files]),
      ran: files.map(({ path, functions }) => ({ path, functions: functions.map((traced) => traced.name) })),
    })),
    ...countTraced(all.map(({ files }) => files)),
  };
}
