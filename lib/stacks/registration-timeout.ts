import { Duration } from 'aws-cdk-lib';

/** How long CloudFormation waits for the setup function's answer; its own default is an hour. */
export const registrationTimeout = Duration.seconds(120);
