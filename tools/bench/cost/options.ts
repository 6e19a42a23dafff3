import { parseArgs } from 'node:util';
import { OptionError, wholeNumber } from '../../support/run-script.ts';

interface CostOptions {
  /** The number of events in a month. */
  readonly events: number;
  /** The share of replies among all events; 0 to less than 1. */
  readonly replyShare: number;
  readonly priceFile: string | undefined;
  readonly jsonFile: string | undefined;
  /** Settings by name, with `sms:`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Events a second, while they come. */
  readonly perSecond: number;
  /** Messages of the sample. */
  readonly messages: number;
}

const multiples: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9, B: 1e9 };

/** @throws OptionError, or what `parseArgs` throws */
export function readOptions(args: readonly string[]): CostOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string', default: '10M' },
      replies: { type: 'string', default: '5%' },
      rate: { type: 'string', default: '50' },
      messages: { type: 'string', default: '1000' },
      'price-file': { type: 'string' },
      json: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
    },
  });
  const perSecond = Number(values.rate);
  if (!(perSecond > 0 && Number.isFinite(perSecond)))
    throw new OptionError('--rate: expected events a second, for example 50');
  return {
    events: countOf(values.events),
    replyShare: shareOf(values.replies),
    priceFile: values['price-file'],
    jsonFile: values.json,
    settings: Object.fromEntries(values.set.map(settingOf)),
    perSecond,
    messages: wholeNumber('messages', values.messages, 10),
  };
}

/** `10k`, `2.5M`, `1B` or a plain number. */
function countOf(text: string): number {
  const [, digits = '', suffix = ''] = /^(\d+(?:\.\d+)?)([kMGB]?)$/.exec(text) ?? [];
  const count = digits === '' ? Number.NaN : Number(digits) * (multiples[suffix] ?? Number.NaN);
  if (!(count >= 1)) throw new OptionError('--events: expected a number of events a month, for example 10M');
  return count;
}

function shareOf(text: string): number {
  const [, digits = ''] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? [];
  const share = digits === '' ? Number.NaN : Number(digits) / 100;
  if (!(share < 1)) throw new OptionError('--replies: expected a share of the events, for example 5%');
  return share;
}

function settingOf(text: string): [string, string] {
  const [, name, value] = /^(?:sms:)?(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new OptionError('--set: expected sms:<name>=<value>, for example sms:workerBatchWindowSeconds=0');
  return [`sms:${name}`, value];
}
