import type { DrillEvent } from './sandbox.ts';

/** Three events a message, one after the other. */
export function drillEvents(count: number): DrillEvent[] {
  const statuses = ['queued', 'sent', 'delivered'];
  return Array.from({ length: count }, (_, index) => ({
    kind: 'sms.status',
    fields: {
      messageId: `drill-${Math.floor(index / 3)}`,
      recipient: '+12025550143',
      status: statuses[index % 3] ?? '',
      occurredAt: new Date(Date.UTC(2026, 0, 15, 12, 0, index % 3)).toISOString(),
    },
  }));
}

/** What an event is called in {@link import('./stored.ts').Stored}. */
export function nameOf({ fields }: DrillEvent): string {
  return `${fields.messageId} ${fields.status}`;
}
