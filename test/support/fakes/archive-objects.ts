import type { ArchiveObjects } from '../../../functions/archive/archive.ts';

/** The objects of an archive in memory. */
export interface MemoryObjects extends ArchiveObjects {
  /** The lines of all objects, by name. */
  readonly lines: Map<string, readonly string[]>;
}

/** Waits before a call has its effect, so that a test decides which of several calls comes first. */
export type Turn = (call: string) => Promise<unknown>;

/**
 * Behaves as the bucket does: a write is refused where the object has changed since it was read.
 *
 * @param lines of another caller's objects, which both share
 */
export function memoryObjects(
  turn: Turn = async () => {},
  lines: Map<string, readonly string[]> = new Map(),
): MemoryObjects {
  return {
    lines,
    async months(kind) {
      await turn('list');
      const months = [...lines.keys()].flatMap((name) => {
        const [of, month = ''] = name.split('/');
        return of === kind ? [month] : [];
      });
      return [...new Set(months)].sort();
    },
    async read(name) {
      await turn('read');
      return lines.get(name) ?? [];
    },
    async rewrite(name, change) {
      for (;;) {
        await turn('read');
        const before = lines.get(name);
        const changed = change(before ?? []);
        if (JSON.stringify(changed) === JSON.stringify(before ?? [])) return;
        await turn('write');
        if (lines.get(name) !== before) continue;
        lines.set(name, changed);
        return;
      }
    },
    async removeMonth(month) {
      for (const name of lines.keys()) if (name.split('/')[1] === month) lines.delete(name);
    },
  };
}
