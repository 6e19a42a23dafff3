import { canonicalStatuses } from '../../contract/schema/sms-event.ts';
import type { Command } from '../input/command.ts';
import { findCommand } from './find-command.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/**
 * Adds `completion <shell>`, which prints the script that makes a shell complete commands, options and their values.
 *
 * @param args of the whole command line
 */
export async function addCompletion(program: Command, args: readonly string[]): Promise<void> {
  const [name, , ...words] = args;
  // The script calls `sms complete -- <words>`. Other commands do not need the library, whose setup walks through all commands.
  if (name === 'complete') {
    const directive = pathDirective(program, words);
    if (directive === undefined) await addLibrary(program);
    else
      program
        .command('complete')
        .argument('[words...]')
        .action(() => program.configureOutput().writeOut?.(`${directive}\n`));
    return;
  }
  if (name === 'completion') {
    await addLibrary(program);
    repairScript();
    return;
  }
  program
    .command('completion')
    .summary('print the script for the completion of a shell')
    .description('Prints the script that makes a shell complete commands, options and their values.')
    .argument('<shell>', shells.join(', '))
    .explain({
      examples: [
        'completion bash >> ~/.bashrc',
        'completion zsh >> ~/.zshrc',
        'completion fish > ~/.config/fish/completions/sms.fish',
      ],
      notes:
        'The shell must find sms on its PATH: npm install --global <clone>/sms-event-pipeline-<version>.tgz. bash needs the package bash-completion.',
    });
}

async function addLibrary(program: Command): Promise<void> {
  const { default: tab } = await import('@bomb.sh/tab/commander');
  for (const { command } of program.leaves())
    for (const option of command.options)
      if (option.flags === '--status <statuses>') option.argChoices = [...canonicalStatuses];
  tab(program, { completionCommandName: 'completion' });
}

/** Returns the answer that makes the script offer files or folders, if the last word is a path. The library never gives it. */
function pathDirective(program: Command, words: readonly string[]): string | undefined {
  const typed = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  const command = commandOf(program, words.slice(0, -1));
  const place = before.startsWith('-')
    ? command?.options.find(({ long }) => long === before)?.flags
    : command?.registeredArguments.map((argument) => `<${argument.name()}>`).join();
  if (place === undefined || typed.startsWith('-')) return undefined;
  if (place.includes('<folder>')) return ':16';
  return /<(file|capture\.\.\.)>/.test(place) ? ':0' : undefined;
}

function commandOf(program: Command, words: readonly string[]): Command | undefined {
  try {
    return findCommand(program, words);
  } catch {
    return undefined;
  }
}

/**
 * Makes the library's script for bash fit to be loaded twice, and to offer files, also behind a redirection. The library's own scripts for bash and
 * zsh execute the typed words: Tab would empty a file behind `>`, and run what is in `$(...)`. That for PowerShell executes what is behind a
 * typographic quotation mark. The library prints the script to the console.
 */
function repairScript(): void {
  const { log } = console;
  console.log = (script: string) => {
    console.log = log;
    log(
      script
        .replaceAll(/^readonly /gm, '')
        .replace(/^complete -F/m, 'complete -o default -F')
        .replace('_get_comp_words_by_ref -n "=:" cur prev words cword', '_init_completion -n "=:" || return')
        .replace(
          / +# Build the command to get completions\n[\s\S]*?out=\$\(eval .*\n/,
          `    out=$(sms complete -- "\${words[@]:1}" 2>/dev/null)\n`,
        )
        // In zsh.
        .replace(
          `out=$(eval \${requestComp} 2>/dev/null)`,
          `out=$(sms complete -- "\${(@)args_to_quote}" 2>/dev/null)`,
        )
        // In PowerShell, where each of these characters ends a quoted text (about_Quoting_Rules), and a doubled one is the character.
        .replace(`-replace "'", "''"`, () => String.raw`-replace "['\u2018-\u201B]", '$&$&'`)
        // It becomes a part of a line that is evaluated.
        .replace(`flagPrefix="-P \${BASH_REMATCH}"`, `flagPrefix="-P \${(q)BASH_REMATCH}"`),
    );
  };
}
