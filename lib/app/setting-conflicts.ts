/** A setting as a user wrote it, right or wrong. */
export type Input = Readonly<Record<string, unknown>>;

/** A setting that is missing for, or contradicts, another one. */
interface Conflict {
  readonly name: string;
  readonly isPresent: (input: Input) => boolean;
  readonly expected: string;
}

export const conflicts: readonly Conflict[] = [
  {
    name: 'certificateArn',
    isPresent: ({ domainName, certificateArn }) => domainName !== undefined && certificateArn === undefined,
    expected: "expected the ARN of an ACM certificate for domainName, in the deployment's region",
  },
  {
    name: 'domainName',
    isPresent: ({ domainName, certificateArn }) => certificateArn !== undefined && domainName === undefined,
    expected: 'expected the host name that certificateArn is for',
  },
  {
    name: 'mutualTlsTruststore',
    isPresent: ({ mutualTlsTruststore, domainName }) =>
      mutualTlsTruststore !== undefined && domainName === undefined,
    expected: 'expected no value without domainName: API Gateway has mutual TLS for custom domains only',
  },
  {
    name: 'mutualTlsTruststoreVersion',
    isPresent: ({ mutualTlsTruststore, mutualTlsTruststoreVersion }) =>
      mutualTlsTruststoreVersion !== undefined && mutualTlsTruststore === undefined,
    expected: 'expected no value without mutualTlsTruststore',
  },
  {
    name: 'webhookAddress',
    isPresent: ({ mutualTlsTruststore, webhookAddress }) =>
      mutualTlsTruststore !== undefined && webhookAddress === 'api',
    expected:
      'expected "domain": mutualTlsTruststore disables the address of the API, where clients could bypass mutual TLS',
  },
  ...['pageTopicArn', 'runbookUrl'].map((name) => ({
    name,
    isPresent: (input: Input) => input[name] !== undefined && input.alarmTopicArn === undefined,
    expected: 'expected no value without alarmTopicArn: alarms notify no one then',
  })),
  ...[
    ['consoleDomainName', 'consoleCertificateArn'],
    ['consoleCertificateArn', 'consoleDomainName'],
    ['consoleOidcIssuer', 'consoleOidcClientId'],
    ['consoleOidcClientId', 'consoleOidcIssuer'],
  ].map(([name = '', other = '']) => ({
    name,
    isPresent: (input: Input) => input[other] !== undefined && input[name] === undefined,
    expected: `expected a value too, because ${other} is set`,
  })),
  // These automations exchange the API key for a token.
  ...['optOutContacts', 'contactSync', 'billingWatch'].map((name) => ({
    name,
    isPresent: (input: Input) => input.registration === 'off' && input[name] === 'on',
    expected:
      'expected "off": it calls the API of the SMS service, and with registration "off" the pipeline does not call it',
  })),
  {
    name: 'lookupPrices',
    isPresent: ({ lookups, lookupPrices }) => lookupPrices === 'on' && lookups !== 'on',
    expected: 'expected sms:lookups "on" beside it, because lookups find the prices',
  },
  {
    name: 'deliveryWatch',
    isPresent: ({ insights, deliveryWatch }) => insights === 'off' && deliveryWatch === 'on',
    expected:
      'expected "off": it reads the counters of insights, and with insights "off" there are no counters',
  },
  {
    name: 'rotateAfterDays',
    isPresent: ({ registration, rotateAfterDays = 0 }) =>
      registration === 'off' && /^[1-9]/.test(String(rotateAfterDays)),
    expected:
      'expected 0: with registration "off" you create a new secret in the console of the SMS service, and store it with "webhook store-secret"',
  },
  {
    name: 'parkUnverified',
    isPresent: ({ registration, parkUnverified }) => registration === 'off' && parkUnverified === 'always',
    expected:
      'expected "rotating": with registration "off" the pipeline cannot ask the SMS service for the secret that parked requests wait for',
  },
];
