import * as z from 'zod';
import { ACCOUNT } from '../../aws-protocol/call.ts';
import {
  type CreateResource,
  physicalName,
  type ResourceRequest,
} from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties } from '../../cloudformation/template.ts';
import { managedActions } from '../../iam/managed-policies.ts';
import { type PolicyEntry, policyEntries } from '../../iam/policy.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import { RoleRegistry } from './roles.ts';

export function startIam({ access }: ServiceRun) {
  const roles = new RoleRegistry(access);
  return {
    roles,
    resources: {
      'AWS::IAM::ManagedPolicy': managedPolicyCreator(roles),
      'AWS::IAM::Policy': policyCreator(roles),
      'AWS::IAM::Role': roleCreator(roles),
    },
  } satisfies RunningService & { roles: RoleRegistry };
}

const inlinePolicies = z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument: z.unknown() }));

const roleSchema = z.strictObject({
  RoleName: z.string().optional(),
  AssumeRolePolicyDocument: inert,
  Description: inert,
  ManagedPolicyArns: z.array(z.string()).default([]),
  MaxSessionDuration: inert,
  Path: inert,
  Policies: inlinePolicies.default([]),
  Tags: inert,
});

const policySchema = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument: z.unknown(),
  Roles: z.array(z.string()).default([]),
});

const managedPolicySchema = z.strictObject({
  ManagedPolicyName: z.string().optional(),
  PolicyDocument: z.unknown(),
  Roles: z.array(z.string()).default([]),
  Description: inert,
  Path: inert,
});

/** The metadata `UnusedGrants` of a role: by action, the reason for a grant that no run on one machine uses. */
const unusedGrants = z.record(z.string(), z.string()).default({});

export function roleCreator(roles: RoleRegistry): CreateResource {
  return async (request) => {
    const { RoleName, Policies, ManagedPolicyArns } = readProperties(roleSchema, request);
    const name = RoleName ?? physicalName(request, 64);
    const entries = [
      ...Policies.flatMap(({ PolicyDocument }) => policyEntries(PolicyDocument, request.note)),
      ...ManagedPolicyArns.flatMap((arn) => roles.managedPolicies.get(arn) ?? managedEntries(arn, request)),
    ];
    const arn = roles.add(name, entries, unusedGrants.parse(request.metadata?.UnusedGrants));
    return { ref: name, attributes: { Arn: arn } };
  };
}

/** The entries of a policy that AWS manages. */
function managedEntries(arn: string, { note }: ResourceRequest): PolicyEntry[] {
  const actions = managedActions(arn);
  if (actions === undefined)
    note(
      `one machine does not know the policy ${arn}, so it allows nothing here. What the functions of the role need can be granted in the app, as in \`table.grantReadData(fn)\`.`,
    );
  return (actions ?? []).map((action) => ({ effect: 'Allow', action, resource: '*' }));
}

/** A policy of the app's own that roles name by its ARN. */
export function managedPolicyCreator(roles: RoleRegistry): CreateResource {
  return async (request) => {
    const { ManagedPolicyName, PolicyDocument, Roles } = readProperties(managedPolicySchema, request);
    const name = ManagedPolicyName ?? physicalName(request, 128);
    const entries = policyEntries(PolicyDocument, request.note);
    for (const role of Roles) await roles.attach(role, entries);
    const arn = `arn:aws:iam::${ACCOUNT}:policy/${name}`;
    roles.managedPolicies.set(arn, entries);
    return { ref: arn, attributes: { PolicyArn: arn } };
  };
}

export function policyCreator(roles: RoleRegistry): CreateResource {
  return async (request) => {
    const { PolicyDocument, Roles } = readProperties(policySchema, request);
    const entries = policyEntries(PolicyDocument, request.note);
    for (const name of Roles) await roles.attach(name, entries);
    return { ref: physicalName(request, 128) };
  };
}
