import { Ledger } from '../../engine/ledger.ts';

const ledger = new Ledger();

/** Returns a fictitious number that has not replied yet. @throws Error if there is none left */
export function anotherPhone(): string {
  return ledger.newNumber();
}
