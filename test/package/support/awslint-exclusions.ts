/** Findings of awslint that stay, each with its reason. An exclusion that matches no finding fails the test. */
export const exclusions: readonly { readonly finding: RegExp; readonly reason: string }[] = [
  {
    finding: /^[\w-]+:aws-cdk-lib\./,
    reason: 'awslint also reads the types of the CDK that the construct names. They are not ours.',
  },
  {
    finding: /^construct-ctor:sms-event-pipeline\.(SmsEvents|Subscription)$/,
    reason: 'Their constructors are private: only a pipeline makes them.',
  },
  {
    finding: /^prefer-ref-interface:sms-event-pipeline\./,
    reason:
      'The pipeline adds grants and policy statements, or passes them to constructs of the CDK, which accept these interfaces only.',
  },
  {
    finding: /^events-method-signature:sms-event-pipeline\.SmsEvents\.on\w+(\.params\[[01]\])?$/,
    reason:
      'A subscription has a filter with types, one target and a dead-letter queue of its own, and no id is needed: onReply(target, { keyword }).',
  },
  {
    finding: /^docs-public-apis:sms-event-pipeline\.Preset\.[A-Z0-9_]+$/,
    reason: 'Each constant is the name of its preset. The comment of the class says which page describes it.',
  },
  {
    finding: /^docs-public-apis:sms-event-pipeline\.\w+Props\.(events|logs|tables|webhook|worker)$/,
    reason: 'A group of props: the comment of its type says what it is, and editors show that too.',
  },
  {
    finding: /^no-grants:sms-event-pipeline\.SmsPipeline\.grant(Query|Subscribe)$/,
    reason: 'The rule is for constructs of single resources. A pipeline has many, and two grants over them.',
  },
];
