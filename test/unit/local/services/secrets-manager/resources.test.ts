import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TemplateError } from '../../../../../local/cloudformation/template.ts';
import {
  generatedSecretSchema,
  generateSecretString,
} from '../../../../../local/services/secrets-manager/resources.ts';
import { assertProperty } from '../../../../support/property.ts';

const generate = (properties: object) =>
  generateSecretString(generatedSecretSchema.parse(properties), randomInt);

describe('a generated secret', () => {
  it('is a member of its template', () => {
    const text = generate({
      SecretStringTemplate: '{"user": "me"}',
      GenerateStringKey: 'secret',
      ExcludePunctuation: true,
    });
    expect(JSON.parse(text)).toEqual({ user: 'me', secret: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
  });

  it('has the length and each required type, without excluded characters', () => {
    assertProperty(
      fc.property(fc.integer({ min: 4, max: 200 }), (PasswordLength) => {
        const text = generate({ PasswordLength, ExcludeCharacters: 'aZ9"\\' });
        expect(text).toHaveLength(PasswordLength);
        for (const type of [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/]) expect(text).toMatch(type);
        expect(text).not.toMatch(/[aZ9"\\ ]/);
      }),
    );
  });

  it('has no excluded type', () => {
    const types = { ExcludeLowercase: true, ExcludeUppercase: true, ExcludePunctuation: true };
    expect(generate({ ...types, PasswordLength: 12 })).toMatch(/^[0-9]{12}$/);
  });

  it.each([
    { GenerateStringKey: 'secret' },
    { SecretStringTemplate: '{', GenerateStringKey: 'secret' },
    { PasswordLength: 3 },
    { ExcludeLowercase: true, ExcludeUppercase: true, ExcludePunctuation: true, ExcludeNumbers: true },
  ])('is rejected for %j', (properties) => {
    expect(() => generate(properties)).toThrow(TemplateError);
  });
});
