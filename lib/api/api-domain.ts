import {
  ApiMapping,
  DomainName,
  type HttpApi,
  type HttpStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import { addOutput } from '../building-blocks/output.ts';
import type { PipelineOptions } from '../options/options.ts';
import type { DomainProps } from '../props/props.ts';

export interface ApiDomainProps {
  readonly options: PipelineOptions;
  readonly domain: DomainProps;
  readonly api: HttpApi;
  readonly stage: HttpStage;
}

/** A custom domain of the HTTP API. Its owner creates the DNS record; the outputs are the record's target. */
export class ApiDomain extends Construct {
  constructor(scope: Construct, id: string, { options, domain, api, stage }: ApiDomainProps) {
    super(scope, id);
    const { name, certificate, mutualTls } = domain;
    const domainName = new DomainName(this, 'Name', {
      domainName: name,
      securityPolicy: SecurityPolicy.TLS_1_2,
      certificate,
      ...(mutualTls === undefined ? {} : { mtls: mutualTls }),
    });
    new ApiMapping(this, 'Mapping', { api, stage, domainName });
    addOutput(this, options, 'RegionalDomainName', domainName.regionalDomainName);
    addOutput(this, options, 'RegionalHostedZoneId', domainName.regionalHostedZoneId);
  }
}
