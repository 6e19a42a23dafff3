import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../../../local/gateway/gateway.ts';
import { temporaryDirectory } from '../../cli/support/temporary-directory.ts';

it('the command line of the gateway, which each user of the machine can read, has no access key', async () => {
  const folder = temporaryDirectory();
  const gateway = startGateway({
    routes: [{ publicPort: 0, servicePort: 9, accessKeyId: 'key0of0the0tables', isSmsService: false }],
    secretsPort: 9,
    permissionFile: join(folder, 'permissions.json'),
    logFile: join(folder, 'gateway.log'),
    runId: 'run-1',
    note: () => {},
  });
  onTestFinished(async () => {
    process.kill(gateway.pid, 'SIGKILL');
    await gateway.exited;
  });
  await gateway.ready;
  const line = execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(gateway.pid)]).toString();
  expect(line).toContain('--run=run-1');
  expect(line).not.toContain('key0of0the0tables');
});
