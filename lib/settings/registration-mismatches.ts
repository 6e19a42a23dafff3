/** A setting that does not go with `registration` off. */
export interface RegistrationMismatch {
  readonly name: string;
  readonly expected: string;
}

/** All of them exchange the API key for a token. */
const automationsOfTheApi = ['optOutContacts', 'contactSync', 'billingWatch'] as const;

/**
 * What is asked for that nobody can do where the pipeline does not register its webhook itself.
 * @param given the settings as they were given, right or wrong
 */
export function registrationMismatches(given: Readonly<Record<string, unknown>>): RegistrationMismatch[] {
  if (given.registration !== 'off') return [];
  const found: RegistrationMismatch[] = automationsOfTheApi
    .filter((name) => given[name] === 'on')
    .map((name) => ({
      name,
      expected:
        'expected "off": it calls the API of the SMS service, and with registration "off" there is none',
    }));
  if (/^[1-9]/.test(String(given.rotateAfterDays ?? 0)))
    found.push({
      name: 'rotateAfterDays',
      expected:
        'expected 0: with registration "off" a new secret is made in the console of the SMS service, and stored with "webhook store-secret"',
    });
  if (given.parkUnverified === 'always')
    found.push({
      name: 'parkUnverified',
      expected:
        'expected "rotating": with registration "off" the SMS service cannot be asked for the secret that parked requests wait for',
    });
  return found;
}
