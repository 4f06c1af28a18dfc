"""zeroconf_receive.py NAME ADDRESS: finds that name by python-zeroconf, and reads over TCP to the end."""

import queue
import socket
import sys

import zeroconf

name, address = sys.argv[1:]
found = queue.SimpleQueue()


class Listener(zeroconf.ServiceListener):
    def add_service(self, registry, kind, service):
        if service.startswith(name + "."):
            found.put(registry.get_service_info(kind, service))

    def update_service(self, registry, kind, service):
        pass

    def remove_service(self, registry, kind, service):
        pass


with zeroconf.Zeroconf(interfaces=[address]) as registry:
    zeroconf.ServiceBrowser(registry, "_plain._tcp.local.", Listener())
    print("browsing", flush=True)
    service = found.get()
    with socket.create_connection((service.parsed_addresses()[0], service.port)) as connection:
        while connection.recv(4096):
            pass
    print("received", flush=True)
