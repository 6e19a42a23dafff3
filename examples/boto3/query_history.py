"""Asks the eight questions of docs/reference/query-dynamodb.md with boto3, and prints the answers as JSON.

Install boto3 with `pip install boto3`. HISTORY and QUARANTINE are the names of the tables, as `sms outputs` prints them.
"""

import json
import os

import boto3
from boto3.dynamodb.conditions import Key

dynamodb = boto3.resource("dynamodb")
history = dynamodb.Table(os.environ["HISTORY"])
quarantine = dynamodb.Table(os.environ["QUARANTINE"])


def query(table, **request):
    """Returns the items of all pages of a query."""
    pages = table.meta.client.get_paginator("query").paginate(TableName=table.name, **request)
    return [item for page in pages for item in page["Items"]]


# 1. What happened to a message?
message = history.get_item(Key={"pk": "message#SM0123"}).get("Item")

# 2. What was sent to a number, and what did it reply?
conversation = query(
    history,
    IndexName="byNumber",
    KeyConditionExpression=Key("phone").eq("+12025550143"),
    ScanIndexForward=False,
)

# 3. Which messages failed on a day?
failed = query(history, IndexName="byList", KeyConditionExpression=Key("listName").eq("failed#2026-01-15"))

# 4. Which messages have no final status yet?
pending = query(history, IndexName="byList", KeyConditionExpression=Key("listName").eq("pending"))

# 5. Which messages belong to a send?
send = query(history, IndexName="bySend", KeyConditionExpression=Key("sendList").eq("spring-sale"))

# 6. Who replied on a day?
replies = query(history, IndexName="byList", KeyConditionExpression=Key("listName").eq("replies#2026-01-15"))

# 7. Which numbers opted out?
opted_out = query(history, IndexName="byList", KeyConditionExpression=Key("listName").eq("opted-out"))

# 8. What could not be stored on a day?
quarantined = query(quarantine, KeyConditionExpression=Key("pk").eq("2026-01-15"))

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
