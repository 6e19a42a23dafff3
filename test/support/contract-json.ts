import { shippedContractJson } from '../../tools/support/contracts.ts';

/** A contract whose events are flat objects: `id`, `state`, `from`, `text`. @param webhook replaces its parts */
export function staticTokenJson(webhook: object, events: object = {}): { [key: string]: unknown } {
  return {
    ...Object(shippedContractJson),
    webhook: {
      signature: { scheme: 'token', header: 'x-token' },
      acknowledge: {},
      bodyFormat: 'json',
      ...webhook,
    },
    events: {
      list: '[@]',
      kind: "state && 'sms.status' || text && 'sms.reply'",
      id: { from: 'content' },
      timeFormat: 'iso8601',
      status: { messageId: 'id', recipient: 'to', status: 'state', occurredAt: null },
      reply: { replyId: 'id', from: 'from', text: 'text', occurredAt: null },
      ...events,
    },
    statuses: { DELIVRD: 'delivered' },
    samples: [],
  };
}
