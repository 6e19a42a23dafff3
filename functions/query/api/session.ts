import type { ContractFacts } from '../../../contract/events/contract-facts.ts';
import { hasRight, type User } from './caller.ts';

/**
 * Returns what the page of the console learns about its user.
 *
 * @param pipeline what users know the pipeline by
 * @param sources the names of its sources
 * @param contracts by which the reports of each are read
 */
export function sessionOf(
  user: User,
  pipeline: string,
  sources: readonly string[],
  contracts: readonly ContractFacts[],
) {
  return {
    pipeline,
    sources,
    contracts,
    role: user.role,
    place: 'deployed',
    masked: true,
    canReveal: hasRight(user, 'reveal'),
    canReplay: hasRight(user, 'replay'),
  } as const;
}
