// On the claim page, where the vault has wallets: two more ways to say to whom the money goes. This file is loaded once
// an offer is there, and what makes and opens wallets after a tap.

import { $, full, make, read, text } from "./claim.js";
import { close, prepareWords } from "./panel.js";

let [door, isBusy] = [null, false];

/** Names the receiver as an app does. */
const pay = (address) => dispatchEvent(new CustomEvent("bump:receiver", { detail: full(address) }));

/** Shows the ways into a wallet below the field for an address. A wallet that is open already is named at once. */
export async function offer(vault) {
  if (door) return;
  door = Object.assign(make("div", "", "choices"), { id: "door" });
  try {
    await prepareWords();
  } catch {
    // The next offer loads the texts again. An address can be pasted without them.
    door = null;
    return;
  }
  const enter = (opening) => opening.enter(vault, "claim");
  const ways = { signIn: enter };
  if (globalThis.PublicKeyCredential) ways.openPasskey = (opening) => opening.openByPasskey(vault);
  for (const [name, open] of Object.entries(ways)) {
    const button = Object.assign(make("button", text("act." + name), "quiet"), { type: "button" });
    button.dataset.t = "act." + name;
    button.dataset.act = name;
    button.addEventListener("click", () => run(open));
    door.append(button);
  }
  $("form").after(door);
  // A phone may have dropped the page while its owner read the mail.
  if (read("sessionStorage", "bump:code")) return run(enter);
  // Whoever opened a wallet here, and is signed in, needs one tap. The vault's word alone names no receiver.
  const pinned = read("localStorage", "bump:wallet");
  if (!pinned || $("field").hidden) return;
  const { session } = await import("./account.js");
  const { view } = await session();
  if (view?.account === pinned.account && view.wallet === pinned.address && !isBusy) pay(pinned.address);
}

async function run(open) {
  if (isBusy) return;
  isBusy = true;
  $("main").dataset.signing = "";
  const opening = await import("./opening.js");
  try {
    const wallet = await open(opening);
    if (wallet) pay(opening.addressOf(wallet));
    // Whoever has made a wallet has tapped on Claim for it.
    if (wallet?.isMade) $("form").requestSubmit();
  } catch (error) {
    if (!(error instanceof opening.Left)) throw error;
  } finally {
    close();
    delete $("main").dataset.signing;
    isBusy = false;
    if (!$("act").hidden) $("act").focus();
  }
}
