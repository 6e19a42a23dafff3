import { Command as CommanderCommand } from 'commander';
import type { z } from 'zod';

/** What help, the reference and completion know about a command beyond its arguments and options. */
export interface CommandTexts {
  /** Command lines without the program's name, the commonest first. */
  readonly examples: readonly string[];
  /** Sentences for the help; at most four lines of it. */
  readonly notes?: string;
  /** Sentences that `sms help <command>` adds: limits, permissions, what happens after an interruption. */
  readonly details?: string;
  /** The document that --json writes. */
  readonly output?: z.ZodType;
}

/** A command that does something, and its words: `message get`. */
export interface NamedCommand {
  readonly words: string;
  readonly command: Command;
}

/** A command with the texts of its help. Its subcommands are of this class too. */
export class Command extends CommanderCommand {
  texts: CommandTexts = { examples: [] };

  override createCommand(name?: string): Command {
    return new Command(name);
  }

  explain(texts: CommandTexts): this {
    this.texts = texts;
    return this;
  }

  /** Lists the commands below this one that do something. */
  *leaves(above = ''): Generator<NamedCommand, void> {
    for (const command of this.commands) {
      if (!(command instanceof Command)) continue;
      const words = `${above}${command.name()}`;
      if (command.commands.length === 0) yield { words, command };
      else yield* command.leaves(`${words} `);
    }
  }
}
