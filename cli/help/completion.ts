import type { Command } from '../input/command.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** Adds `completion <shell>`, which prints the script that makes a shell complete commands, options and their values. */
export async function addCompletion(program: Command, firstWord: string | undefined): Promise<void> {
  // The script calls `sms complete -- <words>`. Other commands do not need the library, whose setup walks through all commands.
  if (firstWord === 'completion' || firstWord === 'complete') {
    const { default: tab } = await import('@bomb.sh/tab/commander');
    tab(program, { completionCommandName: 'completion' });
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
        'The shell must find sms on its PATH: npm install --global sms-event-pipeline. bash needs the package bash-completion.',
    });
}
