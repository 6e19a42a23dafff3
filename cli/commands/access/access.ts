import pMap from 'p-map';
import * as z from 'zod';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addTargetOptions, type TargetOptions, targetOf } from '../../input/options.ts';
import { printResult, type View } from '../../output/print.ts';
import { countProgress } from '../../output/progress.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';
import type { BusRules } from '../../target/stack/bus-rules.ts';
import type { Principal, Principals } from '../../target/stack/principals.ts';
import { sanitize } from '../../text/sanitize.ts';
import { type Way, waysOf } from './ways.ts';

const result = z.object({
  ways: z.array(
    z.object({
      way: z.string(),
      shows: z.string(),
      trace: z.string(),
      /** `condition`: only under a condition of a policy. */
      who: z.array(z.object({ principal: z.string(), decision: z.enum(['allowed', 'condition']) })),
    }),
  ),
  /** The rules of the bus, each with the ARNs of the targets that it may hand whole events to. */
  rules: z.array(z.object({ rule: z.string(), enabled: z.boolean(), targets: z.array(z.string()) })),
  console: z.string().nullable(),
});

const texts: CommandTexts = {
  output: result,
  examples: ['access', 'access --stack MyStack --json'],
  details:
    'Asks IAM about each role and each user of the account (iam:ListRoles, iam:ListUsers, iam:SimulatePrincipalPolicy). Roles of the pipeline itself are among them. It does not see who may take a role, who may change a policy or the code of a function, or policies of queues and buckets that admit other accounts: docs/operate/access.md. It lists the rules of the bus, which may hand on whole events, also those that other accounts made (events:ListRules, events:ListTargetsByRule).',
};

/** Adds `access`, which lists who can see whole numbers. */
export function addAccess(program: Command, context: Context): void {
  const command = program
    .command('access')
    .summary('list who can see whole phone numbers, and what proves it')
    .description(
      'Lists each way to whole phone numbers, the roles and users that it is open to, and what remains of its use.',
    );
  addTargetOptions(command)
    .explain(texts)
    .action(async (options: TargetOptions) => {
      const target = targetOf(options);
      if (target.local)
        throw new UsageError(
          'A pipeline on this machine has no roles: while it runs, each user of the machine can see all of it.',
        );
      const connection = context.connect(target);
      const outputs = await connection.outputs();
      if (outputs.AuditLogGroupName === undefined)
        throw new CommandFailure(
          'A former version was deployed: deploy this one, and run the command again.',
        );
      const principals = await connection.principals();
      // First, because IAM is asked for minutes.
      const rules = await rulesOf(await connection.busRules());
      const report = {
        ways: await judge(waysOf(outputs, await connection.streamArns()), principals, context),
        rules,
        console: consoleOf(outputs),
      };
      printResult(context, options, { json: () => report, text: (view) => render(report, view) });
    });
}

type Report = z.output<typeof result>;

/** IAM answers a few requests a second, and the client waits where it throttles. */
const concurrency = 4;

async function judge(
  ways: readonly Way[],
  principals: Principals,
  { terminal, clock }: Context,
): Promise<Report['ways']> {
  const all = await principals.list();
  const work = { doing: 'Asking IAM', unit: ['role or user', 'roles and users'], total: all.length } as const;
  const done = countProgress({ terminal, clock }, work);
  const openWays = await pMap(
    all,
    async (principal) => {
      const open = await openTo(principal, ways, principals);
      done(1);
      return open;
    },
    { concurrency },
  );
  return ways.map(({ name, shows, trace }) => ({
    way: name,
    shows,
    trace,
    who: openWays.flatMap((open) => open.filter(({ way }) => way === name).map(({ way: _, ...who }) => who)),
  }));
}

/** Returns the ways that are open to a principal. */
async function openTo(principal: Principal, ways: readonly Way[], principals: Principals) {
  const actions = ways.flatMap((way) => way.actions);
  const resources = [...new Set(ways.flatMap((way) => way.resources))];
  const judgements = await principals.judge(principal, actions, resources);
  return ways.flatMap(({ name, ...way }) => {
    const ofWay = judgements.filter(
      ({ action, resource }) => way.actions.includes(action) && way.resources.includes(resource),
    );
    const decision = (['allowed', 'condition'] as const).find((one) =>
      ofWay.some((judgement) => judgement.decision === one),
    );
    return decision === undefined ? [] : [{ way: name, principal: principal.name, decision }];
  });
}

async function rulesOf(bus: BusRules): Promise<Report['rules']> {
  const rules = await bus.rules();
  return await pMap(
    rules,
    async ({ name, enabled }) => ({ rule: name, enabled, targets: [...(await bus.targets(name))] }),
    // EventBridge answers a few of these requests a second.
    { concurrency: 2 },
  );
}

/** Says who sees whole numbers in the console; null without one. */
function consoleOf(outputs: Readonly<Record<string, string>>): string | null {
  const { ConsoleUrl, ConsoleUserPoolId: pool } = outputs;
  if (ConsoleUrl === undefined) return null;
  const members =
    pool === undefined
      ? 'members of the groups support and operator at your own provider'
      : `aws cognito-idp list-users-in-group --user-pool-id ${pool} --group-name support, and the same with operator`;
  return `${members}. Each look leaves a line QUERY-02 in ${outputs.AuditLogGroupName}, for ${outputs.AuditLogRetentionDays} days.`;
}

function render({ ways, rules, console }: Report, { style }: View): string {
  const blocks = ways.map(({ way, shows, trace, who }) =>
    [
      `${style('bold', way)}: ${shows}`,
      `  trace: ${sanitize(trace)}`,
      ...(who.length === 0 ? ['  no role and no user'] : []),
      ...who.map(({ principal, decision }) =>
        sanitize(`  ${principal}${decision === 'condition' ? ' (under a condition)' : ''}`),
      ),
    ].join('\n'),
  );
  const ofConsole = console === null ? [] : [`${style('bold', 'console')}: ${sanitize(console)}`];
  const ofRules = [
    `${style('bold', 'rules of the bus')}: each may hand whole events to its targets`,
    ...rules.flatMap(({ rule, enabled, targets }) => [
      sanitize(`  ${rule}${enabled ? '' : ' (disabled)'}`),
      ...(targets.length === 0 ? ['    no target'] : []),
      ...targets.map((target) => sanitize(`    ${target}`)),
    ]),
  ].join('\n');
  return [...blocks, ofRules, ...ofConsole].join('\n\n');
}
