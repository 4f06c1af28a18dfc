"""plain_receive.py NAME …: finds that name by avahi-browse, and reads over TCP to the end."""

import socket
import subprocess
import sys

browse = subprocess.Popen(["avahi-browse", "-rp", "_plain._tcp"], stdout=subprocess.PIPE, text=True)
print("browsing", flush=True)
found = (line.split(";") for line in browse.stdout if line.startswith("="))
fields = next(fields for fields in found if fields[3] == sys.argv[1])
host = fields[7] + ("%" + fields[1] if fields[7].startswith("fe80") else "")
with socket.create_connection((host, int(fields[8]))) as connection:
    while connection.recv(4096):
        pass
print("received", flush=True)
browse.kill()
browse.wait()
