import type { RouteName } from './routes.ts';

/** What a user of the deployed console is: a group of the sign-in. Each one may do what the ones before it may. */
export const roles = ['viewer', 'support', 'operator'] as const;

type Role = (typeof roles)[number];

/** `read`: with numbers masked. `reveal`: with whole numbers, which is logged. `replay`: send entries of the quarantine through the worker again. */
export type Right = 'read' | 'reveal' | 'replay';

const lowestRole: Readonly<Record<Right, Role>> = { read: 'viewer', reveal: 'support', replay: 'operator' };

/** Who sent a request: a principal of AWS, whose policy names what it may ask, or a user of the console. */
export type Caller = { readonly kind: 'iam' } | User;

/** A user of the console, who signed in. */
export interface User {
  readonly kind: 'user';
  /** The sign-in's own id of the user (`sub`), which is neither a name nor an address. */
  readonly id: string;
  readonly role: Role;
}

/** Queries that cannot be masked: received bytes may hold anything, and a cursor of opt-outs holds a number. */
const revealing: ReadonlySet<RouteName> = new Set<RouteName>(['getQuarantineEntry', 'listOptOuts']);

/** Returns the right that a query needs. @param isRevealed whether the caller asks for whole numbers */
export function rightFor(name: RouteName, isRevealed: boolean): Right {
  return isRevealed || revealing.has(name) ? 'reveal' : 'read';
}

/** Returns whether a caller has a right. API Gateway has checked the policy of a principal of AWS already. */
export function hasRight(caller: Caller, right: Right): boolean {
  return caller.kind === 'iam' || roles.indexOf(caller.role) >= roles.indexOf(lowestRole[right]);
}

/**
 * Returns the caller that API Gateway's authorizer named; undefined without one, and for a user who is in no group.
 *
 * @param authorizer `requestContext.authorizer` of the event
 * @param claim the claim of the token that holds the user's groups
 */
export function callerOf(authorizer: unknown, claim: string): Caller | undefined {
  if (!isRecord(authorizer)) return undefined;
  const { iam, jwt } = authorizer;
  if (isRecord(jwt)) return userOf(jwt.claims, claim);
  return isRecord(iam) ? { kind: 'iam' } : undefined;
}

function userOf(claims: unknown, claim: string): Caller | undefined {
  if (!isRecord(claims) || typeof claims.sub !== 'string' || claims.sub === '') return undefined;
  const groups = groupsIn(claims[claim]);
  const role = roles.findLast((one) => groups.includes(one));
  return role === undefined ? undefined : { kind: 'user', id: claims.sub, role };
}

/** Reads the groups of a claim. API Gateway passes a list on as text: `[support viewer]`. */
function groupsIn(claim: unknown): readonly string[] {
  if (Array.isArray(claim)) return claim.map(String);
  if (typeof claim !== 'string') return [];
  return claim
    .replace(/^\[(.*)\]$/s, '$1')
    .split(/[\s,]+/)
    .filter((group) => group !== '');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
