import { type Stack, Token } from 'aws-cdk-lib';
import { Alias, CfnKey, type IKey } from 'aws-cdk-lib/aws-kms';
import { otherRegionOf } from './places.ts';

/** What was found instead of a key that services of a stack can encrypt with, and what was expected. */
export interface KeyProblem {
  readonly found: string;
  readonly expected: string;
}

/** Returns why services of a stack cannot encrypt with a key; undefined if they can, or if what decides it is not known at synth. */
export function problemWithKey(key: IKey, stack: Stack): KeyProblem | undefined {
  // Services use the KMS of their own region ("Multi-Region keys", KMS developer guide).
  const region = otherRegionOf(key, stack);
  if (region !== undefined) return { found: `a key in ${region}`, expected: `one in ${stack.region}` };
  const [alias] = /alias\/aws\/[\w-]+$/.exec(key.keyArn) ?? [];
  if (alias !== undefined)
    return {
      found: alias,
      expected:
        'a key of your own: the policy of a key of AWS cannot be changed, and other services may not use it',
    };
  const resource = keyOfApp(key);
  if (resource?.enabled === false) return { found: 'a disabled key', expected: 'an enabled one' };
  const { keySpec = 'SYMMETRIC_DEFAULT' } = resource ?? {};
  if (!Token.isUnresolved(keySpec) && keySpec !== 'SYMMETRIC_DEFAULT')
    return {
      found: `a key of ${keySpec}`,
      expected: 'a symmetric one (KeySpec.SYMMETRIC_DEFAULT): services of AWS encrypt with no other',
    };
  return undefined;
}

/** Returns the resource of a key of the app, also behind an alias; undefined for an imported key. */
export function keyOfApp(key: IKey): CfnKey | undefined {
  if (key instanceof Alias) return keyOfApp(key.aliasTargetKey);
  const { defaultChild } = key.node;
  return defaultChild instanceof CfnKey ? defaultChild : undefined;
}
