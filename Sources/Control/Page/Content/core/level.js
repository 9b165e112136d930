// The fader law of the router: a place from 0 to 1 on the fader, and its level in dB. 0.75 is 0 dB, 1 is +10 dB, 0 is off.

export const ZERO = 0.75;
export const OFF = -90;
export const MOST = 10;

/** The level of a place in dB; -90 is off. */
export function decibels(place) {
  if (place >= 0.5) return 40 * place - 30;
  if (place >= 0.25) return 80 * place - 50;
  if (place >= 0.0625) return 160 * place - 70;
  return 480 * place - 90;
}

/** The place of a level, from 0 to 1. */
export function place(level) {
  if (level >= -10) return Math.min(1, (level + 30) / 40);
  if (level >= -30) return (level + 50) / 80;
  if (level >= -60) return (level + 70) / 160;
  return Math.max(0, (level + 90) / 480);
}

/** A level as people read it: `-6.0 dB`, `off`. */
export function levelText(level) {
  if (!(level > OFF)) return "off";
  const rounded = (Math.round(level * 10) / 10 || 0).toFixed(1);
  return `${level > 0 && rounded !== "0.0" ? "+" : ""}${rounded} dB`;
}
