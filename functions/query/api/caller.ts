import { maskNumbersOf, maskPhone } from '../../../contract/phone/mask.ts';
import { isObject, parseJson } from '../../../contract/text/json.ts';
import type { RouteName } from './routes/routes.ts';

/** What a user of the deployed console is: a group of the sign-in. Each one may do what the ones before it may. */
export const roles = ['viewer', 'support', 'operator'] as const;

type Role = (typeof roles)[number];

/** `read`: with numbers masked. `reveal`: with whole numbers, which is logged. `replay`: send entries of the quarantine through the worker again. */
export type Right = 'read' | 'reveal' | 'replay';

const lowestRole: Readonly<Record<Right, Role>> = { read: 'viewer', reveal: 'support', replay: 'operator' };

/** Who sent a request: a principal of AWS, whose policy names what it may ask, or a user of the console. */
export type Caller = Principal | User;

interface Principal {
  readonly kind: 'iam';
  /** The end of its ARN: `assumed-role/Support/ann`. */
  readonly person: string;
}

/** A user of the console, who signed in. */
export interface User {
  readonly kind: 'user';
  /** The sign-in's own id of the user (`sub`), which is neither a name nor an address. */
  readonly id: string;
  /** What people know the user by, for audits; the id if the token has nothing else. */
  readonly person: string;
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

/** What API Gateway says about a request. */
export interface Authorization {
  /** `requestContext.authorizer` of the event. */
  readonly authorizer: unknown;
  /** The header `Authorization`. Its token is verified if the authorizer is one of tokens. */
  readonly header: string | undefined;
}

/**
 * Returns the caller that API Gateway's authorizer named; undefined without one, and for a user who is in no group.
 *
 * @param claim the claim of the token that holds the user's groups
 */
export function callerOf({ authorizer, header }: Authorization, claim: string): Caller | undefined {
  if (!isObject(authorizer)) return undefined;
  const { iam, jwt } = authorizer;
  if (isObject(jwt)) return userOf(jwt.claims, verifiedPayload(header), claim);
  if (!isObject(iam)) return undefined;
  const { userArn } = iam;
  return {
    kind: 'iam',
    person: typeof userArn === 'string' ? personOfArn(userArn) : 'unknown',
  };
}

/** Returns the end of an ARN: `assumed-role/Support/ann`. What may be a phone number is masked. */
export function personOfArn(arn: string): string {
  return withoutPhone(arn.replace(/^.*:/, ''));
}

/** The claims that name a person, beside a verified address, of Cognito and of other providers, the clearest first. */
const namingClaims = ['upn', 'preferred_username', 'cognito:username', 'username', 'name'] as const;

/**
 * Returns what a user is. API Gateway passes a list of groups on as the text `[IT support staff]`, which may be one group or three, so the
 * groups come from the token itself.
 */
function userOf(claims: unknown, payload: unknown, claim: string): Caller | undefined {
  if (!isObject(claims) || typeof claims.sub !== 'string' || claims.sub === '') return undefined;
  if (!isObject(payload) || payload.sub !== claims.sub) return undefined;
  // An access token of Cognito does not name the person.
  if (payload.token_use === 'access') return undefined;
  const groups: readonly unknown[] = [payload[claim]].flat();
  const role = roles.findLast((one) => groups.includes(one));
  if (role === undefined) return undefined;
  return { kind: 'user', id: claims.sub, person: personOf(payload) ?? claims.sub, role };
}

/** Returns what the token says of the person. An address that was not verified may be that of another person. */
function personOf(payload: Readonly<Record<string, unknown>>): string | undefined {
  const isVerified = [true, 'true'].some((value) => payload.email_verified === value);
  const names = [isVerified ? payload.email : undefined, ...namingClaims.map((name) => payload[name])];
  const person = names.find((name): name is string => typeof name === 'string' && name !== '');
  return person === undefined ? undefined : withoutPhone(person);
}

/** Masks what may be a phone number in the name of a person. Shorter numbers are those of employees. */
function withoutPhone(person: string): string {
  return maskNumbersOf(person, []).replace(/\d{10,}/g, maskPhone);
}

/** One token in the compact form of RFC 7515. Two headers, which API Gateway joins by a comma, are not a token. */
const oneToken = /^(?:Bearer )?[\w-]+\.([\w-]+)\.[\w-]+$/i;

/** Returns the payload of a token that API Gateway has verified; undefined for a header with anything else. */
function verifiedPayload(header = ''): unknown {
  const [, payload = ''] = oneToken.exec(header.trim()) ?? [];
  return parseJson(Buffer.from(payload, 'base64url').toString());
}
