"""Asks the eight questions of docs/reference/query-dynamodb.md with boto3, and prints the answers as JSON."""

import json
import os

import boto3
from boto3.dynamodb.conditions import Key

dynamodb = boto3.resource("dynamodb")
history = dynamodb.Table(os.environ["HISTORY"])
quarantine = dynamodb.Table(os.environ["QUARANTINE"])

# 1. What happened to a message?
message = history.get_item(Key={"pk": "message#SM0123"}).get("Item")

# 2. What was sent to a number, and what did it reply?
conversation = history.query(
    IndexName="byNumber",
    KeyConditionExpression=Key("phone").eq("+12025550143"),
    ScanIndexForward=False,
)["Items"]

# 3. Which messages failed on a day?
failed = history.query(
    IndexName="byList",
    KeyConditionExpression=Key("listName").eq("failed#2026-01-15"),
)["Items"]

# 4. Which messages have no final status yet?
pending = history.query(
    IndexName="byList",
    KeyConditionExpression=Key("listName").eq("pending"),
)["Items"]

# 5. Which messages belong to a send?
send = history.query(
    IndexName="bySend",
    KeyConditionExpression=Key("sendList").eq("spring-sale"),
)["Items"]

# 6. Who replied on a day?
replies = history.query(
    IndexName="byList",
    KeyConditionExpression=Key("listName").eq("replies#2026-01-15"),
)["Items"]

# 7. Which numbers opted out?
opted_out = history.query(
    IndexName="byList",
    KeyConditionExpression=Key("listName").eq("opted-out"),
)["Items"]

# 8. What could not be stored on a day?
quarantined = quarantine.query(KeyConditionExpression=Key("pk").eq("2026-01-15"))["Items"]

answers = {
    "1": [message],
    "2": conversation,
    "3": failed,
    "4": pending,
    "5": send,
    "6": replies,
    "7": opted_out,
    "8": quarantined,
}
print(json.dumps(answers, default=int, indent=2))
