import { Aws, Stack, Token } from 'aws-cdk-lib';
import { CfnLogGroup, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { namingSource } from '../../functions/base/commands-of-source.ts';

/** The sentences of an alarm's description. */
export interface AlarmTexts {
  /** The heading of its page in docs/operate/alarms.md. */
  readonly runbook: string;
  /** The most likely cause. */
  readonly cause: string;
  /** The consequence for the users of the pipeline. */
  readonly impact: string;
  /** The first thing to do about it. */
  readonly firstStep: string;
}

export interface AlarmDescriptionProps extends AlarmTexts {
  readonly severity: string;
  /** The source that the alarm is about, if it is not `main`. */
  readonly source?: string | undefined;
  /** Where operators read docs/operate/alarms.md; its path in the repository by default. */
  readonly runbookUrl: string | undefined;
  /** The log group of the function that the alarm is about. */
  readonly logGroup?: LogGroup | undefined;
}

/** The maximum length of a description in CloudWatch ("PutMetricAlarm", API Reference). */
const maxCharacters = 1024;

/** The maximum length of the runbook's URL (lib/options/text-rules.ts), which is assumed of a URL that is known at deployment only. */
const maxUrlLength = 200;

/** No region has a longer name: `ap-northeast-1`. */
const maxRegionLength = 14;

/** What CloudFormation adds to the logical id of a log group for its name, beside the name of the stack: two hyphens and 12 characters. */
const generatedLength = 14;

/** A description that helps at three in the morning. The link to the log group is left out if it could become too long. */
export function alarmDescription(props: AlarmDescriptionProps): string {
  const { severity, source, cause, impact, firstStep, runbook, runbookUrl, logGroup } = props;
  const page =
    runbookUrl === undefined ? `docs/operate/alarms.md, "${runbook}".` : `${runbookUrl}#${anchorOf(runbook)}`;
  const unknownLength = Token.isUnresolved(runbookUrl) ? maxUrlLength : 0;
  const steps = namingSource(`CAUSE: ${cause} IMPACT: ${impact} FIRST: ${firstStep}`, source);
  const text = `SEVERITY: ${severity}. ${source === undefined ? '' : `SOURCE: ${source}. `}${steps} RUNBOOK: ${page}`;
  if (logGroup === undefined) return text;
  const host = consoleHost(Stack.of(logGroup));
  const withLogs = (region: string, name: string) =>
    `${text} LOGS: https://${region}.${host}/cloudwatch/home?region=${region}#logsV2:log-groups/log-group/${name}`;
  const longest = withLogs('r'.repeat(maxRegionLength), 'n'.repeat(maxNameLength(logGroup)));
  return longest.length + unknownLength > maxCharacters ? text : withLogs(Aws.REGION, logGroup.logGroupName);
}

/** The host of the AWS console: that of the standard partition, even if the region is known at deployment only. */
function consoleHost({ region }: Stack): string {
  if (region.startsWith('cn-')) return 'console.amazonaws.cn';
  return region.startsWith('us-gov-') ? 'console.amazonaws-us-gov.com' : 'console.aws.amazon.com';
}

/** The anchor that GitHub and GitLab give to a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function maxNameLength(logGroup: LogGroup): number {
  const { defaultChild } = logGroup.node;
  if (!(defaultChild instanceof CfnLogGroup)) throw new Error('CDK made the log group in an unexpected way');
  const stack = Stack.of(logGroup);
  const logicalId: string = stack.resolve(defaultChild.logicalId);
  return stack.stackName.length + logicalId.length + generatedLength;
}
