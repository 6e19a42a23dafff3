import { CommandFailure } from '../../target/errors.ts';
import type { CdkTarget } from './arguments.ts';
import type { DeployedAccount } from './deploy.ts';
import { type DeployedStack, isRetained, type PlannedStack } from './stacks.ts';

/** A stack before and after the deployment. */
export interface StackPair {
  readonly planned: PlannedStack;
  readonly deployed: DeployedStack;
  /** Where it is deployed. */
  readonly account: DeployedAccount;
}

/** Returns the account and the region of a stack: those that its `env` names, or else those of the command. */
export function accountsOf(
  target: CdkTarget,
  connect: (target: CdkTarget) => DeployedAccount,
): (stack: PlannedStack) => DeployedAccount {
  const byRegion = new Map<string | undefined, DeployedAccount>();
  return ({ environment: { region = target.region } = {} }) => {
    const account = byRegion.get(region) ?? connect(region === undefined ? target : { ...target, region });
    byRegion.set(region, account);
    return account;
  };
}

/** @throws CommandFailure for a stack of another account, because the comparison would find nothing deployed */
export async function refuseOtherAccounts(
  planned: readonly PlannedStack[],
  accountOf: (stack: PlannedStack) => DeployedAccount,
): Promise<void> {
  for (const stack of planned) {
    const named = stack.environment?.account;
    if (named === undefined) continue;
    const account = accountOf(stack);
    // Without credentials this explains why.
    await account.stack(stack.name);
    const own = await account.id();
    if (own === undefined)
      throw new CommandFailure(
        'Nothing was deployed: AWS does not say of which account your credentials are. Try again.',
      );
    if (own !== named)
      throw new CommandFailure(
        `Nothing was deployed: the stack ${stack.name} is for account ${named}, and your credentials are of account ${own}, so it cannot be compared. Use a profile of account ${named} (--profile). npx cdk deploy --all deploys without a comparison.`,
      );
  }
}

/** Reads the stacks that are deployed, each with the stacks that are nested in it; leaves out those that are not. */
export async function readPairs(
  planned: readonly PlannedStack[],
  accountOf: (stack: PlannedStack) => DeployedAccount,
): Promise<{ readonly top: readonly StackPair[]; readonly all: readonly StackPair[] }> {
  const read = await Promise.all(
    planned.map(async (stack) => {
      const account = accountOf(stack);
      return { planned: stack, deployed: await account.stack(stack.name), account };
    }),
  );
  const top = read.flatMap(({ deployed, ...pair }) =>
    deployed === undefined ? [] : [{ ...pair, deployed }],
  );
  return { top, all: (await Promise.all(top.map(withNested))).flat() };
}

async function withNested(pair: StackPair): Promise<StackPair[]> {
  const { planned, deployed, account } = pair;
  const nested = await Promise.all(
    deployed.resources
      .filter(
        ({ logicalId, type }) =>
          type === 'AWS::CloudFormation::Stack' &&
          (planned.nested?.[logicalId] !== undefined || !isRetained(deployed.template?.Resources[logicalId])),
      )
      .map(async ({ logicalId, physicalId }) => {
        const inner = await account.stack(physicalId);
        if (inner === undefined) return [];
        const next = planned.nested?.[logicalId] ?? {
          name: `${planned.name}/${logicalId}`,
          template: { Resources: {}, Outputs: {} },
        };
        return withNested({ planned: next, deployed: inner, account });
      }),
  );
  return [pair, ...nested.flat()];
}
