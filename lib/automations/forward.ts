import { Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { allowOnSecret } from '../building-blocks/grants.ts';
import type { AutomationOptions } from '../options/options.ts';
import { type AutomationProps, EventAutomation } from './event-automation.ts';

export interface ForwardAutomationProps extends AutomationProps {
  readonly config: NonNullable<AutomationOptions['forward']>;
}

/** Sends events of chosen types to a URL, signed. The function may read the secret that it signs with. */
export class ForwardAutomation extends EventAutomation {
  readonly secret: Secret;

  constructor(scope: Construct, id: string, props: ForwardAutomationProps) {
    super(scope, id, {
      consumer: {
        ...props,
        name: 'automations/forward',
        description: 'Sends chosen events to a URL, signed as Standard Webhooks says.',
        memoryMiB: 256,
        timeoutSeconds: 60,
        environment: { FORWARD_URL: props.config.url },
      },
      batchSize: 10,
      batchWindowSeconds: 0,
      maximumConcurrency: 5,
      loss: 'Events do not reach the URL they are forwarded to',
      eventBus: props.eventBus,
      patterns: { Chosen: { detailType: [...props.config.detailTypes] } },
    });
    this.secret = new Secret(this, 'Secret', {
      description: 'Signs forwarded events; the receiver needs it to verify them.',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'secret',
        // Base64 of 24 bytes, the minimum of Standard Webhooks.
        passwordLength: 32,
        excludePunctuation: true,
      },
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'The receiver holds the same secret and no schedule can hand it a new one: an operator of both sides rotates it by hand.',
    });
    this.consumer.function.addEnvironment('FORWARD_SECRET_ID', this.secret.secretArn);
    allowOnSecret(this.consumer.function, this.secret.secretArn, 'GetSecretValue');
  }
}
