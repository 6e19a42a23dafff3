import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import {
  type Context,
  customDomain,
  functionNamed,
  mutualTls,
  resource,
  templateFor,
} from '../support/built-app.ts';

const byDefault = templateFor();
const atDomain = templateFor(customDomain);
const prepared = templateFor({ ...customDomain, 'sms:webhookAddress': 'api' });
const withMutualTls = templateFor({ ...customDomain, ...mutualTls, 'sms:mutualTlsTruststoreVersion': 'v1' });

const type = 'AWS::ApiGatewayV2::DomainName';
const apiOf = (template: Template) => resource(template, 'AWS::ApiGatewayV2::Api');
const outputsOf = (template: Template) => template.toJSON().Outputs;
const registeredBy = (context: Context) =>
  resource(templateFor(context), 'Custom::SmsWebhookRegistration').Properties.WebhookUrl;

describe('a custom domain', () => {
  const domain = resource(atDomain, type);

  it('has the certificate, requires TLS 1.2, and requests no client certificate', () => {
    expect(domain.Properties).toEqual({
      DomainName: 'sms.pipeline.test',
      DomainNameConfigurations: [
        {
          CertificateArn: customDomain['sms:certificateArn'],
          EndpointType: 'REGIONAL',
          SecurityPolicy: 'TLS_1_2',
        },
      ],
    });
  });

  it('maps to the only stage of the API without a base path', () => {
    const mapping = resource(atDomain, 'AWS::ApiGatewayV2::ApiMapping');
    expect(mapping.Properties).toEqual({
      ApiId: { Ref: apiOf(atDomain).id },
      DomainName: { Ref: domain.id },
      Stage: '$default',
    });
    expect(mapping.DependsOn).toContain(resource(atDomain, 'AWS::ApiGatewayV2::Stage').id);
  });

  it('outputs the target of its DNS record', () => {
    const { RegionalDomainName, RegionalHostedZoneId } = outputsOf(atDomain);
    expect(RegionalDomainName.Value).toEqual({ 'Fn::GetAtt': [domain.id, 'RegionalDomainName'] });
    expect(RegionalHostedZoneId.Value).toEqual({ 'Fn::GetAtt': [domain.id, 'RegionalHostedZoneId'] });
  });

  it('is the address of the webhook and of queries, in outputs, at the SMS service and in signatures', () => {
    const url = 'https://sms.pipeline.test/webhooks/sms';
    expect(outputsOf(atDomain).WebhookUrl.Value).toBe(url);
    expect(outputsOf(atDomain).QueryUrl.Value).toBe('https://sms.pipeline.test/v1');
    expect(registeredBy(customDomain)).toBe(url);
    for (const name of ['ingest', 'setup'] as const)
      expect(functionNamed(atDomain, name).Properties.Environment).toMatchObject({
        Variables: { WEBHOOK_URL: url },
      });
  });

  // The schedule would give the service an address at which nothing answers yet.
  it('is created before setup receives its name', () => {
    const mapping = resource(atDomain, 'AWS::ApiGatewayV2::ApiMapping').id;
    expect(functionNamed(atDomain, 'setup').DependsOn).toContain(mapping);
  });

  // UpdateApi keeps a field that is left out, so that it is set with and without a domain.
  it('keeps the API reachable at its previous address', () => {
    expect(apiOf(atDomain).Properties.DisableExecuteApiEndpoint).toBe(false);
    expect([apiOf(atDomain).id, apiOf(atDomain).Properties]).toEqual([
      apiOf(byDefault).id,
      apiOf(byDefault).Properties,
    ]);
  });

  // CloudFormation refuses an update that takes away what the stack of the registration imports still.
  it('removes no export', () => {
    const exportsOf = (templates: typeof atDomain) =>
      Object.values<{ Export?: { Name: string } }>(outputsOf(templates)).flatMap(({ Export }) =>
        Export === undefined ? [] : Export.Name,
      );
    expect(exportsOf(atDomain)).toEqual(exportsOf(byDefault));
  });
});

describe('webhookAddress', () => {
  it('"api" creates the domain and keeps the address, so that DNS can change first', () => {
    expect(resource(prepared, type).Properties).toEqual(resource(atDomain, type).Properties);
    expect(registeredBy({ ...customDomain, 'sms:webhookAddress': 'api' })).toEqual(registeredBy({}));
    for (const name of ['WebhookUrl', 'QueryUrl'])
      expect(outputsOf(prepared)[name]).toEqual(outputsOf(byDefault)[name]);
    expect(functionNamed(prepared, 'ingest').Properties).toEqual(
      functionNamed(byDefault, 'ingest').Properties,
    );
  });

  it('"domain" is rejected without a domain', () => {
    expect(templateFor({ 'sms:webhookAddress': 'domain' }).toJSON()).toEqual(byDefault.toJSON());
  });
});

describe('mutual TLS', () => {
  it.each([
    ['with its version', withMutualTls, { TruststoreVersion: 'v1' }],
    ['with its newest version', templateFor({ ...customDomain, ...mutualTls }), {}],
  ])('accepts clients whose CA is in the trust store, %s', (_, template, version) => {
    expect(resource(template, type).Properties.MutualTlsAuthentication).toEqual({
      TruststoreUri: 's3://trust.pipeline.test/cas/service.pem',
      ...version,
    });
  });

  it('cannot be bypassed: the default endpoint of API Gateway is disabled', () => {
    expect(apiOf(withMutualTls).Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(apiOf(withMutualTls).id).toBe(apiOf(byDefault).id);
  });
});
