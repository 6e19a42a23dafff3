import { CfnOutput } from 'aws-cdk-lib';
import {
  ApiMapping,
  DomainName,
  type HttpApi,
  type HttpStage,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Settings } from '../settings/read-settings.ts';

export interface ApiDomainProps {
  readonly name: string;
  readonly certificateArn: string;
  readonly settings: Settings;
  readonly api: HttpApi;
  readonly stage: HttpStage;
}

/** A custom domain of the HTTP API. Its owner creates the DNS record; the outputs are the record's target. */
export class ApiDomain extends Construct {
  constructor(scope: Construct, id: string, { name, certificateArn, settings, api, stage }: ApiDomainProps) {
    super(scope, id);
    const { mutualTlsTruststore, mutualTlsTruststoreVersion } = settings;
    const domainName = new DomainName(this, 'Name', {
      domainName: name,
      securityPolicy: SecurityPolicy.TLS_1_2,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      ...(mutualTlsTruststore === undefined
        ? {}
        : { mtls: this.mutualTls(mutualTlsTruststore, mutualTlsTruststoreVersion) }),
    });
    new ApiMapping(this, 'Mapping', { api, stage, domainName });
    new CfnOutput(this, 'RegionalDomainName', { value: domainName.regionalDomainName }).overrideLogicalId(
      'RegionalDomainName',
    );
    new CfnOutput(this, 'RegionalHostedZoneId', { value: domainName.regionalHostedZoneId }).overrideLogicalId(
      'RegionalHostedZoneId',
    );
  }

  /** @param truststore `s3://<bucket>/<key>`, the certificates of the CAs whose clients are accepted */
  private mutualTls(truststore: string, version: string | undefined) {
    const [, , bucketName = '', ...key] = truststore.split('/');
    return {
      bucket: Bucket.fromBucketName(this, 'Truststore', bucketName),
      key: key.join('/'),
      ...(version === undefined ? {} : { version }),
    };
  }
}
