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

/** The place of a certificate. Both are undefined if another construct than CDK's own made it, possibly in another place than its stack's. */
interface CertificatePlace {
  readonly region: string | undefined;
  readonly account: string | undefined;
}

/** Returns the place of a certificate of ACM. */
export function placeOfCertificate(certificate: ICertificate): CertificatePlace {
  const { certificateArn, env } = certificate;
  if (!Token.isUnresolved(certificateArn)) {
    const [, , , region, account] = certificateArn.split(':');
    return { region, account };
  }
  return certificate instanceof Certificate
    ? { region: env.region, account: env.account }
    : { region: undefined, account: undefined };
}

/** Returns whether the app makes a certificate at a private certificate authority. */
export function isPrivate({ node: { defaultChild } }: ICertificate): boolean {
  return defaultChild instanceof CfnCertificate && defaultChild.certificateAuthorityArn !== undefined;
}

/** Returns the names that a certificate of the app is for; undefined for an imported one, or for names that are not known at synth. */
export function namesOfCertificate(certificate: ICertificate): readonly string[] | undefined {
  const { defaultChild } = certificate.node;
  if (!(defaultChild instanceof CfnCertificate)) return undefined;
  const names = [defaultChild.domainName, ...(defaultChild.subjectAlternativeNames ?? [])];
  return names.some((name) => Token.isUnresolved(name)) ? undefined : names;
}
