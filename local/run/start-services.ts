import { startAwsEndpoint } from '../aws-protocol/aws-endpoint.ts';
import { loopbackUrl } from '../aws-protocol/http.ts';
import { startGateway } from '../gateway/gateway.ts';
import { startReaper } from '../processes/reaper.ts';
import { RunningProcesses, removeRunRecord } from '../processes/run-record.ts';
import type {
  Ports,
  RunningService,
  ServiceRun,
  StartedProcess,
} from '../services/definition/define-service.ts';
import { tablesAccessKeyId } from '../services/dynamodb/api.ts';
import { services, startAll } from '../services/services.ts';
import type { Progress } from '../terminal/terminal.ts';
import { freePorts } from './ports.ts';
import type { Shutdown } from './shutdown.ts';

export interface ServicesOptions {
  readonly ports: Ports;
  /** Where the SMS service's sandbox listens already. */
  readonly sandboxPort: number;
  /** Folder in which tables stay for the next run. */
  readonly tablesDirectory: string | undefined;
  readonly java: string;
  readonly runId: string;
  readonly logDirectory: string;
  readonly recordFile: string;
  /** Takes what the functions were allowed and needed. */
  readonly permissionFile: string;
  /** A permission that the functions run without. */
  readonly progress: Progress;
  readonly shutdown: Shutdown;
}

/** Starts the services that hold the stacks' resources. Resolves when all of them answer. */
export async function startServices(options: ServicesOptions) {
  const { ports, runId, logDirectory, recordFile, progress, shutdown } = options;
  const endWith = (reason: string): void => {
    if (shutdown.ending) return;
    console.error(reason);
    void shutdown.end(1);
  };
  const reaper = startReaper(runId, () => endWith('the process that ends the others has ended: giving up'));
  shutdown.add(() => removeRunRecord(recordFile));
  shutdown.add(() => reaper.reap());

  const processes = new RunningProcesses(recordFile, runId, reaper);
  const onProcess = ({ name, pid, exited, logFile }: StartedProcess): void => {
    processes.add(name, pid);
    void exited.then(() => endWith(`${name} ended: see ${logFile}`));
  };
  const note = (line: string): void => {
    if (!shutdown.ending) progress.note(line);
  };
  // The services listen on ports of their own; the gateway listens on the public ports.
  const [dynamodbPort = 0, sqsPort = 0, awsPort = 0] = await freePorts(3);
  const accessKeyId = tablesAccessKeyId(options.tablesDirectory);
  const gatewayLog = `${logDirectory}/gateway.log`;
  const gateway = startGateway({
    routes: [
      { publicPort: ports.dynamodb, servicePort: dynamodbPort, accessKeyId, isSmsService: false },
      { publicPort: ports.sqs, servicePort: sqsPort, isSmsService: false },
      { publicPort: ports.aws, servicePort: awsPort, isSmsService: false },
      { publicPort: ports.smsService, servicePort: options.sandboxPort, isSmsService: true },
    ],
    secretsPort: awsPort,
    permissionFile: options.permissionFile,
    logFile: gatewayLog,
    runId,
    note,
  });
  onProcess({ name: 'gateway', pid: gateway.pid, exited: gateway.exited, logFile: gatewayLog });
  shutdown.add(() => gateway.write());

  const run: ServiceRun = {
    runId,
    logDirectory,
    tablesDirectory: options.tablesDirectory,
    tablesAccessKeyId: accessKeyId,
    java: options.java,
    ports,
    servicePorts: { dynamodb: dynamodbPort, sqs: sqsPort },
    endpoints: Object.fromEntries(
      services.map(({ endpoint }) => [endpoint.variable, loopbackUrl(ports[endpoint.port])]),
    ),
    access: gateway,
    processes,
    note,
    onProcess,
  };
  const started = await startAll(run);
  const running: readonly RunningService[] = started.running;
  // Not awaited: the processes of functions that are still busy are about to be ended.
  shutdown.add(() => {
    for (const service of running) service.stop?.();
  });
  await Promise.all([
    gateway.ready,
    startAwsEndpoint(awsPort, running).then(() =>
      progress.step(`Secrets Manager, EventBridge and Lambda on ${loopbackUrl(ports.aws)}`),
    ),
    ...running.map(async ({ ready, announcement }) => {
      await ready;
      if (announcement !== undefined) progress.step(announcement);
    }),
  ]);
  /** Ends a further process of the run with it, however the run ends. */
  const watchProcess = (name: string, pid: number): void => void processes.add(name, pid);
  return { ...started, watchProcess };
}
