/** Small synthesized sounds. By default there is one only when something is asked, and when a game is over. */

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let audio = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let silence;

/** Milliseconds before a sound: waking the machine up must not hold up what is being shown. */
const SOON = 60;

/** Milliseconds after the last note before the machine stops playing silence, which costs a phone its battery. */
const REST = 1000;

/** Notes: hertz and seconds. @type {Record<string, [number, number][]>} */
const SOUNDS = {
  card: [[320, 0.05]],
  die: [
    [190, 0.05],
    [240, 0.05],
    [170, 0.06],
  ],
  points: [
    [660, 0.08],
    [880, 0.12],
  ],
  turn: [
    [520, 0.1],
    [700, 0.14],
  ],
  over: [
    [520, 0.12],
    [660, 0.12],
    [780, 0.25],
  ],
};

/** The sounds that call the player. */
const CALLS = ["turn", "over"];

/**
 * Play a sound soon; what it is about is on the screen by then.
 * @param {"card" | "die" | "points" | "turn" | "over"} name
 */
export const playSound = (name) => void setTimeout(play, SOON, name);

/** @param {keyof typeof SOUNDS} name */
function play(name) {
  const isWanted = settings.sounds === "all" || (settings.sounds === "turn" && CALLS.includes(name));
  if (!isWanted || !navigator.userActivation?.hasBeenActive) return; // browsers allow none before the first click
  const context = (audio ??= new AudioContext());
  clearTimeout(silence);
  context.resume(); // which takes a busy machine longer than the sound
  let at = context.currentTime;
  for (const [pitch, length] of SOUNDS[name]) {
    note(context, pitch, at, length).onended = () => restSoon(context);
    at += length;
  }
}

/** @param {AudioContext} context */
function restSoon(context) {
  clearTimeout(silence);
  silence = setTimeout(() => context.suspend(), REST);
}

/**
 * @param {AudioContext} context
 * @param {number} pitch
 * @param {number} at
 * @param {number} length
 */
function note(context, pitch, at, length) {
  const [voice, volume] = [context.createOscillator(), context.createGain()];
  voice.type = "triangle";
  voice.frequency.value = pitch;
  volume.gain.setValueAtTime(0.08, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  voice.connect(volume).connect(context.destination);
  voice.start(at);
  voice.stop(at + length);
  return voice;
}
