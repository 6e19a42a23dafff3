import type { Command, CommandTexts } from '../input/command.ts';
import type { Context } from '../target/context.ts';

const notes =
  "All ports are on 127.0.0.1. DynamoDB Local, behind its port, listens on all network interfaces, and shows the tables only to this run. A changed contract file is applied while it runs, and a line then says so. -c local:serviceContract=FILE gives the service's sandbox another contract than the pipeline.";

const startTexts: CommandTexts = {
  examples: ['start', 'start --no-demo --keep', 'start --no-demo -c sms:retentionDays=90'],
  notes,
};

const demoTexts: CommandTexts = { examples: ['demo', 'demo --port 4100'], notes };

/** Adds `start`, which runs the app on this machine. @param args the words after the command, which the local run reads itself */
export function addStart(program: Command, context: Context, args: readonly string[]): void {
  const command = program
    .command('start')
    .summary('run the pipeline on this machine')
    .description('Runs the stacks of the app on this machine, without an AWS account, until Ctrl-C.')
    .option('--no-demo', 'do not play the demonstration')
    .option('--sample', 'fill it with 30 days of made-up traffic instead, and go on slowly')
    .option('--no-console', 'do not serve the console, which has the port after the five');
  addRunOptions(command)
    .explain(startTexts)
    .action(() => context.startLocally(args));
}

/** Adds `demo`, which plays the demonstration on this machine. */
export function addDemo(program: Command, context: Context, args: readonly string[]): void {
  const command = program
    .command('demo')
    .summary('show on this machine what the pipeline does')
    .description(
      'Runs the stacks of the app on this machine, plays a demonstration, and ends: 0 if it succeeded.',
    );
  addRunOptions(command)
    .explain(demoTexts)
    .action(() => context.startLocally(['--demo', ...args]));
}

function addRunOptions(command: Command): Command {
  return command
    .option('--port <n>', 'the first of five ports (default 4000)')
    .option('-c, --context <key=value>', 'a setting, as with cdk; may be given several times')
    .option('--dir <folder>', 'for templates, logs and outputs (default .local of the project)')
    .option('--keep', 'keep the tables in --dir, and go on with those of the last run that kept them');
}
