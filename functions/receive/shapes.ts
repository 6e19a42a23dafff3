export {
  parseQuarantineId,
  type QuarantinedEntry,
  type QuarantineReason,
  type QuarantineSummary,
  quarantineId,
  wasCaptured,
} from './quarantine/quarantine.ts';
