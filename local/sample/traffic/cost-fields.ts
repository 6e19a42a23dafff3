import { lenientExpression } from '../../../contract/events/body.ts';
import { isPlain } from '../../../contract/events/places.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';

type StatusFields = Contract['events']['status'];

/** Made-up prices of a part in thousandths of a dollar, by the beginning of the number. No service published them. */
const prices: readonly (readonly [prefix: string, thousandths: number])[] = [
  ['+1', 8],
  ['+44', 42],
  ['+49', 79],
  ['+33', 65],
  ['+55', 31],
  ['+46', 51],
  ['+61', 38],
];
const otherPrice = 60;

/** Networks that ITU-T E.212 keeps for tests. */
const networks = ['00101', '001001'];

/** One in this many messages has two parts. */
const longOnes = 4;

/** Returns what a message cost and how it was sent, as far as the contract reads each value from a place of its own. */
export function costFields(
  status: StatusFields,
  messageId: string,
  phone: string,
): Readonly<Record<string, string>> {
  // The same message always has the same cost, whichever of its reports has it.
  const drawn = [...messageId].reduce((sum, character) => sum + character.charCodeAt(0), 0);
  const segments = drawn % longOnes === 0 ? 2 : 1;
  const [, thousandths] = prices.find(([prefix]) => phone.startsWith(prefix)) ?? ['', otherPrice];
  const values = {
    price: String((segments * thousandths) / 1000),
    currency: 'USD',
    segments: String(segments),
    network: networks[drawn % networks.length] ?? '',
  };
  const isWritable = (field: string) =>
    Object.entries(status).some(([name, text]) => name === field && text !== null && isPlain(text));
  const written = Object.entries(values).filter(([field]) => isWritable(field));
  // A contract may state the currency itself, and read the price from the report.
  const isPriced = isWritable('price') && (isWritable('currency') || isStated(status.currency));
  return Object.fromEntries(written.filter(([field]) => isPriced || !['price', 'currency'].includes(field)));
}

function isStated(currency: string | null): boolean {
  return currency !== null && typeof lenientExpression(currency)({}) === 'string';
}
