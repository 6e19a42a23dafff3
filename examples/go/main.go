// An app with the five lines of the README.
package main

import (
	"example.com/sms-event-pipeline-go/smseventpipeline"
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/jsii-runtime-go"
)

const handler = "def handler(event, context):\n    print(event['detail']['eventId'])\n"

func main() {
	defer jsii.Close()
	app := awscdk.NewApp(nil)
	stack := awscdk.NewStack(app, jsii.String("Shop"), nil)
	tickets := awssns.NewTopic(stack, jsii.String("Tickets"), nil)
	fn := awslambda.NewFunction(stack, jsii.String("OnEvent"), &awslambda.FunctionProps{
		Runtime: awslambda.Runtime_PYTHON_3_13(),
		Handler: jsii.String("index.handler"),
		Code:    awslambda.Code_FromInline(jsii.String(handler)),
	})

	sms := smseventpipeline.NewSmsPipeline(stack, jsii.String("Sms"), &smseventpipeline.SmsPipelineProps{
		Contract: smseventpipeline.Contract_Preset(smseventpipeline.Preset_TWILIO(), nil),
		Alarms:   &smseventpipeline.AlarmsProps{Topic: tickets},
	})
	sms.Events().OnDeliveryFailed(smseventpipeline.Target_Lambda(fn), nil)
	yes := &smseventpipeline.ReplyOptions{Text: awsevents.Match_Prefix(jsii.String("Yes"))}
	sms.Events().OnReply(smseventpipeline.Target_Lambda(fn), yes)

	app.Synth(nil)
}
