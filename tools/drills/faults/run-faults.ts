import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPermissionFile } from '../../../local/iam/permission-file.ts';
import { createRandom, shuffled } from '../../../local/sms-service/random.ts';
import { startForwardReceiver } from '../../engine/forward-receiver.ts';
import type { Incident } from '../../engine/incident.ts';
import type { Broken } from '../../engine/judge.ts';
import { errorText } from '../../engine/print.ts';
import { settle } from '../../engine/settle.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { Scene } from './scene.ts';
import { uncovered } from './uncovered.ts';

/** The result of a cell. */
interface CellResult {
  readonly name: string;
  /** The number of requests that were acknowledged meanwhile and found afterwards. */
  readonly acknowledged: number;
  /** The broken promises. A cell without broken promises has passed. */
  readonly broken: readonly string[];
}

interface FaultsResult {
  readonly cells: readonly CellResult[];
  /** The broken promises that belong to no single cell. */
  readonly broken: readonly string[];
}

interface RunOptions {
  /** Decides the order of the cells and the course of each fault. */
  readonly seed: number;
  /** Receives progress messages. */
  say(line: string): void;
  /** How long the drill waits at the end for progress, in milliseconds; ten minutes by default. */
  readonly patienceMs?: number;
}

/**
 * Plays cells one after the other on one pipeline, in an order that the seed decides. It waits until the pipeline is idle, then compares
 * the stored data and the published events with the acknowledged requests.
 */
export async function runFaults(
  cells: readonly Incident<Scene>[],
  { seed, say, patienceMs = 600_000 }: RunOptions,
): Promise<FaultsResult> {
  const random = createRandom(seed);
  await using receiver = await startForwardReceiver({ answerMs: 300 });
  const settings = faultSettings(receiver.url);
  await using scene = new Scene(await startLocalPipeline(settings), settings, receiver);
  const { pipeline, ledger } = scene;
  const played: { id: string; name: string; failure: string | undefined }[] = [];
  for (const [index, cell] of shuffled(cells, random).entries()) {
    const id = `c${index}`;
    const startedAt = performance.now();
    const outcome = await play(scene, cell, id, random);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    say(`${id} ${cell.name}: ${outcome.failure ?? outcome.times}, ${seconds} s`);
    played.push({ id, name: cell.name, failure: outcome.failure });
  }
  say('all played; waiting until nothing is left in a queue');
  const broken = await settled(scene, patienceMs);
  const missing = uncovered(readPermissionFile(join(pipeline.directory, 'permissions.json')));
  const trouble = readFileSync(join(pipeline.directory, 'logs', 'gateway.log'), 'utf8').trim();
  return {
    cells: played.map(({ id, name, failure }) => ({
      name,
      acknowledged: ledger.count(id),
      broken: [
        ...(failure === undefined ? [] : [failure]),
        ...(ledger.count(id) > 0 ? [] : ['nothing was acknowledged']),
        ...broken.filter((one) => one.cell === id).map(({ what }) => what),
      ],
    })),
    broken: [
      ...broken.filter((one) => !played.some(({ id }) => id === one.cell)).map(({ what }) => what),
      ...missing.map((one) => `no cell spoils the calls of ${one}`),
      ...(trouble === '' ? [] : [`the gateway had trouble of its own: ${trouble.slice(0, 500)}`]),
    ],
  };
}

/**
 * The settings of the pipeline. The timeout of the worker is the minimum, so that messages of a dead process are redelivered soon. Every event
 * is published, unverified requests are parked, and only events of one rare type are forwarded.
 */
const faultSettings = (forwardUrl: string) => ({
  'sms:workerTimeoutSeconds': 10,
  'sms:everyEvent': 'on',
  'sms:parkUnverified': 'always',
  'sms:optOutContacts': 'on',
  'sms:contactSync': 'on',
  'sms:billingWatch': 'on',
  'sms:deliveryWatch': 'on',
  'sms:forwardUrl': forwardUrl,
  'sms:forwardDetailTypes': 'SMS Billing Card Expiring',
});

interface Outcome {
  readonly times: number;
  readonly failure: string | undefined;
}

/** Returns the broken promises. An error that prevents the check counts as one. */
async function settled(scene: Scene, patienceMs: number): Promise<readonly Broken[]> {
  try {
    const promises = { published: 'reports and changes' } as const;
    return (await settle(scene, promises, { patienceMs, mustHaveLogged: [] })).broken;
  } catch (error) {
    return [{ cell: undefined, what: errorText(error) }];
  }
}

async function play(
  scene: Scene,
  incident: Incident<Scene>,
  cell: string,
  random: () => number,
): Promise<Outcome> {
  try {
    const { signal } = new AbortController();
    const times = await incident.happen(scene, { cell, random, signal });
    return { times, failure: times > 0 ? undefined : 'nothing went wrong' };
  } catch (error) {
    await scene.faults.setFunctions({});
    return { times: 0, failure: errorText(error) };
  }
}
