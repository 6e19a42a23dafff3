/** What of the arguments of `npm run deploy` concerns the comparison; all of them go on to `cdk deploy`. */
export interface DeployArguments {
  readonly help: boolean;
  /** Answers every question with yes, those of `cdk deploy` too. */
  readonly yes: boolean;
  readonly region?: string;
  /** A profile of the AWS configuration files. */
  readonly profile?: string;
  /** The arguments that `cdk synth` needs: the context, without which it would synthesize other stacks. */
  readonly context: readonly string[];
}

/** Options of `cdk deploy` with a value that are read here, by their short and long names. */
const valued: Readonly<Record<string, 'context' | 'region' | 'profile'>> = {
  '-c': 'context',
  '--context': 'context',
  '--region': 'region',
  '--profile': 'profile',
};

/** Reads the arguments as `cdk` does: a value stands behind its option or behind an equals sign. */
export function readDeployArguments(args: readonly string[]): DeployArguments {
  const values = { context: [] as string[], region: [] as string[], profile: [] as string[] };
  for (let index = 0; index < args.length; index += 1) {
    const [name = '', ...inline] = (args[index] ?? '').split('=');
    const option = valued[name];
    if (option === undefined) continue;
    const value = inline.length > 0 ? inline.join('=') : args[index + 1];
    if (inline.length === 0) index += 1;
    if (value !== undefined) values[option].push(value);
  }
  const [region, profile] = [values.region.at(-1), values.profile.at(-1)];
  return {
    help: args.includes('--help') || args.includes('-h'),
    yes: args.includes('--yes') || args.includes('-y'),
    ...(region === undefined ? {} : { region }),
    ...(profile === undefined ? {} : { profile }),
    context: values.context.flatMap((value) => ['--context', value]),
  };
}
