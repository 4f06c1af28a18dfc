"""What the scenes of all kinds need. Each is named by a sentence."""

import shutil

from certificates import authority, server
from post_office import PostOffice
from vault import Vault

SCENES = []
PASSWORD = "a cuckoo's clock 7!"
ALICE = "alice.liddell@example.org"


def scene(body):
    SCENES.append((body.__name__.replace("_", " "), body))
    return body


class Stage:
    """What a scene needs: a folder, the program, and two authorities, of which the vault trusts one."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.trusted, self.other = authority(folder, "trusted"), authority(folder, "other")

    def clear(self):
        """Removes the store of a vault that has ended, so that the next one is new."""
        shutil.rmtree(self.folder / "store")

    def tls(self, by=None, host="localhost"):
        return server(self.folder, by or self.trusted, host)

    def vault(self, office, scheme="smtp", password=None, parameters=None, prefix=()):
        """A vault that sends its codes to a server. Without parameters it trusts the first authority."""
        user = "" if password is None else "codes@"
        parameters = f"roots={self.trusted}" if parameters is None else parameters
        way = f"{scheme}://{user}localhost:{office.port}?{parameters}"
        return Vault(self.program, self.folder, way, password, prefix)

    def plain(self, office):
        """A vault that sends its codes without TLS, to this machine."""
        return self.vault(office, parameters="tls=none")


def usual_answer(stage):
    """What a browser is answered whose code comes."""
    with PostOffice() as office, stage.plain(office) as vault:
        browser = vault.browser()
        answer = browser.ask_for_code(ALICE)
        browser.sign_in(office.code(ALICE))
    stage.clear()
    return answer
