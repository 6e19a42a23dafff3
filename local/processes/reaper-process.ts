/**
 * Ends the processes of a local run when the run itself is gone, however that came about: SIGKILL and a crash
 * leave the run no chance to do it. Started apart from the terminal's process group, so that it outlives it.
 */
import type { ReaperMessage } from './reaper.ts';

const watched = new Set<number>();

process.on('message', ({ pid, watch }: ReaperMessage) => {
  if (watch) watched.add(pid);
  else watched.delete(pid);
});

process.on('disconnect', () => {
  for (const pid of watched) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  process.exit(0);
});
