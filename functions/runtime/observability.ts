import { createLog } from './instrumentation.ts';
import { logCatalogue } from './log-catalogue.ts';

export { count, observability } from './instrumentation.ts';

export const log = createLog(logCatalogue);
