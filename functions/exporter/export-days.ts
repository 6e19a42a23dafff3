import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import { exportableDays, type MissingDay, missingDays } from './missing-days.ts';
import type { TableExports } from './table-export-client.ts';

export interface ExportDependencies {
  readonly exports: TableExports;
  readonly log: Log;
  readonly count: Count;
}

/**
 * Sees to it that each of the latest days has an export, oldest first: one that failed is requested again, and so is one
 * that could not be requested by the run before. Never throws: what fails is logged by name and counted.
 */
export async function exportDays({ exports, log, count }: ExportDependencies): Promise<void> {
  function fail(error: string, day: string | null): void {
    count('exportFailed');
    log('EXPORT_FAILED', { day, error });
  }

  async function findMissing(): Promise<MissingDay[]> {
    const window = await exports.window();
    if (window === undefined) {
      fail('NoContinuousBackup', null);
      return [];
    }
    const days = exportableDays(window);
    const [oldest] = days;
    // A day is exported after its end at the earliest.
    return oldest === undefined ? [] : missingDays(days, await exports.requestedSince(oldest.to));
  }

  async function request(missing: MissingDay): Promise<void> {
    const { date: day } = missing.day;
    try {
      const status = await exports.request(missing);
      if (status === 'failed') fail('ExportFailed', day);
      else log('EXPORT_REQUESTED', { day, failedBefore: missing.failed });
    } catch (error) {
      fail(nameOf(error), day);
    }
  }

  try {
    for (const missing of await findMissing()) {
      if (missing.failed > 0) count('exportFailed');
      await request(missing);
    }
  } catch (error) {
    fail(nameOf(error), null);
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
