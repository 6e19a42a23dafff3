"""Starts MiniStack with what a pipeline needs and MiniStack 1.5.33 lacks. Every addition names the behaviour of AWS that it follows."""

import functools
import io
import json
import os
import re
import signal
import sys
import threading
import zipfile

from ministack import app
from ministack.core import iam_actions, iam_evaluator
from ministack.services import cloudfront, cloudwatch, dynamodb, dynamodb_streams, ec2, eventbridge, lambda_svc
from ministack.services.cloudformation import provisioners

# MiniStack and the processes of its functions are a group, which ends when the run closes this input, or ends itself.
os.setpgrp()


def end_with_run():
    sys.stdin.read()
    os.killpg(0, signal.SIGKILL)


threading.Thread(target=end_with_run, daemon=True).start()


def succeed(response):
    """Raises what an operation answered, if it is an error: CloudFormation then fails the resource."""
    if response[0] >= 400:
        raise ValueError(response[2])


# A log of every decision of IAM. The run reads it at its end, and fails if a call was denied.
decisions = open(os.environ["IAM_DECISIONS"], "a", buffering=1)
enforce = iam_evaluator.enforce


def enforce_and_log(access_key_id, iam_action, service, region, resource_arn="*", service_context=None):
    denial = enforce(access_key_id, iam_action, service, region, resource_arn, service_context)
    decision = {"action": iam_action, "resource": resource_arn, "caller": iam_evaluator.caller_arn()}
    decisions.write(json.dumps({**decision, "isDenied": denial is not None}) + "\n")
    return denial


iam_evaluator.enforce = enforce_and_log


# SQS has no action in IAM for a batch: sqs:DeleteMessage allows DeleteMessageBatch (Service Authorization Reference, Amazon SQS).
extract_iam_action = iam_actions.extract_iam_action


def extract_action_of_batch(*request):
    action = extract_iam_action(*request)
    return action and re.sub(r"^(sqs:\w+Message\w*)Batch$", r"\1", action)


iam_actions.extract_iam_action = extract_action_of_batch


# dynamodb:LeadingKeys has the partition keys that a request names (Service Authorization Reference, Amazon DynamoDB, "Condition keys"). A
# pipeline limits only calls of one item by it, and its tables call this key `pk`.
dynamodb_service_context = iam_actions.dynamodb_service_context


def dynamodb_context_with_key(body):
    data = json.loads(body or b"{}")
    key = (data.get("Key") or data.get("Item") or {}).get("pk")
    leading = {"dynamodb:LeadingKeys": [key["S"]]} if key else {}
    return {**dynamodb_service_context(body), **leading}


iam_actions.dynamodb_service_context = dynamodb_context_with_key


# Ref of a secret is its ARN (CloudFormation Template Reference, AWS::SecretsManager::Secret, "Return values").
secret = provisioners._RESOURCE_HANDLERS["AWS::SecretsManager::Secret"]
create_secret, update_secret, delete_secret = secret["create"], secret["update"], secret["delete"]


def name_of_secret(arn):
    return arn.partition(":secret:")[2][:-7]


def create_secret_with_arn(logical_id, props, stack_name):
    _, attributes = create_secret(logical_id, props, stack_name)
    return attributes["Arn"], attributes


def update_secret_by_arn(arn, old_props, new_props, stack_name, logical_id=None):
    _, attributes = update_secret(name_of_secret(arn), old_props, new_props, stack_name, logical_id)
    return attributes["Arn"], attributes


def delete_secret_by_arn(arn, props):
    delete_secret(name_of_secret(arn), props)


secret.update(create=create_secret_with_arn, update=update_secret_by_arn, delete=delete_secret_by_arn)


# Attributes of a VPC include its range of addresses (CloudFormation Template Reference, AWS::EC2::VPC, "Return values").
def with_range(provision):
    @functools.wraps(provision)
    def provision_with_range(*given, **named):
        vpc_id, attributes = provision(*given, **named)
        return vpc_id, {**attributes, "CidrBlock": ec2._vpcs[vpc_id]["CidrBlock"]}

    return provision_with_range


vpc = provisioners._RESOURCE_HANDLERS["AWS::EC2::VPC"]
vpc.update(create=with_range(vpc["create"]), update=with_range(vpc["update"]))


# Attributes of a user pool include the address of its issuer (CloudFormation Template Reference, AWS::Cognito::UserPool, "Return values").
attributes_of_pool = provisioners._cognito_user_pool_attributes


def attributes_with_issuer(pool_id):
    attributes = attributes_of_pool(pool_id)
    return {**attributes, "ProviderURL": f"https://{attributes['ProviderName']}"}


provisioners._cognito_user_pool_attributes = attributes_with_issuer


# A layer is below /opt (Lambda Developer Guide, "Packaging your layer content"), which these functions share with the machine: the CDK's
# upload runs the AWS CLI of this environment instead of its layer's.
fetch_code = lambda_svc._fetch_code_from_s3
cli = os.path.join(os.environ["STATE_DIR"], "aws")
with open(cli, "w", opener=lambda path, flags: os.open(path, flags, 0o700)) as script:
    script.write(f"""#!/bin/sh
export AWS_CA_BUNDLE="{os.environ["MINISTACK_SSL_CERT"]}" AWS_ENDPOINT_URL="https://127.0.0.1:{os.environ["GATEWAY_PORT"]}"
exec "{sys.prefix}/bin/aws" "$@"
""")


