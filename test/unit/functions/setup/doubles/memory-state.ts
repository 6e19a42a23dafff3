import type {
  Turn,
  WebhookState,
  WebhookStateTable,
} from '../../../../../functions/registration/webhook-state-store.ts';
import { defined } from '../../../../../functions/runtime/defined.ts';
import type { CaptureCount } from '../../../../../functions/webhook/secret-document.ts';

export interface MemoryState extends WebhookStateTable {
  known: WebhookState;
  mismatches: number;
  /** Captured requests, by the end of their capture. */
  readonly capturedUntil: Map<string, CaptureCount>;
}

/** The webhook's state in memory; what the real table does is tested in test/local/stores. */
export function createMemoryState(known: WebhookState = {}): MemoryState {
  const turns = new Map<Turn, number>();
  let driftNotedAt = '';
  const state: MemoryState = {
    known,
    mismatches: 0,
    capturedUntil: new Map(),
    read: async () => state.known,
    async setWanted(wanted) {
      state.known = { ...state.known, wanted };
    },
    async assumeWanted(wanted) {
      state.known = { wanted, ...state.known };
      return state.known.wanted ?? wanted;
    },
    async recordReconcile(lastReconcile) {
      state.known = { ...state.known, lastReconcile };
    },
    async noteDrift(drift, startedAt, notedAt) {
      if (driftNotedAt >= startedAt) return false;
      driftNotedAt = notedAt;
      const { drift: _, ...rest } = state.known;
      state.known = { ...rest, ...defined({ drift }) };
      return true;
    },
    async recordConfirmed(confirmed) {
      state.known = { ...state.known, confirmed };
    },
    async recordVerified(lastVerifiedAt) {
      state.known = { ...state.known, lastVerifiedAt };
    },
    async addMismatches(count) {
      state.mismatches += count;
    },
    async addCaptured({ captured, leftOut }, until) {
      const before = await state.captured(until);
      state.capturedUntil.set(until, {
        captured: before.captured + captured,
        leftOut: before.leftOut + leftOut,
      });
    },
    captured: async (until) => state.capturedUntil.get(until) ?? { captured: 0, leftOut: 0 },
    mismatchesLastHour: async () => state.mismatches,
    async takeTurn(name, intervalMs, now) {
      if (now - (turns.get(name) ?? Number.NEGATIVE_INFINITY) < intervalMs) return false;
      turns.set(name, now);
      return true;
    },
  };
  return state;
}
