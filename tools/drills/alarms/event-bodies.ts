import { randomUUID } from 'node:crypto';
import { Ledger } from '../../engine/ledger.ts';

/** A status event as the shipped contract has it. */
export function statusEvent(id: string, status = 'delivered') {
  const data = { id, to: '+12025550143', status, occurred_at: new Date().toISOString() };
  return { type: 'sms.status', data };
}

const ledger = new Ledger();

/** A fictitious number that has not replied yet. @throws Error where there is none left */
export function anotherPhone(): string {
  return ledger.newNumber();
}

/** A reply as the shipped contract has it. */
export function replyEvent(from: string, text: string, id: string = randomUUID()) {
  const data = { id, from, to: '+12025550100', text, occurred_at: new Date().toISOString() };
  return { type: 'sms.reply', data };
}
