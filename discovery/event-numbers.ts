import { splitAddress } from '../contract/phone/address.ts';
import { maskPhone } from '../contract/phone/mask.ts';

import { readPhone } from '../contract/phone/phone-number.ts';
import type { EventsContract } from '../contract/schema/contract-schema.ts';
import { type Proposal, proposal } from './proposal.ts';

/**
 * Proposes how numbers are written, by those that were captured. It never proposes a country, because digits without a country code do not show
 * it.
 *
 * @param numbers as captured, of recipients and of senders
 * @param isForm whether they are from a form or a query, where a "+" that was not encoded arrives as a blank
 * @returns undefined if no number was captured
 */
export function proposeNumbers(
  numbers: readonly string[],
  { defaultCountry }: Pick<EventsContract, 'defaultCountry'>,
  isForm: boolean,
): Proposal | undefined {
  const key = 'events.numbers';
  const read = [...new Set(numbers)].map((text) => ({
    text,
    ...readPhone(text, { numbers: 'mixed', defaultCountry: null }, isForm),
  }));
  const complete = read.filter(({ phone }) => /^\+\d/.test(phone));
  const doubtful = read.filter(({ problem }) => problem !== undefined);
  const [example] = doubtful;
  if (example === undefined) {
    if (complete.length === 0) return undefined;
    // A service that leaves out "+" may also leave out the country code, which only "mixed" notices.
    return complete.every(({ text }) => splitAddress(text).address.trim().startsWith('+'))
      ? proposal(key, 'international', true, { note: 'every number has "+"' })
      : proposal(key, 'international', false, {
          rivals: ['mixed'],
          note: 'every number has its country code, and not every one has "+": choose mixed if the service may leave out the country code',
        });
  }
  const some = `${doubtful.length} of ${read.length} numbers, such as ${maskPhone(example.text)}, ${doubtful.length === 1 ? 'has' : 'have'} no country code`;
  if (defaultCountry === null) {
    const isOfNorthAmerica = doubtful.every(({ mayBe = [] }) => mayBe[0]?.startsWith('+1') === true);
    const hint = isOfNorthAmerica ? ', such as "US" if they are numbers of the United States' : '';
    return proposal(key, 'mixed', false, {
      note: `${some}: set "events.defaultCountry" to their country${hint}. Until then they stay as received`,
    });
  }
  const isNational = complete.length === 0;
  return proposal(key, isNational ? 'national' : 'mixed', false, {
    rivals: [isNational ? 'mixed' : 'national'],
    note: `${some}: they are read as numbers of "events.defaultCountry" (${defaultCountry})`,
  });
}
