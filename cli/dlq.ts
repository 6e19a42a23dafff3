import type { Command } from 'commander';
import type { Context } from './context.ts';
import { addDlqList } from './dlq-list.ts';
import { addDlqRedrive } from './dlq-redrive.ts';
import { addDlqShow } from './dlq-show.ts';

/** `dlq list|show|redrive`: what was given up on, and sending it round again. */
export function addDlq(program: Command, context: Context): void {
  const dlq = program
    .command('dlq')
    .summary('what was given up on: dead letter queues')
    .description(
      'Shows the messages of the dead letter queues, and sends them back to where they came from. docs/runbook.md says when.',
    );
  addDlqList(dlq, context);
  addDlqShow(dlq, context);
  addDlqRedrive(dlq, context);
}
