"""A pipeline with two sources in an app of Python. app.mjs makes the same template."""

import sys

from aws_cdk import App, CfnOutput, Duration, RemovalPolicy, Stack
from aws_cdk.aws_events import Match
from aws_cdk.aws_lambda import Code, Function, Runtime
from aws_cdk.aws_secretsmanager import Secret
from aws_cdk.aws_sns import Topic
from aws_cdk.aws_sqs import Queue
from sms_event_pipeline import (
    AlarmOverrides,
    AlarmsProps,
    Automation,
    Contract,
    DetailType,
    Preset,
    SmsPipeline,
    SubscriptionAlarmsProps,
    Target,
    WebhookProps,
)

app = App()
stack = Stack(app, "Shop")
tickets = Topic(stack, "Tickets")
sms = SmsPipeline(
    stack,
    "Sms",
    contract=Contract.from_file(sys.argv[1]),
    api_key=Secret.from_secret_name_v2(stack, "Key", "sms/api-key"),
    retention=Duration.days(90),
    removal_policy=RemovalPolicy.DESTROY,
    webhook=WebhookProps(repair_drift=False, allowed_sources=["192.0.2.0/24"]),
    alarms=AlarmsProps(topic=tickets, overrides={"RequestsRejected": AlarmOverrides(threshold=50)}),
    automations=[Automation.failure_alert(topic=tickets), Automation.delivery_watch()],
)
backup = sms.add_source("backup", contract=Contract.preset(Preset.VONAGE_SMS))
CfnOutput(stack, "BackupWebhook", value=backup.webhook_url)

# What the functions do is in the language of the functions.
answer = Function(
    stack,
    "Answer",
    runtime=Runtime.PYTHON_3_14,
    handler="index.handler",
    code=Code.from_inline("def handler(event, context):\n    print(event['detail']['replyId'])\n"),
)
sms.grant_query(answer)
sms.events.on_reply(Target.lambda_(answer), text=Match.equals_ignore_case("yes"))
rejected = Target.sqs(Queue(stack, "Rejected"))
sms.events.on_delivery_status(rejected, status=["rejected", "word:held"], source=["backup"])
sms.events.on_event(
    Target.sns(tickets), detail_types=[DetailType.OPT_OUT], detail={"by": ["person"]}, id="OptOuts"
)

other = Stack(app, "Reports")
reports = SmsPipeline.from_attributes(
    other,
    "Reports",
    pipeline_name="sms",
    event_bus_name="the-bus",
    alarms=SubscriptionAlarmsProps(enabled=False),
)
reports.events.on_delivery_failed(Target.sqs(Queue(other, "Failed")))

app.synth()
