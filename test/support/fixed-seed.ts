import fc from 'fast-check';

/** The same examples of every property in every run, so that a test that failed fails again. `PROPERTY_SEED=2 npm test` chooses others. */
export const propertySeed = Number(process.env.PROPERTY_SEED ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: propertySeed });

/** Says once in a run how to repeat it. */
export default function printSeed(): void {
  console.info(`properties with seed ${propertySeed} (PROPERTY_SEED)`);
}
