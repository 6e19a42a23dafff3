import { BlockList, isIPv6 } from 'node:net';
import { Annotations, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** "IANA IPv4 Special-Purpose Address Registry" and that of IPv6. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, prefix);
privateNetworks.addSubnet('fc00::', 7, 'ipv6');
privateNetworks.addSubnet('fe80::', 10, 'ipv6');

/** The API answers at IPv4 addresses only, the default of `ipAddressType`, and it is public. */
export function canReachApi(cidr: string): boolean {
  const [address = ''] = cidr.split('/');
  return (
    Token.isUnresolved(cidr) ||
    !(isIPv6(address) || isIn(loopback, address) || isIn(privateNetworks, address))
  );
}

/** Warns of a URL that a function, or EventBridge, cannot reach. A function in a VPC may reach private addresses. */
export function warnOfPrivateAddress(scope: Construct, name: string, url: string, isInVpc = false): void {
  if (Token.isUnresolved(url) || !URL.canParse(url)) return;
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const isOwn = host === 'localhost' || host.endsWith('.localhost') || isIn(loopback, host);
  if (!isOwn && (isInVpc || !isIn(privateNetworks, host))) return;
  Annotations.of(scope).addWarningV2(
    `sms-pipeline:private-address-of-${name}`,
    `${name}: ${host} is a private address, which ${isOwn ? 'leads back to the sender itself' : 'cannot be reached from AWS without a VPC'}: in AWS no event would arrive. Give an address in the internet${isOwn ? '' : ', or functions: { vpc } if a function sends'}.`,
  );
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
