module example.com/shop

go 1.25

require (
	example.com/sms-event-pipeline-go/smseventpipeline v0.1.0
	github.com/aws/aws-cdk-go/awscdk/v2 v2.275.0
	github.com/aws/jsii-runtime-go v1.140.0
)
