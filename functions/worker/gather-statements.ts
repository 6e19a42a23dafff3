import type { ReplyEntry } from '../core/history/reply.ts';
import type { KeywordOf } from '../core/opt-out/keyword.ts';
import {
  isSameStatement,
  joinStatements,
  type OptOutStatement,
  readStatement,
} from '../core/opt-out/opt-out.ts';
import type { ArrivedText } from './read-batch.ts';

/** What a number says in a batch about being written to. */
interface NumberStatements {
  readonly statements: readonly OptOutStatement[];
  /** Ids of the queue messages that wait until the statements are recorded. */
  readonly queueMessages: ReadonlySet<string>;
}

/**
 * Gathers what the replies of a batch say about being written to, by number.
 *
 * @param storedVersions by reply id, the versions that arrived as the history has them. A readable reply that is missing could not be
 * stored and is tried again as a whole. One that cannot be read as a whole does not wait for the quarantine
 */
export function gatherStatements(
  texts: readonly ArrivedText[],
  storedVersions: ReadonlyMap<string, readonly ReplyEntry[]>,
  keywordOf: KeywordOf,
): NumberStatements[] {
  const byPhone = new Map<string, { said: OptOutStatement[]; queueMessages: Set<string> }>();
  for (const arrived of texts) {
    const versions = arrived.isReadable ? storedVersions.get(arrived.text.replyId) : [];
    if (versions === undefined) continue;
    for (const statement of statementsOf(arrived, versions, keywordOf)) {
      const { phone } = statement;
      const ofPhone = byPhone.get(phone) ?? { said: [], queueMessages: new Set() };
      byPhone.set(phone, ofPhone);
      ofPhone.said.push(statement);
      ofPhone.queueMessages.add(arrived.queueMessage);
    }
  }
  return [...byPhone.values()].map(({ said, queueMessages }) => ({
    statements: joinStatements([], said),
    queueMessages,
  }));
}

/**
 * What an arrival says. The history may know an earlier time of a copy than the register, which has no statements of what was said before
 * this version of the pipeline.
 */
function statementsOf(
  { text, receivedAt }: ArrivedText,
  versions: readonly ReplyEntry[],
  keywordOf: KeywordOf,
): OptOutStatement[] {
  const statement = readStatement(text, receivedAt, keywordOf);
  if (statement === undefined) return [];
  const version = versions.find(({ eventId }) => eventId === text.eventId);
  const stored = version && readStatement({ ...text, ...version }, version.receivedAt, keywordOf);
  const isCopy =
    stored !== undefined && stored.phone === statement.phone && isSameStatement(stored, statement);
  return isCopy ? [statement, stored] : [statement];
}
