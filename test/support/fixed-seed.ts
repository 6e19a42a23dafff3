import fc from 'fast-check';

/**
 * The same examples of every property in every run, so that a test that failed fails again. `PROPERTY_SEED=2 npm test` tries others.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 1) });
