import {
  type EvaluationResult,
  type IAMClient,
  paginateListRoles,
  paginateListUsers,
  paginateSimulatePrincipalPolicy,
} from '@aws-sdk/client-iam';

/** A role or a user of the account. */
export interface Principal {
  readonly arn: string;
  /** `role/Support` or `user/ann`, with its path. */
  readonly name: string;
}

/** `condition`: only under a condition that a policy names, such as an address. */
type Decision = 'allowed' | 'condition' | 'denied';

/** What the policies of a principal say about an action on a resource. */
export interface Judgement {
  readonly action: string;
  readonly resource: string;
  readonly decision: Decision;
}

/** Asks IAM who may do what in the account. */
export interface Principals {
  /** Lists roles and users, without the roles by which AWS's services act. */
  list(): Promise<readonly Principal[]>;
  /** Judges every action on every resource, by the policies of the principal, its boundary and those of the organization. */
  judge(
    principal: Principal,
    actions: readonly string[],
    resources: readonly string[],
  ): Promise<readonly Judgement[]>;
}

export function createPrincipals(client: IAMClient): Principals {
  return {
    async list() {
      const arns: string[] = [];
      for await (const { Roles = [] } of paginateListRoles({ client }, {}))
        arns.push(
          ...Roles.flatMap(({ Arn = '', Path }) => (Path?.startsWith('/aws-service-role/') ? [] : Arn)),
        );
      for await (const { Users = [] } of paginateListUsers({ client }, {}))
        arns.push(...Users.map(({ Arn = '' }) => Arn));
      return arns.map((arn) => ({ arn, name: arn.slice(arn.lastIndexOf(':') + 1) }));
    },

    async judge({ arn }, actions, resources) {
      const judgements: Judgement[] = [];
      const pages = paginateSimulatePrincipalPolicy(
        { client },
        { PolicySourceArn: arn, ActionNames: [...actions], ResourceArns: [...resources] },
      );
      for await (const { EvaluationResults = [] } of pages)
        judgements.push(...EvaluationResults.flatMap(judgementsOf));
      return judgements;
    },
  };
}

/** Reads a result of the simulation, which judges one resource or lists several. */
function judgementsOf(result: EvaluationResult): Judgement[] {
  const { EvalActionName: action = '', EvalDecision, EvalResourceName, MissingContextValues } = result;
  const of = (
    resource: string,
    decision: string | undefined,
    missing: readonly string[] = [],
  ): Judgement => ({
    action,
    resource,
    decision: decision === 'allowed' ? 'allowed' : missing.length > 0 ? 'condition' : 'denied',
  });
  const specific = result.ResourceSpecificResults ?? [];
  if (specific.length === 0) return [of(EvalResourceName ?? '*', EvalDecision, MissingContextValues)];
  return specific.map((one) =>
    of(one.EvalResourceName ?? '*', one.EvalResourceDecision, one.MissingContextValues),
  );
}
