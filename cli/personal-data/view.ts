import {
  type MessageView,
  type OptOutView,
  type QuarantineEntryView,
  type ReplyView,
  viewMessage,
  viewOptOut,
  viewQuarantineEntry,
  viewReply,
} from '../../functions/query/views.ts';
import type { PersonalRecord } from './record.ts';

/** One thing that is kept about a person as JSON, in full. */
export type PersonalRecordView =
  | ({ readonly kind: 'message' } & MessageView)
  | ({
      readonly kind: 'reply';
      /** Versions the service sent under the same id that do not stand; mostly none. */
      readonly superseded: readonly ReplyView[];
    } & ReplyView)
  | ({
      readonly kind: 'opt-out';
      readonly state: 'out' | 'in';
      /** What the number said about being written to, the newest first. */
      readonly statements: readonly StatementView[];
    } & OptOutView)
  | ({
      readonly kind: 'quarantined';
      /** Of a request that was not verified: where it was posted to. */
      readonly url: string | null;
    } & QuarantineEntryView);

interface StatementView {
  readonly state: 'out' | 'in';
  readonly at: string;
  readonly replyId: string;
}

export function viewPersonalRecord(record: PersonalRecord): PersonalRecordView {
  const { kind } = record;
  switch (kind) {
    case 'message':
      return { kind, ...viewMessage(record.message) };
    case 'reply': {
      const { replyId, superseded } = record.reply;
      const others = [...superseded.values()].map((standing) =>
        viewReply({ replyId, standing, superseded: new Map() }),
      );
      return { kind, ...viewReply(record.reply), superseded: others };
    }
    case 'opt-out': {
      const statements = record.statements.map(({ state, at, replyId }) => ({ state, at, replyId }));
      return { kind, state: record.change.state, ...viewOptOut(record.change), statements };
    }
    case 'quarantined':
      return { kind, ...viewQuarantineEntry(record.entry), url: record.entry.url ?? null };
  }
}
