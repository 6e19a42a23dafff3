import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/** Fails a unit test that opens a port, connects to one or starts a process: its name must end in `.io.test.ts`. */
function refuse(what: string) {
  return (): never => {
    throw new Error(`A unit test must not ${what}. Rename its file to *.io.test.ts, or test without it.`);
  };
}

for (const name of ['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync'] as const)
  Object.assign(childProcess, { [name]: refuse('start a process') });
net.Server.prototype.listen = refuse('open a port');
net.Socket.prototype.connect = refuse('connect to a port');
syncBuiltinESMExports();
