import { Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { allowOnSecret } from '../building-blocks/grants.ts';
import { type AutomationProps, EventAutomation } from './event-automation.ts';

export interface ForwardAutomationProps extends AutomationProps {
  /** Where events are sent. */
  readonly url: string;
}

/** Sends events of chosen types to a URL, signed. The function may read the secret it signs with. */
export class ForwardAutomation extends EventAutomation {
  readonly secret: Secret;

  constructor(scope: Construct, id: string, props: ForwardAutomationProps) {
    const { defaults, settings, eventBus, alarmTopic } = props;
    super(scope, id, {
      consumer: {
        ...defaults,
        name: 'automations/forward',
        description: 'Sends chosen events to a URL, signed as Standard Webhooks says.',
        memoryMiB: 256,
        timeoutSeconds: 60,
        environment: { FORWARD_URL: props.url },
      },
      batchSize: 10,
      batchWindowSeconds: 0,
      maximumConcurrency: 5,
      loss: 'Events do not reach the URL they are forwarded to',
      eventBus,
      patterns: { Chosen: { detailType: [...settings.forwardDetailTypes] } },
      alarmTopic,
    });
    this.secret = new Secret(this, 'Secret', {
      description: 'Signs what is forwarded; the receiver needs it to verify.',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'secret',
        // Base64 of 24 bytes, the least that Standard Webhooks asks for.
        passwordLength: 32,
        excludePunctuation: true,
      },
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'The receiver holds the same secret and nobody can hand it a new one by schedule: whoever runs both rotates it by hand.',
    });
    this.consumer.function.addEnvironment('FORWARD_SECRET_ID', this.secret.secretArn);
    allowOnSecret(this.consumer.function, this.secret.secretArn, 'GetSecretValue');
  }
}