def fetch_code_with_own_cli(*source, **named):
    code = fetch_code(*source, **named)
    if code is None:
        return None
    replaced = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(code)) as files, zipfile.ZipFile(replaced, "w", zipfile.ZIP_DEFLATED) as target:
        for file in files.infolist():
            target.writestr(file, files.read(file).replace(b"/opt/awscli/aws", cli.encode()))
    return replaced.getvalue()


lambda_svc._fetch_code_from_s3 = fetch_code_with_own_cli


# AWS::CloudWatch::CompositeAlarm, AWS::Events::Archive and AWS::Events::EventBusPolicy are missing in CloudFormation only: the services have them.
def create_composite_alarm(logical_id, props, stack_name):
    name = props.get("AlarmName") or provisioners._physical_name(stack_name, logical_id, max_len=255)
    succeed(cloudwatch._put_composite_alarm({}, {**props, "AlarmName": name}, False, True))
    return name, {"Arn": cloudwatch._composite_alarms[name]["AlarmArn"]}


def delete_composite_alarm(name, props):
    cloudwatch._composite_alarms.pop(name, None)


def create_archive(logical_id, props, stack_name):
    name = props.get("ArchiveName") or provisioners._physical_name(stack_name, logical_id, max_len=48)
    pattern = json.dumps(props["EventPattern"]) if "EventPattern" in props else ""
    succeed(eventbridge._create_archive({**props, "ArchiveName": name, "EventSourceArn": props["SourceArn"],
                                         "EventPattern": pattern}))
    return name, {"Arn": eventbridge._archives[name]["ArchiveArn"]}


def delete_archive(name, props):
    eventbridge._archives.pop(name, None)


def create_bus_policy(logical_id, props, stack_name):
    bus, statement_id = props.get("EventBusName", "default"), props["StatementId"]
    succeed(eventbridge._put_permission({"EventBusName": bus, "StatementId": statement_id}))
    eventbridge._event_bus_policies[bus]["Statement"][-1].update(props["Statement"])
    return f"{bus}|{statement_id}", {}


def delete_bus_policy(name, props):
    bus, statement_id = name.split("|")
    succeed(eventbridge._remove_permission({"EventBusName": bus, "StatementId": statement_id}))


provisioners._RESOURCE_HANDLERS.update({
    "AWS::CloudWatch::CompositeAlarm": {"create": create_composite_alarm, "delete": delete_composite_alarm},
    "AWS::Events::Archive": {"create": create_archive, "delete": delete_archive},
    "AWS::Events::EventBusPolicy": {"create": create_bus_policy, "delete": delete_bus_policy},
})


# An alarm on metric math is created, and is never evaluated.
record_of_alarm = provisioners._cw_metric_alarm_record


def record_of_any_alarm(name, props):
    if not props.get("Metrics"):
        return record_of_alarm(name, props)
    unused = {"Metrics": None, "MetricName": "-", "Namespace": "-"}
    return {**record_of_alarm(name, {**props, **unused}), "MetricName": None, "Namespace": None}


provisioners._cw_metric_alarm_record = record_of_any_alarm


# The history of an alarm has an item for each action (CloudWatch API Reference, AlarmHistoryItem, HistoryItemType "Action").
dispatch_alarm_actions = cloudwatch._dispatch_alarm_actions


def dispatch_and_record_actions(alarm, old_state, new_state, reason):
    dispatch_alarm_actions(alarm, old_state, new_state, reason)
    for action in alarm.get("AlarmActions") or [] if new_state == "ALARM" else []:
        cloudwatch._record_history(alarm["AlarmName"], old_state, new_state, reason)
        cloudwatch._history_entries()[-1].update(
            HistoryItemType="Action", HistorySummary=f"Successfully executed action {action}")


cloudwatch._dispatch_alarm_actions = dispatch_and_record_actions


# An HTTP API is an origin of CloudFront by its name alone. Here its name has a port, and not every resolver knows names below localhost.
connect_target = cloudfront._origin_connect_target


def connect_target_of_api(origin, viewer_is_https):
    host, port, use_https = connect_target(origin, viewer_is_https)
    name, _, own_port = host.partition(":")
    return ("localhost", int(own_port), use_https) if name.endswith(".execute-api.localhost") else (host, port, use_https)


cloudfront._origin_connect_target = connect_target_of_api


# A sequence number of a stream has no leading zeros (Amazon DynamoDB Developer Guide, "Reading and processing a stream", example).
next_sequence_number = dynamodb._next_stream_seq
dynamodb._next_stream_seq = lambda: next_sequence_number().lstrip("0")


# The event of a mapping with a tumbling window names its shard (Lambda Developer Guide, "Stateful processing of DynamoDB streams").
mapping = provisioners._RESOURCE_HANDLERS["AWS::Lambda::EventSourceMapping"]
create_mapping, execute_function = mapping["create"], lambda_svc._execute_function
windows = {}


def create_mapping_with_window(logical_id, props, stack_name):
    if "TumblingWindowInSeconds" in props:
        windows[(props["EventSourceArn"], props["FunctionName"].rpartition(":")[2])] = True
    return create_mapping(logical_id, props, stack_name)


def execute_function_with_window(function, event, *others, **named):
    source = (event.get("Records") or [{}])[0].get("eventSourceARN") if isinstance(event, dict) else None
    if (source, function["config"]["FunctionName"]) in windows:
        event = {**event, "shardId": dynamodb_streams._DEFAULT_SHARD_ID, "eventSourceARN": source, "state": {}}
    return execute_function(function, event, *others, **named)


mapping["create"] = create_mapping_with_window
lambda_svc._execute_function = execute_function_with_window

# It would also listen on port 443.
app._port_is_bindable = lambda host, port: False

app.main()
