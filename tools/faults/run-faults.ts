import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPermissionFile } from '../../local/iam/permission-file.ts';
import { createRandom, shuffled } from '../../local/sms-service/random.ts';
import { startLocalPipeline } from '../support/local-pipeline.ts';
import { faultSettings } from './deploy-contract.ts';
import type { Incident } from './incidents.ts';
import type { Broken } from './judge/judge.ts';
import { type Part, rowName } from './parts.ts';
import { runCell } from './run-cell.ts';
import type { FaultKind } from './scene/fault-control.ts';
import { startForwardReceiver } from './scene/forward-receiver.ts';
import { Scene } from './scene/scene.ts';
import { settle } from './settle.ts';
import { uncovered } from './uncovered.ts';

/** One fault in one place, or one incident of one function. */
export type Cell =
  | { readonly part: Part; readonly kind: FaultKind }
  | { readonly incident: Incident; readonly label: string };

/** The result of a cell. */
export interface CellResult {
  readonly cell: Cell;
  /** Calls spoiled, or how often the incident happened. */
  readonly times: number;
  /** The number of requests that were acknowledged meanwhile and found afterwards. */
  readonly acknowledged: number;
  /** The broken promises; a cell without any passed. */
  readonly broken: readonly string[];
}

export interface FaultsResult {
  readonly cells: readonly CellResult[];
  /** The broken promises that belong to no single cell. */
  readonly broken: readonly string[];
}

export interface RunOptions {
  /** Decides the order of the cells and the course of each fault. */
  readonly seed: number;
  /** Receives progress messages. */
  say(line: string): void;
  /** How long what does not hold yet is waited for at the end, in milliseconds; not given: ten minutes. */
  readonly patienceMs?: number;
}

/**
 * Plays cells one after the other on one pipeline, in an order that the seed decides. It waits until the pipeline is idle, then compares
 * the stored data and the published events with the acknowledged requests.
 */
export async function runFaults(
  cells: readonly Cell[],
  { seed, say, patienceMs = 600_000 }: RunOptions,
): Promise<FaultsResult> {
  // Other numbers than those by which cells were chosen.
  const random = createRandom(seed + 0x5eed);
  await using receiver = await startForwardReceiver();
  const pipeline = await startLocalPipeline(faultSettings(receiver.url));
  try {
    const scene = new Scene(pipeline, receiver);
    const played: Played[] = [];
    for (const [index, cell] of shuffled(cells, random).entries()) {
      const id = `c${index}`;
      const startedAt = performance.now();
      const outcome = await play(scene, cell, id, random);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      say(`${id} ${nameOf(cell)}: ${outcome.failure ?? outcome.times}, ${seconds} s`);
      played.push({ id, cell, ...outcome });
    }
    say('all played; waiting until nothing is left in a queue');
    const broken = await settled(scene, patienceMs);
    const missing = uncovered(readPermissionFile(join(pipeline.directory, 'permissions.json')));
    const trouble = readFileSync(join(pipeline.directory, 'logs', 'gateway.log'), 'utf8').trim();
    return {
      cells: played.map(({ id, cell, times, failure }) => ({
        cell,
        times,
        acknowledged: scene.ledger.count(id),
        broken: [
          ...(failure === undefined ? [] : [failure]),
          ...(scene.ledger.count(id) > 0 ? [] : ['nothing was acknowledged']),
          ...broken.filter((one) => one.cell === id).map(({ what }) => what),
        ],
      })),
      broken: [
        ...broken.filter((one) => !played.some(({ id }) => id === one.cell)).map(({ what }) => what),
        ...missing.map((one) => `no cell spoils the calls of ${one}`),
        ...(trouble === '' ? [] : [`the gateway had trouble of its own: ${trouble.slice(0, 500)}`]),
      ],
    };
  } finally {
    await pipeline.stop();
  }
}

interface Outcome {
  readonly times: number;
  readonly failure: string | undefined;
}

type Played = Outcome & { readonly id: string; readonly cell: Cell };

/** An error that prevents the judgement counts as broken too. */
async function settled(scene: Scene, patienceMs: number): Promise<Broken[]> {
  try {
    return await settle(scene, patienceMs);
  } catch (error) {
    return [{ cell: undefined, what: error instanceof Error ? error.message : String(error) }];
  }
}

async function play(scene: Scene, cell: Cell, id: string, random: () => number): Promise<Outcome> {
  try {
    const times =
      'part' in cell
        ? await runCell(scene, cell.part, { cell: id, kind: cell.kind, random })
        : await cell.incident.happen(scene, id, cell.label, random);
    return { times, failure: times > 0 ? undefined : 'nothing went wrong' };
  } catch (error) {
    if ('incident' in cell) await scene.faults.setFunctions({});
    return { times: 0, failure: error instanceof Error ? error.message : String(error) };
  }
}

export function nameOf(cell: Cell): string {
  return 'part' in cell
    ? `${cell.part.stage}: ${rowName(cell.part)} ${cell.kind}`
    : `${cell.label} ${cell.incident.name}`;
}
