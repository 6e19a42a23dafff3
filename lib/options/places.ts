import { type IResource, type Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { Certificate, CfnCertificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';

/** Returns the region of a resource if it is another one than that of the stack; undefined if it is the same, or not known at synth. */
export function otherRegionOf({ env }: Pick<IResource, 'env'>, stack: Stack): string | undefined {
  return isOther(env.region, stack.region) ? env.region : undefined;
}

/** Returns whether both texts are known at synth, and differ. */
export function isOther(one: string, other: string): boolean {
  return Token.compareStrings(one, other) === TokenComparison.DIFFERENT;
}

/** Returns the region of a certificate; undefined if another construct than CDK's own made it, possibly in another region than its stack's. */
export function regionOfCertificate(certificate: ICertificate): string | undefined {
  const { certificateArn, env } = certificate;
  if (!Token.isUnresolved(certificateArn)) return certificateArn.split(':')[3];
  return certificate instanceof Certificate ? env.region : undefined;
}

/** Returns the names that a certificate of the app is for; undefined for an imported one, or for names that are not known at synth. */
export function namesOfCertificate(certificate: ICertificate): readonly string[] | undefined {
  const { defaultChild } = certificate.node;
  if (!(defaultChild instanceof CfnCertificate)) return undefined;
  const names = [defaultChild.domainName, ...(defaultChild.subjectAlternativeNames ?? [])];
  return Token.isUnresolved(names) ? undefined : names;
}
