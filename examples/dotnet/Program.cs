using Amazon.CDK;
using Amazon.CDK.AWS.Events;
using Amazon.CDK.AWS.Lambda;
using Amazon.CDK.AWS.SNS;
using SmsEventPipeline;

// The five lines of the README, in an app.
var app = new App();
var stack = new Stack(app, "Shop");
var tickets = new Topic(stack, "Tickets");
var fn = new Function(stack, "OnEvent", new FunctionProps
{
    Runtime = Runtime.PYTHON_3_13,
    Handler = "index.handler",
    Code = Code.FromInline("def handler(event, context):\n    print(event['detail']['eventId'])\n"),
});

var sms = new SmsPipeline(stack, "Sms", new SmsPipelineProps
{
    Contract = Contract.Preset(Preset.TWILIO),
    Alarms = new AlarmsProps { Topic = tickets },
});
sms.Events.OnDeliveryFailed(Target.Lambda(fn));
sms.Events.OnReply(Target.Lambda(fn), new ReplyOptions { Text = Match.Prefix("Yes") });

app.Synth();
