import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import { parseQuarantineId } from '../../receive/shapes.ts';
import { callerOf, hasRight, type User } from '../api/caller.ts';
import {
  authorizationOf,
  bodyOf,
  failure,
  found,
  jsonContent,
  noGroup,
  notPermitted,
  success,
} from '../api/respond.ts';
import { consoleRoutes } from '../api/routes/console-routes.ts';
import { problem } from '../api/routes/problem.ts';
import type { HealthView } from '../api/views/console-schemas.ts';
import { answerReplay, type ReplayParts } from './replay.ts';

export interface ConsoleDependencies {
  readonly health: () => Promise<HealthView>;
  readonly replay: ReplayParts;
  /** The claim of a user's token that holds the groups. */
  readonly groupsClaim: string;
  readonly log: Log;
}

const replayPath = /^\/v1\/quarantine\/([^/]+)\/replay$/;

/**
 * Answers what a user of the deployed console asks beyond queries: the health for every group, and replays for operators.
 * API Gateway passes on its two routes only. Never throws.
 */
export function createAnswerRequest({ health, replay, groupsClaim, log }: ConsoleDependencies) {
  async function answerAsOperator(
    user: User,
    encoded: string,
    event: APIGatewayProxyEventV2,
  ): Promise<APIGatewayProxyStructuredResultV2> {
    const entry = decoded(encoded);
    if (entry === undefined)
      return failure(problem('invalid-path', 'The percent-encoding of the path cannot be read.'));
    const answer = await answerReplay(entry, bodyOf(event), async () => replay);
    const outcome = answer.outcome ?? 'invalid';
    // Any other text may be anything.
    const isId = parseQuarantineId(entry) !== undefined;
    log('REPLAY_REQUESTED', { person: user.person, user: user.id, entry: isId ? entry : 'none', outcome });
    return answer.kind === 'problem' ? failure(answer.problem) : found(jsonContent(answer.view));
  }

  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    try {
      const caller = callerOf(authorizationOf(event), groupsClaim);
      if (caller?.kind !== 'user') return failure(noGroup);
      if (event.rawPath === consoleRoutes.getHealth.path)
        return success(jsonContent(await health()), event.headers['if-none-match']);
      const [, entry] = replayPath.exec(event.rawPath) ?? [];
      if (entry === undefined)
        return failure(problem('no-such-path', 'docs/reference/http-api.md lists the paths.'));
      if (!hasRight(caller, 'replay')) return failure(notPermitted);
      return await answerAsOperator(caller, entry, event);
    } catch (error) {
      log('CONSOLE_FAILED', { error: errorName(error) });
      return failure(problem('internal', 'The cause is in the log of the function.'));
    }
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
