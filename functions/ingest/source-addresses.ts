import { BlockList, isIPv6 } from 'node:net';

/**
 * Whether requests from an address are taken.
 *
 * @param ranges as CIDR, of IPv4 or IPv6
 * @returns undefined where there are no ranges: then any address may send
 */
export function createSourceCheck(ranges: readonly string[]): ((address: string) => boolean) | undefined {
  if (ranges.length === 0) return undefined;
  const allowed = new BlockList();
  for (const range of ranges) {
    const [network = '', length] = range.split('/');
    allowed.addSubnet(network, Number(length), familyOf(network));
  }
  return (address) => allowed.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
