// One step at a time: a sentence, perhaps a field, and what the person may do. Both pages show it below their status.

import { $, addTexts, make, put, text } from "./claim.js";

let shown = null;

/** Loads the texts and the style of signing in and of the wallet. The claim page has them only where they are used. */
export async function prepareWords() {
  const link = Object.assign(make("link", ""), { rel: "stylesheet", href: new URL("./wallet.css", import.meta.url) });
  const styled = new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
  await Promise.all([addTexts("wallet"), styled]);
  $("language").addEventListener("click", () => draw());
}

const fields = {
  mail: { type: "email", autocomplete: "email", inputMode: "email" },
  phone: { type: "tel", autocomplete: "tel", inputMode: "tel" },
  code: { type: "text", autocomplete: "one-time-code", inputMode: "numeric", maxLength: 12 },
  recovery: { type: "text", autocomplete: "off", autocapitalize: "characters", spellcheck: false },
  amount: { type: "text", autocomplete: "off", inputMode: "decimal" },
};

function build() {
  const form = Object.assign(make("form", ""), { id: "panel", noValidate: true });
  $("form").after(form);
  $("status").append(Object.assign(make("p", "", "sentence"), { id: "said" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act(shown?.actions[0]);
  });
  return form;
}

function act(action) {
  if (!shown || !action) return;
  const { resolve, entry } = shown;
  shown.entry = null;
  for (const button of $("panel").querySelectorAll("button")) button.ariaDisabled = true;
  if (shown.isDone) return;
  shown.isDone = true;
  resolve({ action, value: entry?.value.trim() ?? "" });
}

/**
 * Shows a step, and waits for the person. Returns {action, value}: the name of what they chose, and what they typed.
 *
 * @param name the name of its sentence among the texts.
 * @param step actions, the first of which is the main one; values of the sentence; field, one of `fields`; value, what
 *   the field has at first; mistake, a text about it; content, an element; auto, a form at which the step is done.
 */
export const step = (name, { actions, values, field, value = "", mistake, count, content, auto } = {}) =>
  new Promise((resolve) => {
    const form = $("panel") ?? build();
    shown = { name, actions: actions ?? [], values, mistake, count, resolve };
    const parts = [];
    if (field) {
      const label = Object.assign(make("label", ""), { htmlFor: "entry" });
      label.dataset.t = "field." + field;
      const entry = Object.assign(document.createElement("input"), { id: "entry", value, ...fields[field] });
      entry.setAttribute("aria-describedby", "mistake");
      entry.ariaInvalid = !!mistake;
      entry.oninput = () => {
        entry.ariaInvalid = false;
        $("mistake").hidden = true;
        if (auto?.test(entry.value.trim())) act(shown.actions[0]);
      };
      shown.entry = entry;
      parts.push(label, entry, Object.assign(make("p", ""), { id: "mistake", hidden: true }));
    }
    if (content) parts.push(content);
    shown.actions.forEach((action, at) => {
      const button = make("button", "", at ? "quiet" : "");
      button.dataset.t = "act." + action;
      button.dataset.act = action;
      button.type = at ? "button" : "submit";
      if (at) button.addEventListener("click", () => act(action));
      parts.push(button);
    });
    form.replaceChildren(...parts);
    $("main").dataset.step = name;
    draw();
    (shown.entry ?? form.querySelector("button") ?? $("main")).focus({ preventScroll: true });
  });

/** Shows that something is under way. What a person sees stays, and takes no more taps. */
export function busy(name) {
  const form = $("panel") ?? build();
  if (!shown) form.replaceChildren();
  shown = { name, actions: [], isDone: true };
  $("main").dataset.step = name;
  draw();
}

function draw() {
  if (!shown) return;
  for (const element of $("panel").querySelectorAll("[data-t]")) element.textContent = text(element.dataset.t);
  put($("said"), text(shown.name), shown.values ?? {});
  const { mistake, count } = shown;
  if ($("mistake")) put($("mistake"), mistake && text("mistake." + mistake), { count });
}

/** Ends the steps. */
export function close() {
  shown = null;
  delete $("main").dataset.step;
  $("panel")?.replaceChildren();
  if ($("said")) put($("said"), "");
}
