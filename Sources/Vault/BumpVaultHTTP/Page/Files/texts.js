// Texts that a page loads only where they are used. Those of the claim page are in its HTML.

import { texts } from "./claim.js";

/** Loads the texts of a name, by their language. */
export async function loadTexts(name) {
  const load = async (language) => {
    const answer = await fetch(new URL(`./${name}.${language}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`no texts: ${answer.status}`);
    return [language, await answer.json()];
  };
  return Object.fromEntries(await Promise.all(Object.keys(texts).map(load)));
}

/** Adds texts to those of the page. */
export const addTexts = (words) =>
  Object.entries(words).forEach(([language, more]) => Object.assign(texts[language], more));
