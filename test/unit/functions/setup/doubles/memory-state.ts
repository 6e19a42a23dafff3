import type {
  Turn,
  WebhookState,
  WebhookStateTable,
} from '../../../../../functions/registration/webhook-state-store.ts';
import type { CaptureCount } from '../../../../../functions/webhook/secret-document.ts';

export interface MemoryState extends WebhookStateTable {
  known: WebhookState;
  mismatches: number;
  /** Captured requests, by the end of their capture. */
  readonly capturedUntil: Map<string, CaptureCount>;
}

/** The webhook's state in memory; what the true table does is tested in test/local/adapters. */
export function createMemoryState(known: WebhookState = {}): MemoryState {
  const turns = new Map<Turn, number>();
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
    async noteDrift({ left, pending }, before, startedAt) {
      const { drift, lastTold = {}, pendingDrift = [], ...rest } = state.known;
      if (JSON.stringify(drift) !== JSON.stringify(before)) return false;
      if (pending.some(({ kind }) => (lastTold[kind] ?? '') >= startedAt)) return false;
      const told = {
        ...lastTold,
        ...Object.fromEntries(pending.map(({ kind, foundAt }) => [kind, foundAt])),
      };
      const untold = [...pendingDrift, ...pending];
      state.known = {
        ...rest,
        ...(left !== undefined && { drift: left }),
        ...(Object.keys(told).length > 0 && { lastTold: told }),
        ...(untold.length > 0 && { pendingDrift: untold }),
      };
      return true;
    },
    async forgetPendingDrift(told) {
      const { pendingDrift = [], ...rest } = state.known;
      const ids = told.map(({ eventId }) => eventId);
      const left = pendingDrift.filter(({ eventId }) => !ids.includes(eventId));
      state.known = { ...rest, ...(left.length > 0 && { pendingDrift: left }) };
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
