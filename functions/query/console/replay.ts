import { createMapper } from '../../../contract/events/mapping.ts';
import type { BundledContract } from '../../../contract/schema/contract-schema.ts';
import { parseJson } from '../../../contract/text/json.ts';
import { errorName } from '../../base/basics.ts';
import {
  type QuarantineReader,
  type Replayed,
  type ReplayOutcome,
  type Requeue,
  replayEntry,
  whyItStays,
  whyTwice,
} from '../../receive/index.ts';
import { replayBody } from '../api/routes/console-routes.ts';
import { type Problem, problem } from '../api/routes/problem.ts';
import type { ReplayView } from '../api/views/console-schemas.ts';

export interface ReplayParts {
  /** The source whose contract and queue these are. */
  readonly source: string;
  readonly quarantine: Pick<QuarantineReader, 'entry'>;
  readonly requeue: Requeue;
  readonly contract: BundledContract;
}

export type ReplayAnswer =
  | { readonly kind: 'replayed'; readonly outcome: ReplayOutcome; readonly view: ReplayView }
  | { readonly kind: 'problem'; readonly outcome?: ReplayOutcome; readonly problem: Problem };

const wrongBody = problem('invalid-parameters', 'The body is wrong: see errors.', [
  { parameter: 'body', detail: 'expected {} or {"acceptDuplicates": true}' },
]);

/**
 * Replays one entry of the quarantine, as `sms quarantine replay` does.
 *
 * @param body of the request; undefined for none
 * @param open connects to what a replay needs, once the request is known to be right
 */
export async function answerReplay(
  id: string,
  body: string | undefined,
  open: () => Promise<ReplayParts>,
): Promise<ReplayAnswer> {
  const wishes = replayBody.safeParse(parseJson(body ?? '{}'));
  if (!wishes.success) return { kind: 'problem', problem: wrongBody };
  const { source, quarantine, requeue, contract } = await open();
  const acceptsDuplicates = wishes.data.acceptDuplicates === true;
  const reading = { source, contract, map: createMapper(contract), acceptsDuplicates };
  return answerOf(await replayEntry(id, quarantine, reading, requeue));
}

function answerOf({ outcome, risky, error }: Replayed): ReplayAnswer {
  const replayed = (view: ReplayView): ReplayAnswer => ({ kind: 'replayed', outcome, view });
  switch (outcome) {
    case 'sent':
      return replayed({ outcome, why: null });
    case 'gone': {
      const detail = 'It was replayed already, or its retention has ended.';
      return { kind: 'problem', outcome, problem: problem('unknown-quarantine-entry', detail) };
    }
    case 'failed': {
      const detail = `It was not replayed (${errorName(error)}). Try again.`;
      return { kind: 'problem', outcome, problem: problem('unavailable', detail) };
    }
    case 'unreadable':
      return replayed({ outcome, why: 'the contract still cannot read it' });
    case 'unidentifiable':
      return replayed({ outcome, why: risky === undefined ? whyItStays[outcome] : whyTwice[risky.risk] });
    case 'other-source':
    case 'unverifiable':
    case 'unwrappable':
      return replayed({ outcome, why: whyItStays[outcome] });
    case 'notRequested':
      throw new Error('one entry is always requested');
  }
}
