import {
  type ContactLease,
  leaseMs,
} from '../../../functions/automations/contact-sync/contact-lease-store.ts';

/** Leases in memory. */
export function memoryContactLease(): ContactLease {
  const leases = new Map<string, { state: 'running' | 'done'; owner: string; until: number }>();
  const isOurs = (phone: string, owner: string) => {
    const lease = leases.get(phone);
    return lease?.state === 'running' && lease.owner === owner;
  };
  return {
    async claim(phone, owner, now) {
      const lease = leases.get(phone);
      if (lease !== undefined && lease.until > now && !isOurs(phone, owner))
        return lease.state === 'done' ? { kind: 'done' } : { kind: 'running', until: lease.until };
      leases.set(phone, { state: 'running', owner, until: now + leaseMs });
      return { kind: 'claimed' };
    },
    async finish(phone, owner, until) {
      if (isOurs(phone, owner)) leases.set(phone, { state: 'done', owner, until });
    },
    async release(phone, owner) {
      if (isOurs(phone, owner)) leases.delete(phone);
    },
  };
}
