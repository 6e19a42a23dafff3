import type { Command, CommandTexts } from '../../input/command.ts';
import type { Context } from '../../target/context.ts';
import { ReportedFailure } from '../../target/errors.ts';

const texts: CommandTexts = {
  examples: ['deploy', 'deploy --profile prod --region eu-west-1', 'deploy --require-approval never --yes'],
  notes:
    'All options go to cdk deploy --all. Without --profile or --region it takes those of SMS_TARGET or .smsrc (sms target), then those of the CDK.',
  details:
    'The comparison needs cloudformation:ListStackResources, cloudformation:DescribeStacks, cloudformation:GetTemplate, sqs:GetQueueAttributes and sns:GetTopicAttributes; after a first deployment that failed, also cloudformation:UpdateTerminationProtection. npx cdk deploy --all deploys without it.',
};

/** Adds `deploy`, which deploys the app. @param args the words after the command, which go to the CDK */
export function addDeploy(program: Command, context: Context, args: readonly string[]): void {
  program
    .command('deploy')
    .summary('deploy the app to AWS')
    .description(
      'Synthesizes all stacks, compares them with what is deployed, and deploys them. It asks before it removes a queue with messages or another resource with data, or its protection, before it deletes data by a shorter retention, and before alarms lose their topic.',
    )
    .option(
      '-c, --context <key=value>',
      'a setting for this deployment only; others belong in the settings file',
    )
    .option('-y, --yes', 'answer every question with yes, also those of cdk deploy')
    .option('--profile <name>', 'profile of the AWS configuration files')
    .option('--region <region>', 'AWS region')
    .allowUnknownOption()
    .allowExcessArguments()
    .explain(texts)
    .action(async () => {
      const { deployApp } = await import('./deploy-app.ts');
      const code = await deployApp(args, await context.targetSources());
      if (code !== 0) throw new ReportedFailure();
    });
}
