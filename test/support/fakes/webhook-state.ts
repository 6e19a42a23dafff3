import { omitUndefined } from '../../../functions/base/basics.ts';
import type {
  Turn,
  WebhookState,
  WebhookStateTable,
} from '../../../functions/registration/webhook-state-store.ts';

export interface MemoryState extends WebhookStateTable {
  known: WebhookState;
  /** All mismatches, of any time. */
  readonly mismatches: number;
}

const minuteMs = 60_000;
const minuteOf = (time: number) => Math.floor(time / minuteMs);

/** The webhook's state in memory. */
export function createMemoryState(known: WebhookState = {}): MemoryState {
  const turns = new Map<Turn, number>();
  /** By minute. */
  const mismatches = new Map<number, number>();
  const mismatchesWithin = (isWithin: (minute: number) => boolean) =>
    [...mismatches].reduce((sum, [minute, count]) => sum + (isWithin(minute) ? count : 0), 0);
  let driftNotedAt = '';
  const state: MemoryState = {
    known,
    get mismatches() {
      return mismatchesWithin(() => true);
    },
    read: async () => state.known,
    async setDesiredState(desiredState) {
      const { registeredAt, ...others } = state.known;
      const kept = desiredState === 'registered' ? omitUndefined({ registeredAt }) : {};
      state.known = { ...others, ...kept, desiredState };
    },
    async assumeDesiredState(desiredState) {
      state.known = { desiredState, ...state.known };
      return state.known.desiredState ?? desiredState;
    },
    async recordReconcile(lastReconcile) {
      state.known = { ...state.known, lastReconcile };
    },
    async recordRegistered(registeredAt) {
      if (state.known.desiredState === 'registered') state.known = { registeredAt, ...state.known };
    },
    async noteDrift(drift, startedAt, notedAt) {
      if (driftNotedAt >= startedAt && driftNotedAt !== notedAt) return false;
      driftNotedAt = notedAt;
      const { drift: _, ...rest } = state.known;
      state.known = { ...rest, ...omitUndefined({ drift }) };
      return true;
    },
    async recordConfirmed(confirmed) {
      const stored = state.known.confirmed;
      if (stored === undefined || stored.at < confirmed.at) state.known = { ...state.known, confirmed };
    },
    async recordVerified(lastVerifiedAt) {
      const { lastVerifiedAt: stored } = state.known;
      if (stored === undefined || stored < lastVerifiedAt) state.known = { ...state.known, lastVerifiedAt };
    },
    async addMismatches(count, now) {
      const minute = minuteOf(now);
      mismatches.set(minute, (mismatches.get(minute) ?? 0) + count);
    },
    mismatchesLastHour: async (now) => {
      const last = minuteOf(now);
      return mismatchesWithin((minute) => minute >= last - 60 && minute <= last);
    },
    async takeTurn(name, intervalMs, now) {
      if (now - (turns.get(name) ?? Number.NEGATIVE_INFINITY) < intervalMs) return false;
      turns.set(name, now);
      return true;
    },
  };
  return state;
}
