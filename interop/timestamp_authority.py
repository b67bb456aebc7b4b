"""A timestamp authority of another maker (RFC 3161 by openssl ts), below a root of its own, with that root's list (CRL) beside it."""

import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

folder, name, port = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
at = f"http://{name}:{port}"

CONFIG = f"""
[ca]
default_ca = root
[root]
dir = {folder}
database = $dir/index.txt
certificate = $dir/root.pem
private_key = $dir/root.key
new_certs_dir = $dir
serial = $dir/serial
default_md = sha256
default_days = 30
default_crl_days = 7
policy = any
[any]
commonName = supplied
[of_root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[of_authority]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
crlDistributionPoints = URI:{at}/root.crl
[req]
distinguished_name = any
[tsa]
default_tsa = stamps
[stamps]
dir = {folder}
serial = $dir/stamps
crypto_device = builtin
signer_cert = $dir/authority.pem
signer_key = $dir/authority.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
"""


def openssl(*args, data=None):
    return subprocess.run(["openssl", *args], cwd=folder, input=data, check=True, capture_output=True).stdout


def make():
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "openssl.cnf").write_text(CONFIG)
    (folder / "index.txt").touch()
    (folder / "serial").write_text("1000\n")
    config = ["-config", "openssl.cnf"]
    key = ["-newkey", "rsa:3072", "-nodes"]
    openssl("req", *config, "-x509", *key, "-keyout", "root.key", "-out", "root.pem", "-days", "3650", "-subj", "/CN=Raiz de carimbo", "-extensions", "of_root")
    openssl("req", *config, *key, "-keyout", "authority.key", "-out", "authority.csr", "-subj", "/CN=Carimbo do tempo")
    openssl("ca", *config, "-batch", "-notext", "-extensions", "of_authority", "-in", "authority.csr", "-out", "authority.pem")
    openssl("ca", *config, "-gencrl", "-out", "crl.pem")
    openssl("crl", "-in", "crl.pem", "-outform", "DER", "-out", "root.crl")


class Answer(BaseHTTPRequestHandler):
    def answer(self, kind, body):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer("application/pkix-crl", (folder / "root.crl").read_bytes())

    def do_POST(self):
        question = self.rfile.read(int(self.headers["content-length"]))
        (folder / "question.tsq").write_bytes(question)
        openssl("ts", "-reply", "-config", "openssl.cnf", "-queryfile", "question.tsq", "-out", "answer.tsr")
        self.answer("application/timestamp-reply", (folder / "answer.tsr").read_bytes())

    def log_message(self, *_):
        pass


make()
# One after the other: `openssl ts` counts its serial numbers in a file.
server = HTTPServer(("127.0.0.1", port), Answer)
print("ready", flush=True)
server.serve_forever()
