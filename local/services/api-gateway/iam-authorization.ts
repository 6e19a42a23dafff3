import type { IncomingHttpHeaders } from 'node:http';
import type { APIGatewayEventRequestContextIAMAuthorizer } from 'aws-lambda';
import { ACCOUNT, REGION } from '../../aws-protocol/call.ts';

/** How a route is authorized; `AuthorizationType` of AWS::ApiGatewayV2::Route. */
export type AuthorizationType = 'NONE' | 'AWS_IAM';

/** How far from now a signature's date may be (IAM User Guide, "AWS Signature Version 4 for API requests"). */
const TOLERANCE_MS = 5 * 60_000;

const AUTHORIZATION = new RegExp(
  `^AWS4-HMAC-SHA256 +Credential=(?<accessKey>[^/\\s,]+)/(?<day>\\d{8})/${REGION}/execute-api/aws4_request` +
    ', *SignedHeaders=(?<signedHeaders>[^\\s,]+), *Signature=[0-9a-f]{64}$',
);

const DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/**
 * Who signed a request, as API Gateway tells it to the function behind a route with IAM authorization.
 *
 * Any keys are good on one machine, so nobody knows the secret one and the signature itself cannot be checked: only
 * that there is one, for this service and region, of the last minutes, over the host too. A signature in the query
 * string is not taken.
 *
 * @param now ms since the epoch
 * @returns undefined where API Gateway would answer 403
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

/** Of the basic format, `20260115T120000Z`; NaN for anything else. */
function timeOf(date: string): number {
  const [, year, month, day, hour, minute, second] = DATE.exec(date) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
