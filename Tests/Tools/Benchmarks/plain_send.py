"""plain_send.py NAME …: offers as many bytes as a claim has to whoever finds it by avahi-publish, once."""

import socket
import subprocess
import sys

with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as listener:
    publish = subprocess.Popen(
        ["avahi-publish", "-s", sys.argv[1], "_plain._tcp", str(listener.getsockname()[1])],
        stderr=subprocess.PIPE, text=True)
    while "Established" not in publish.stderr.readline():
        pass
    print("advertising", flush=True)
    connection, _ = listener.accept()
    with connection:
        connection.sendall(b"x" * 130)
    publish.kill()
    publish.wait()
