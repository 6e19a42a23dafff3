"""Lets official libraries look messages up at a server of this process, and prints the requests that they make, as JSON.

The answer has, for each preset, the path and the names of the parameters of each request. The server answers nothing that a library understands, so
what they do with the answers does not matter.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl, urlsplit

requests = []


def record(url):
    parts = urlsplit(url)
    names = sorted(name for name, _ in parse_qsl(parts.query, keep_blank_values=True))
    requests.append({"path": parts.path, "parameters": names})


class Recorder(BaseHTTPRequestHandler):
    def do_GET(self):
        record(self.path)
        self.send_response(400)
        self.send_header("content-length", "2")
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Recorder)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

since, until = "2026-01-15T00:00:00Z", "2026-01-16T00:00:00Z"


def infobip():
    from infobip_api_client.api.sms_api import SmsApi
    from infobip_api_client.api_client import ApiClient, Configuration

    api = SmsApi(ApiClient(Configuration(host=base, api_key={"APIKeyHeader": "k"}, api_key_prefix={"APIKeyHeader": "App"})))
    yield lambda: api.get_outbound_sms_message_logs(message_id=["m-1"])
    yield lambda: api.get_outbound_sms_message_logs(bulk_id=["b-1"], limit=250, use_cursor=True, cursor="c")
    yield lambda: api.get_outbound_sms_message_logs(
        sent_since=since, sent_until=until, limit=250, use_cursor=True, cursor="c"
    )


def bird():
    from bird import Bird

    client = Bird(api_key="bk_us1_k", base_url=base, max_retries=0)
    yield lambda: client.sms.get("m-1")
    yield lambda: client.sms.list(
        direction="outbound", created_after=since, created_before=until, limit=100, starting_after="s"
    )


def telnyx():
    from telnyx import Telnyx

    client = Telnyx(api_key="k", base_url=f"{base}/v2", max_retries=0)
    yield lambda: client.messages.retrieve("m-1")
    created = {"gte": since, "lt": until}
    query = {"filter[direction]": "outbound", **{f"filter[created_at][{key}]": value for key, value in created.items()}}
    yield lambda: client.detail_records.list(
        filter={"record_type": "messaging"}, page_number=1, page_size=50, extra_query=query
    )


def bandwidth():
    import bandwidth as library

    client = library.ApiClient(library.Configuration(username="u", password="p"))

    # The address of this operation cannot be set.
    def request(method, url, **_):
        record(url)
        raise RuntimeError("not sent")

    client.rest_client.request = request
    api = library.MessagesApi(client)
    yield lambda: api.list_messages("1", message_id="m-1")
    yield lambda: api.list_messages(
        "1",
        message_direction="OUTBOUND",
        from_date_time=since,
        to_date_time=until,
        limit=100,
        page_token="t",
    )


answer = {}
for name, calls in {"infobip": infobip, "bird": bird, "telnyx": telnyx, "bandwidth": bandwidth}.items():
    requests.clear()
    problems = []
    for call in calls():
        try:
            call()
        except Exception as error:  # The server answers 400.
            problems.append(f"{type(error).__name__}: {error}"[:300])
    answer[name] = list(requests) or problems
print(json.dumps(answer))
