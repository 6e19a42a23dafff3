import { constants, existsSync, type Stats } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import * as z from 'zod';
import { readOwnFile, requireOwner } from '../../contract/document/own-file-store.ts';
import { replaceFile } from '../output/replace-file.ts';
import { CommandFailure, explainFileErrors } from '../target/errors.ts';
import { parseJson, shellQuoted } from '../text/format.ts';
import { type ChunkResult, doubtKinds, type RejectedRow } from './import-chunk.ts';

/** The words of the status are listed up to this many. A mapping that takes a wrong column for the status would find one in each row. */
const maxWords = 100;
/** Further rejected rows are only in the file of rejected rows. */
export const maxProblems = 1000;

const count = z.int().nonnegative();

const tallySchema = z.object({
  rows: count,
  outcomes: z.object({
    new: count,
    changed: count,
    known: count,
    leftOut: count,
    tooOld: count,
    rejected: count,
  }),
  words: z.array(z.object({ word: z.string(), status: z.string(), isKnown: z.boolean(), rows: count })),
  problems: z.array(
    z.object({ line: count, firstLine: count.optional(), reason: z.string(), field: z.string().optional() }),
  ),
  /** How many rows were rejected for each reason. */
  reasons: z.record(z.string(), count),
  /** How many lines of the file the rejected rows are. */
  rejectedLines: count,
  /** How many rows have a doubtful value, and the line of the first. */
  doubts: z.array(z.object({ kind: z.enum(doubtKinds), rows: count, line: count })),
  optOuts: count,
  optIns: count,
});

/** What became of the rows so far. */
export type Tally = z.output<typeof tallySchema>;

const progressSchema = z.object({
  /** Identifies what is imported, how, and to where. */
  file: z.string(),
  mapping: z.string(),
  pipeline: z.string(),
  tally: tallySchema,
  /** How many bytes of the file of rejected rows belong to it. */
  rejectedBytes: count,
});

type Progress = z.output<typeof progressSchema>;

export type ImportIdentity = Pick<Progress, 'file' | 'mapping' | 'pipeline'>;

export const emptyTally: Tally = {
  rows: 0,
  outcomes: { new: 0, changed: 0, known: 0, leftOut: 0, tooOld: 0, rejected: 0 },
  words: [],
  problems: [],
  reasons: {},
  rejectedLines: 0,
  doubts: [],
  optOuts: 0,
  optIns: 0,
};

/** Adds the results of a chunk. */
export function addChunk(
  tally: Tally,
  { rows, rejected, words, doubts, optOuts, optIns }: ChunkResult,
): Tally {
  const sums = { ...tally.outcomes };
  for (const outcome of rows) sums[outcome] += 1;
  const found = new Map(tally.words.map((one) => [one.word, { ...one }]));
  for (const one of words) {
    const known = found.get(one.word);
    if (known !== undefined) known.rows += 1;
    else if (found.size < maxWords) found.set(one.word, { ...one, rows: 1 });
  }
  const reasons = { ...tally.reasons };
  let { rejectedLines } = tally;
  for (const { reason, line, firstLine = line } of rejected) {
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    rejectedLines += line - firstLine + 1;
  }
  const doubtful = new Map(tally.doubts.map((one) => [one.kind, { ...one }]));
  for (const { kind, line } of doubts) {
    const known = doubtful.get(kind);
    if (known === undefined) doubtful.set(kind, { kind, line, rows: 1 });
    else known.rows += 1;
  }
  const problems = rejected.map(({ row: _row, ...problem }) => problem);
  return {
    rows: tally.rows + rows.length,
    outcomes: sums,
    words: [...found.values()],
    problems: [...tally.problems, ...problems].slice(0, maxProblems),
    reasons,
    rejectedLines,
    doubts: [...doubtful.values()],
    optOuts: tally.optOuts + optOuts,
    optIns: tally.optIns + optIns,
  };
}

/** How far the import of a file is, in files beside it, so that another run can continue after an interruption at any point. */
export interface ImportLog {
  /** What the last checkpoint counted. */
  readonly begun: Tally;
  /** Where the rejected rows are. */
  readonly rejectedPath: string;
  /** Makes a chunk permanent: its rejected rows, then how far the import is. */
  checkpoint(tally: Tally, rejected: readonly RejectedRow[]): Promise<void>;
  /** Removes the progress. The rejected rows stay. */
  complete(): Promise<void>;
}

/** Identifies a file, whatever its name. */
type FileId = Pick<Stats, 'dev' | 'ino'>;

