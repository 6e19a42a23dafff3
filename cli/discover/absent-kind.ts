import type { Contract } from '../../functions/core/contract/contract.ts';
import { checkSamples } from '../../functions/core/contract/samples.ts';
import type { Kind } from './classify-event.ts';
import type { Proposal } from './proposal.ts';

type Sample = Contract['samples'][number];

/** The samples of one kind that a contract still reads as they say. */
export function samplesThatHold(contract: Contract, kind: Kind): Sample[] {
  return contract.samples.filter(
    (sample) =>
      sample.becomes?.every((event) => event.kind === kind) === true &&
      checkSamples({ ...contract, samples: [sample] }).length === 0,
  );
}

/** The fields of a kind as the contract has them, for a kind that was not captured. */
export function keptFields(contract: Contract, kind: Kind): Proposal[] {
  const name = kind === 'sms.status' ? 'status' : 'reply';
  return Object.entries<string | null>(contract.events[name]).map(([field, value]) =>
    unseen(`events.${name}.${field}`, value, kind, 'kept from the contract, whose samples hold'),
  );
}

/**
 * What the fields of a kind that was not captured may be called, by those of the other.
 *
 * @param seen the fields of the other kind
 */
export function analogousFields(
  seen: ReadonlyMap<string, string | null | undefined>,
  kind: Kind,
): Proposal[] {
  const path = (key: string) => seen.get(key)?.split(' || ')[0];
  const add = (key: string, value: string | null) => unseen(key, value, kind, 'by analogy');
  if (kind === 'sms.reply') {
    const at = (field: string) => path(`events.status.${field}`);
    const to = at('recipient') ?? at('messageId') ?? 'to';
    // "To" has "From" beside it; any other name is the person's in both kinds.
    const isTo = /(?:^|[."])(?:to|recipient|dest\w*|receiver)"?$/i.test(to);
    return [
      add('events.reply.replyId', at('messageId') ?? null),
      add('events.reply.messageId', null),
      add('events.reply.from', isTo || at('recipient') === undefined ? beside(to, 'from') : to),
      add('events.reply.to', isTo ? to : null),
      add('events.reply.text', beside(to, 'text')),
      add('events.reply.occurredAt', at('occurredAt') ?? null),
    ];
  }
  const at = (field: string) => path(`events.reply.${field}`);
  const from = at('from') ?? 'from';
  return [
    add('events.status.messageId', at('messageId') ?? at('replyId') ?? beside(from, 'id')),
    add('events.status.sendId', null),
    add('events.status.recipient', at('to') ?? null),
    add('events.status.status', beside(from, 'status')),
    add('events.status.occurredAt', at('occurredAt') ?? null),
    add('events.status.errorCode', null),
    add('events.status.errorText', null),
  ];
}

function unseen(key: string, value: string | null, kind: Kind, why: string): Proposal {
  const what = kind === 'sms.reply' ? 'no reply was captured' : 'no delivery report was captured';
  return { key, value, isCertain: false, rivals: [], note: `${what}: ${why}` };
}

/** The path of a field next to another, in its letter case. */
function beside(path: string, name: string): string {
  const [, holder = '', last = ''] = /^(.*\.)?([^.]+)$/.exec(path) ?? [];
  return `${holder}${/^"?[A-Z]/.test(last) ? `${name[0]?.toUpperCase()}${name.slice(1)}` : name}`;
}
