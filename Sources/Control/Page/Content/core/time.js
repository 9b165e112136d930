// Lengths and places as people read them.

/** Seconds as `3:07` or `1:02:45`. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds || 0));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
