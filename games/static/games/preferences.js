// Preferences of this device: confirmation before sending, and the volume of sounds.

import { play, setVolume, volume } from "./sounds.js";

function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Touch screens ask by default: a finger is less sure than a mouse. */
export function wantsConfirmation() {
  const wish = stored("confirm");
  return wish === null ? matchMedia("(pointer: coarse)").matches : wish === "yes";
}

export function bindPreferences() {
  document.getElementById("preferences").hidden = false;
  const ask = document.getElementById("confirm-first");
  ask.checked = wantsConfirmation();
  ask.addEventListener("change", () => {
    try {
      localStorage.setItem("confirm", ask.checked ? "yes" : "no");
    } catch {
      // Without storage the default of the device holds.
    }
  });
  const loudness = document.getElementById("volume");
  loudness.value = volume();
  loudness.addEventListener("change", () => {
    setVolume(Number(loudness.value));
    play("turn");
  });
}
