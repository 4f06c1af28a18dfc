"""zeroconf_send.py NAME ADDRESS: offers as many bytes as a claim has to whoever finds it by python-zeroconf, once."""

import socket
import sys

import zeroconf

name, address = sys.argv[1:]
with socket.create_server((address, 0)) as listener, zeroconf.Zeroconf(interfaces=[address]) as registry:
    service = zeroconf.ServiceInfo(
        "_plain._tcp.local.", f"{name}._plain._tcp.local.", listener.getsockname()[1],
        addresses=[socket.inet_aton(address)], server=f"{name}.local.")
    registry.register_service(service)
    print("advertising", flush=True)
    connection, _ = listener.accept()
    with connection:
        connection.sendall(b"x" * 130)
