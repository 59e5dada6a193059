const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Minutes since midnight of a time written `HH:MM`. */
export function toMinutes(time) {
  const match = TIME.exec(time);
  if (!match) throw new RangeError(`"${time}" is not a time; write it as HH:MM.`);
  return Number(match[1]) * 60 + Number(match[2]);
}

/** The time `HH:MM` of a number of minutes since midnight. */
export function toTime(minutes) {
  const pad = (number) => String(number).padStart(2, '0');
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** An interval from `start` up to, but not including, `end`. */
export function interval(start, end) {
  const made = { start: toMinutes(start), end: toMinutes(end) };
  if (made.end <= made.start) throw new RangeError(`${end} does not come after ${start}.`);
  return made;
}

/** Length of an interval in minutes. */
export function duration(span) {
  return span.end - span.start;
}

/** Whether two intervals share any time. */
export function overlaps(a, b) {
  return a.start <= b.end && b.start <= a.end;
}
