import { Arn, ArnFormat, type Stack, Token, TokenComparison } from 'aws-cdk-lib';
import type { IEventBusRef } from 'aws-cdk-lib/aws-events';

/** The account of a bus, seen from a stack that subscribes to it. */
export type BusOwner =
  | { readonly kind: 'own' }
  /** A rule in CloudFormation takes the account from the bus's ARN. */
  | { readonly kind: 'other'; readonly account: string; readonly busArn: string }
  /** The ARN has an account, and the stack is for any account. */
  | { readonly kind: 'undecided'; readonly account: string }
  /** A rule is in the region of its bus. */
  | { readonly kind: 'elsewhere'; readonly region: string; readonly stackRegion: string };

/**
 * Compares the account and the region of a bus with those of the stack. A bus whose name or ARN is known at deployment only, for example a parameter of
 * the stack, counts as the stack's own, because synth cannot compare it.
 */
export function busOwner(bus: IEventBusRef, stack: Stack): BusOwner {
  const { eventBusName, eventBusArn } = bus.eventBusRef;
  const busArn = [eventBusName, eventBusArn].find((text) => text.startsWith('arn:'));
  const { account = '', region = '' } =
    busArn === undefined ? bus.env : Arn.split(busArn, ArnFormat.SLASH_RESOURCE_NAME);
  if (Token.compareStrings(region, stack.region) === TokenComparison.DIFFERENT)
    return { kind: 'elsewhere', region, stackRegion: stack.region };
  switch (Token.compareStrings(account, stack.account)) {
    case TokenComparison.SAME:
    case TokenComparison.BOTH_UNRESOLVED:
      return { kind: 'own' };
    case TokenComparison.ONE_UNRESOLVED:
      return Token.isUnresolved(account) ? { kind: 'own' } : { kind: 'undecided', account };
    default:
      return { kind: 'other', account, busArn: busArn ?? eventBusArn };
  }
}

/** Explains why a target other than a bus cannot be reached from a bus with this owner; undefined if it can. */
export function refusalOf(owner: BusOwner): string | undefined {
  switch (owner.kind) {
    case 'own':
      return undefined;
    case 'other':
      return `the bus is in account ${owner.account}, and a rule there can deliver only to an event bus of this account. Add a bus to this stack, send events to it with Target.eventBus(bus), and subscribe this target with SmsPipeline.fromAttributes(this, '...', { eventBusName: bus.eventBusName }): docs/reference/events.md, "Other accounts".`;
    case 'elsewhere':
      return `the bus is in ${owner.region}, and a rule must be in the region of its bus. Subscribe in a stack of ${owner.region}, not of ${owner.stackRegion}.`;
    case 'undecided':
      return `the bus is in account ${owner.account}, and the stack has no account. If it is for that one, give the name of the bus (output EventBusName) in place of its ARN. Otherwise give the stack its account (env) and subscribe from another account: docs/reference/events.md, "Other accounts".`;
  }
}
