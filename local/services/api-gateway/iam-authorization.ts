import type { IncomingHttpHeaders } from 'node:http';
import type { APIGatewayEventRequestContextIAMAuthorizer } from 'aws-lambda';
import { ACCOUNT, REGION } from '../../aws-protocol/call.ts';

/** The maximum distance of a signature's date from now (IAM User Guide, "AWS Signature Version 4 for API requests"). */
const TOLERANCE_MS = 5 * 60_000;

const AUTHORIZATION = new RegExp(
  `^AWS4-HMAC-SHA256 +Credential=(?<accessKey>[^/\\s,]+)/(?<day>\\d{8})/${REGION}/execute-api/aws4_request` +
    ', *SignedHeaders=(?<signedHeaders>[^\\s,]+), *Signature=[0-9a-f]{64}$',
);

const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/**
 * Returns the signer of a request, as API Gateway passes it to the function of a route with IAM authorization.
 *
 * A run accepts any keys, so the secret key is unknown and the signature itself cannot be checked. Checked are only its presence, service,
 * region, date, and that it covers the host. A signature in the query string is not accepted.
 *
 * @param now ms since the epoch
 * @returns undefined if API Gateway would answer 403
 */
export function signerOf(
  headers: IncomingHttpHeaders,
  now: number,
): APIGatewayEventRequestContextIAMAuthorizer | undefined {
  const date = String(headers['x-amz-date']);
  const signed = AUTHORIZATION.exec(headers.authorization ?? '')?.groups;
  const { accessKey = '', day = '', signedHeaders = '' } = signed ?? {};
  const isSigned =
    signed !== undefined &&
    signedHeaders.split(';').includes('host') &&
    date.startsWith(day) &&
    Math.abs(timeOf(date) - now) <= TOLERANCE_MS;
  if (!isSigned) return undefined;
  return {
    iam: {
      accessKey,
      accountId: ACCOUNT,
      callerId: accessKey,
      cognitoIdentity: null,
      principalOrgId: '',
      userArn: `arn:aws:iam::${ACCOUNT}:user/local`,
      userId: accessKey,
    },
  };
}

/** Parses the basic format, `20260115T120000Z`. Returns NaN for any other text. */
function timeOf(date: string): number {
  const [, year, month, day, hour, minute, second] = DATE.exec(date) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
