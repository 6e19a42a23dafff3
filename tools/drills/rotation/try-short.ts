import { printVerdict } from '../../engine/print.ts';
import { rotationPass, shortPlan } from './rotation-scenario.ts';

for (const park of ['rotating', 'always'] as const) {
  const outcome = await rotationPass({ ...shortPlan, park }, console.log);
  console.log(park, outcome.run.ledger.acknowledged, outcome.run.ledger.forgedAnswers, outcome.evidence.found.quarantine.size, outcome.quietAfterSeconds, outcome.seconds);
  printVerdict(outcome.broken);
}
