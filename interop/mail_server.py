"""A mail server of another maker (aiosmtpd): TLS from the first byte, nobody without the password, each mail one file of a folder."""

import email
import email.policy
import json
import logging
import ssl
import sys
import uuid
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

logging.disable(logging.WARNING)
folder, certificate, key, user, password = sys.argv[1:]


class Keep:
    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        text = mail.get_body(("plain",)).get_content()
        path = Path(folder) / f"{uuid.uuid4()}.json"
        told = {"id": path.stem, "to": envelope.rcpt_tos, "subject": mail["subject"], "text": text}
        path.with_suffix(".part").write_text(json.dumps(told))
        path.with_suffix(".part").rename(path)
        return "250 OK"


def known(server, session, envelope, mechanism, data):
    good = isinstance(data, LoginPassword) and data.login == user.encode() and data.password == password.encode()
    return AuthResult(success=good)


tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain(certificate, key)
controller = Controller(
    Keep(), hostname="127.0.0.1", port=465, ssl_context=tls, authenticator=known, auth_required=True, auth_require_tls=False
)
controller.start()
print("ready", flush=True)
sys.stdin.read()
controller.stop()
