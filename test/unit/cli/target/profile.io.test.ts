import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { checkProfile } from '../../../../cli/target/profile.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  [
    '[default]\nregion = eu-west-1\n[profile prod]\nregion = eu-west-1\n[sso-session work]\nsso_region = eu-west-1\n',
    'The profiles in ~/.aws/config and ~/.aws/credentials are: default, prod.',
  ],
  ['', 'There are no profiles on this machine. To make this one, type: aws configure sso --profile nope'],
])('a profile that does not exist is refused with those that do', async (config, hint) => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'config'), config);
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'none'));
  await expect(checkProfile('nope')).rejects.toThrow(`There is no AWS profile "nope". ${hint}`);
  if (config !== '') await checkProfile('prod');
});

it('the command to make a profile has the name as one word of a shell', async () => {
  vi.stubEnv('AWS_CONFIG_FILE', join(temporaryDirectory(), 'none'));
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(temporaryDirectory(), 'none'));
  await expect(checkProfile('$(id$IFS>x);y')).rejects.toThrow(/ --profile '\$\(id\$IFS>x\);y'$/);
});
