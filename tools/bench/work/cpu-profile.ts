import { SourceMap } from 'node:module';
import * as z from 'zod';

/** A profile as `node --cpu-prof` writes it (Chrome DevTools protocol, "Profiler.Profile"), as far as it is read here. */
export const cpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({
        functionName: z.string(),
        url: z.string(),
        /** From 0. */
        lineNumber: z.number(),
        columnNumber: z.number(),
      }),
    }),
  ),
  /** Ids of nodes. */
  samples: z.array(z.number()),
  /** Microseconds before each sample. */
  timeDeltas: z.array(z.number()),
});

export type CpuProfile = z.infer<typeof cpuProfile>;

/** Where a function of a profile comes from: a source file, or what the profile has for a name. */
export type SourceOf = (frame: CpuProfile['nodes'][number]['callFrame']) => string;

/** Sources by a bundle's map; what is in no map is its own. */
export function sourcesBy(map: ConstructorParameters<typeof SourceMap>[0]): SourceOf {
  const sourceMap = new SourceMap(map);
  return ({ url, functionName, lineNumber, columnNumber }) => {
    if (url === '') return functionName;
    if (!/\/(?:index|handler)\.js$/.test(url)) return url;
    const entry = sourceMap.findEntry(lineNumber, columnNumber);
    return 'originalSource' in entry ? entry.originalSource : url;
  };
}

/** Returns the owner of a source: an npm package, a folder of functions/, a module of Node.js, or the source itself. */
function ownerOf(source: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  if (name !== undefined) return name;
  const [, own] = /(functions\/[^/]+)\//.exec(source) ?? [];
  if (own !== undefined) return own;
  return /^node:internal\/(?:deps\/)?[^/]+/.exec(source)?.[0] ?? source;
}

/** One owner's part of the time that was not idle. */
export interface OwnTime {
  readonly owner: string;
  readonly milliseconds: number;
  /** From 0 to 1. */
  readonly part: number;
}

/** The time spent in each owner's own code, most first; callees count for their own owners. */
export function ownTimes(profile: CpuProfile, sourceOf: SourceOf): OwnTime[] {
  const owners = new Map(profile.nodes.map(({ id, callFrame }) => [id, ownerOf(sourceOf(callFrame))]));
  const times = new Map<string, number>();
  for (const [index, id] of profile.samples.entries()) {
    const owner = owners.get(id) ?? '(unknown)';
    if (owner === '(idle)') continue;
    times.set(owner, (times.get(owner) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1000);
  }
  const all = [...times.values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
  return [...times]
    .map(([owner, milliseconds]) => ({ owner, milliseconds, part: milliseconds / all }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}
