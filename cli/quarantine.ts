import type { Command } from 'commander';
import type { Context } from './context.ts';
import { addQuarantineList } from './quarantine-list.ts';
import { addQuarantineReplay } from './quarantine-replay.ts';
import { addQuarantineShow } from './quarantine-show.ts';

/** `quarantine list|show|replay`: what was received and could not become history. */
export function addQuarantine(program: Command, context: Context): void {
  const quarantine = program
    .command('quarantine')
    .summary('what could not become history')
    .description(
      'Shows what was received, acknowledged, and could not become history; sends it through the worker once more.',
    );
  addQuarantineList(quarantine, context);
  addQuarantineShow(quarantine, context);
  addQuarantineReplay(quarantine, context);
}
