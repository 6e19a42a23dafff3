import { BlockList, isIP } from 'node:net';
import { PatternError } from './pattern-error.ts';

/**
 * Compiles an IPv4 or IPv6 block such as `10.0.0.0/24`. One address alone is no block: EventBridge's matcher refuses `/32`
 * and `/128`.
 *
 * @throws PatternError
 */
export function compileCidr(block: unknown, path: string): (address: string) => boolean {
  const [, address = '', length = ''] = /^([^/]+)\/(\d{1,3})$/.exec(String(block)) ?? [];
  const family = isIP(address);
  if (family === 0 || Number(length) >= (family === 4 ? 32 : 128)) {
    throw new PatternError(path, 'expected a block of addresses such as 10.0.0.0/24');
  }
  const list = new BlockList();
  list.addSubnet(address, Number(length), family === 4 ? 'ipv4' : 'ipv6');
  return (candidate) => isIP(candidate) === family && list.check(candidate, family === 4 ? 'ipv4' : 'ipv6');
}
