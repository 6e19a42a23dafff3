import * as z from 'zod';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties } from '../../cloudformation/template.ts';
import { policyEntries } from '../../iam/policy.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import { RoleRegistry } from './roles.ts';

export function startIam({ access }: ServiceRun) {
  const roles = new RoleRegistry(access);
  return {
    roles,
    resources: { 'AWS::IAM::Role': roleCreator(roles), 'AWS::IAM::Policy': policyCreator(roles) },
  } satisfies RunningService & { roles: RoleRegistry };
}

const inlinePolicies = z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument: z.unknown() }));

const roleSchema = z.strictObject({
  RoleName: z.string().optional(),
  AssumeRolePolicyDocument: inert,
  Description: inert,
  ManagedPolicyArns: z
    .array(z.string())
    .max(0, 'managed policies are not supported on one machine: name what is allowed')
    .optional(),
  MaxSessionDuration: inert,
  Path: z.literal('/').optional(),
  Policies: inlinePolicies.default([]),
  Tags: inert,
});

const policySchema = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument: z.unknown(),
  Roles: z.array(z.string()).min(1),
});

/** The metadata `UnusedGrants` of a role: by action, the reason for a grant that no run on one machine uses. */
const unusedGrants = z.record(z.string(), z.string()).default({});

export function roleCreator(roles: RoleRegistry): CreateResource {
  return async (request) => {
    const { RoleName, Policies } = readProperties(roleSchema, request);
    const name = RoleName ?? physicalName(request, 64);
    const entries = Policies.flatMap(({ PolicyDocument }) => policyEntries(PolicyDocument));
    const arn = roles.add(name, entries, unusedGrants.parse(request.metadata?.UnusedGrants));
    return { ref: name, attributes: { Arn: arn } };
  };
}

export function policyCreator(roles: RoleRegistry): CreateResource {
  return async (request) => {
    const { PolicyDocument, Roles } = readProperties(policySchema, request);
    const entries = policyEntries(PolicyDocument);
    for (const name of Roles) await roles.attach(name, entries);
    return { ref: physicalName(request, 128) };
  };
}
