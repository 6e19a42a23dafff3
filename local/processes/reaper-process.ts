/**
 * This process ends the processes of a local run when the run itself has ended, also after SIGKILL or a crash. It runs outside the terminal's process
 * group, so that it outlives the run.
 */
import type { ReaperMessage } from './reaper.ts';

const watched = new Set<number>();

process.on('message', ({ pid, watch }: ReaperMessage) => {
  if (watch) watched.add(pid);
  else watched.delete(pid);
});

function endWatched(): void {
  for (const pid of watched) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  process.exit(0);
}

process.on('disconnect', endWatched);
// The run may have ended while this process started; what it had sent comes first.
if (!process.connected) setImmediate(endWatched);
