import type { Contract } from '../schema/contract-schema.ts';
import { contractHash } from './body.ts';

/** What a proof of a message says about the contract of its source. */
export interface ContractFacts {
  readonly source: string;
  readonly hash: string;
  /** The name of the service, if the contract has it. */
  readonly service: string | null;
  /** The words of the service that mean `delivered`. */
  readonly delivered: readonly string[];
}

/** @param source the name of the source that works by the contract */
export function contractFacts(source: string, contract: Contract): ContractFacts {
  const { about, statuses } = contract;
  return {
    source,
    hash: contractHash(contract),
    service: about?.service.slice(0, maxServiceLength) ?? null,
    delivered: shortened(Object.keys(statuses).filter((word) => statuses[word] === 'delivered')),
  };
}

// The environment of a function has room for 4 KB.
const maxServiceLength = 100;
const maxWordsLength = 200;

/** Replaces the words that are too many by an ellipsis. */
function shortened(words: readonly string[]): readonly string[] {
  let length = 0;
  const kept = words.filter((word) => {
    length += word.length;
    return length <= maxWordsLength;
  });
  return kept.length === words.length ? kept : [...kept, '…'];
}
