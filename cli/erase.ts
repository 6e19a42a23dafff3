import type { Command } from 'commander';
import type { Context } from './context.ts';
import { addErasePhone } from './erase-phone.ts';
import { addEraseReceipt } from './erase-receipt.ts';

/** `erase phone|receipt`: the right of a person to be forgotten. */
export function addErase(program: Command, context: Context): void {
  const erase = program
    .command('erase')
    .summary('forget the person behind a number')
    .description('Deletes everything that is kept about a number, and shows the receipts of that.');
  addErasePhone(erase, context);
  addEraseReceipt(erase, context);
}
