"""Certificates of servers of mail, by authorities of their own."""

import ssl
import subprocess


def authority(folder, name):
    """Makes an authority. Returns the file of its certificate, which can be trusted."""
    certificate = folder / f"{name}.pem"
    _run("req", "-x509", *_key(folder / f"{name}.key"), "-days", "2", "-subj", f"/CN={name}", "-out", certificate)
    return certificate


def server(folder, by, host="localhost"):
    """Makes the certificate of a host, signed by the authority of a file. Returns the server's side of TLS with it."""
    name = folder / f"{by.stem}-{host}"
    names = ("-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}")
    _run("req", *_key(f"{name}.key"), *names, "-out", f"{name}.csr")
    signed = ("-CA", by, "-CAkey", by.with_suffix(".key"), "-CAcreateserial", "-copy_extensions", "copy", "-days", "2")
    _run("x509", "-req", "-in", f"{name}.csr", *signed, "-out", f"{name}.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{name}.pem", f"{name}.key")
    return context


def _key(file):
    return ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", file)


def _run(*arguments):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)
