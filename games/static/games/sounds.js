// Five quiet sounds, off unless asked for. Each repeats what the page also says in words.

const NOTES = {
  give: [[520, 0.07]],
  place: [[260, 0.09]],
  turn: [[440, 0.08], [660, 0.1]],
  hurry: [[880, 0.06], [880, 0.06]],
  over: [[392, 0.12], [523, 0.12], [659, 0.2]],
};

let context = null;

export function volume() {
  try {
    return Number(localStorage.getItem("volume") ?? 0);
  } catch {
    return 0;
  }
}

export function setVolume(percent) {
  try {
    localStorage.setItem("volume", String(percent));
  } catch {
    // Without storage it stays silent.
  }
}

export function play(name) {
  const loudness = volume() / 100;
  if (!loudness || !window.AudioContext) return;
  context ??= new AudioContext();
  let at = context.currentTime + 0.01;
  for (const [frequency, length] of NOTES[name]) {
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0.25 * loudness, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length + 0.03;
  }
}
