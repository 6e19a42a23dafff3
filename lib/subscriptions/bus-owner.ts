import { Arn, ArnFormat, type Stack, Token, TokenComparison } from 'aws-cdk-lib';
import type { IEventBusRef } from 'aws-cdk-lib/aws-events';

/** Whose account a bus is in, seen from a stack that subscribes to it. */
export type BusOwner =
  | { readonly kind: 'own' }
  /** By its ARN, from which a rule of CloudFormation knows the account. */
  | { readonly kind: 'other'; readonly account: string; readonly busArn: string }
  /** The ARN names an account, and the stack is for any account. */
  | { readonly kind: 'undecided'; readonly account: string };

/**
 * Compares the account of a bus with that of the stack. A bus whose name or ARN is known at deployment only, as a parameter of the
 * stack is, counts as the stack's own: nothing can be compared at synth.
 */
export function busOwner(bus: IEventBusRef, stack: Stack): BusOwner {
  const { eventBusName, eventBusArn } = bus.eventBusRef;
  const busArn = [eventBusName, eventBusArn].find((text) => text.startsWith('arn:'));
  const account =
    busArn === undefined ? bus.env.account : (Arn.split(busArn, ArnFormat.SLASH_RESOURCE_NAME).account ?? '');
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