/** @throws CommandFailure if rows that were rejected before are missing, or the file belongs to another user */
async function cutAtCheckpoint(rejectedPath: string, bytes: number): Promise<FileId> {
  const file = await openRejected(rejectedPath, constants.O_CREAT);
  try {
    const found = await file.stat();
    await withPath(rejectedPath, async () => requireOwner(rejectedPath, found));
    if (found.size < bytes)
      throw new CommandFailure(
        `${rejectedPath} is missing or was cut since the interruption. Begin again with --restart: rows that are stored already change nothing.`,
      );
    await withPath(rejectedPath, () => file.truncate(bytes));
    return found;
  } finally {
    await file.close();
  }
}

/** Opens the file of rejected rows at its end. A link to another file is not followed: the folder of an import may be of someone else. */
function openRejected(path: string, flags: number): Promise<FileHandle> {
  const { O_APPEND, O_NOFOLLOW, O_WRONLY } = constants;
  return withPath(path, () => open(path, O_APPEND | O_NOFOLLOW | O_WRONLY | flags, 0o600));
}

/**
 * Continues an import at its last checkpoint, or begins it.
 *
 * @param restarts begins from the first row, whatever was done
 * @throws CommandFailure if the progress is that of another file, mapping or pipeline
 */
export async function openImportLog(
  path: string,
  identity: ImportIdentity,
  restarts: boolean,
): Promise<ImportLog> {
  const progressPath = `${path}.import-progress`;
  const rejectedPath = `${path}.rejected.jsonl`;
  const known = restarts ? undefined : await withPath(progressPath, async () => readProgress(progressPath));
  if (known !== undefined) refuseOther(known, identity, path);
  let rejectedBytes = known?.rejectedBytes ?? 0;
  let own: FileId | undefined;
  if (rejectedBytes === 0) await withPath(rejectedPath, () => rm(rejectedPath, { force: true }));
  // What was written after the checkpoint is written again.
  else own = await cutAtCheckpoint(rejectedPath, rejectedBytes);

  async function append(rejected: readonly RejectedRow[]): Promise<void> {
    if (rejected.length === 0) return;
    const lines = Buffer.from(rejected.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { O_CREAT, O_EXCL } = constants;
    const file = await openRejected(rejectedPath, own === undefined ? O_CREAT | O_EXCL : 0);
    try {
      const found = await file.stat();
      own ??= found;
      // Another user of the folder may read what is written to a file of his.
      if (found.dev !== own.dev || found.ino !== own.ino)
        throw new CommandFailure(
          `${rejectedPath} was replaced by another file while the import was running. Remove it, and begin again with --restart: rows that are stored already change nothing.`,
        );
      await withPath(rejectedPath, () => file.appendFile(lines));
      await withPath(rejectedPath, () => file.datasync());
    } finally {
      await file.close();
    }
    rejectedBytes += lines.length;
  }

  return {
    begun: known?.tally ?? emptyTally,
    rejectedPath,
    async checkpoint(tally, rejected) {
      await append(rejected);
      const progress: Progress = { ...identity, tally, rejectedBytes };
      await withPath(progressPath, () => replaceFile(progressPath, JSON.stringify(progress)));
    },
    complete: () => withPath(progressPath, () => rm(progressPath, { force: true })),
  };
}

function withPath<T>(path: string, operation: () => Promise<T>): Promise<T> {
  return explainFileErrors(
    (code) => `${path} cannot be written (${code}); an import keeps its progress beside its file.`,
    operation,
  );
}

function readProgress(path: string): Progress | undefined {
  if (!existsSync(path)) return undefined;
  const progress = progressSchema.safeParse(parseJson(readOwnFile(path)));
  if (progress.success) return progress.data;
  throw new CommandFailure(
    `${path} is not the progress of an import: --restart begins from the first row, which stores nothing twice.`,
  );
}

function refuseOther(known: Progress, identity: ImportIdentity, path: string): void {
  const whats = {
    file: 'the file',
    mapping: 'the mapping, --publish or --opt-outs',
    pipeline: 'the pipeline',
  };
  for (const [name, what] of Object.entries(whats) as [keyof ImportIdentity, string][])
    if (known[name] !== identity[name])
      throw new CommandFailure(
        `An import of ${shellQuoted(path)} was interrupted after ${known.tally.rows} rows, and ${what} has changed since. Continue with what it was begun with, or add --restart to begin from the first row, which stores nothing twice.`,
      );
}
