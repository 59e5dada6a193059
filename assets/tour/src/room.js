import { interval, overlaps, toMinutes, toTime } from './interval.js';

/** The bookings of one room on one day. */
export class Room {
  #bookings = [];

  constructor(name) {
    this.name = name;
  }

  /** Adds a booking, or throws when the room is taken at that time. */
  book(who, start, end) {
    const wanted = interval(start, end);
    const taken = this.#bookings.find((booking) => overlaps(booking, wanted));
    if (taken) {
      throw new Error(`${this.name} is taken by ${taken.who} until ${toTime(taken.end)}.`);
    }
    this.#bookings.push({ ...wanted, who });
    this.#bookings.sort((a, b) => a.start - b.start);
  }

  /** Removes a booking; says whether there was one. */
  cancel(who, start) {
    const before = this.#bookings.length;
    this.#bookings = this.#bookings.filter((booking) => booking.who !== who || booking.start !== toMinutes(start));
    return this.#bookings.length < before;
  }

  /** Who has the room, in the order of the day. */
  list() {
    return this.#bookings.map(({ who, start, end }) => `${toTime(start)}–${toTime(end)} ${who}`);
  }

  /** The times between `from` and `to` at which nobody has the room. */
  freeSlots(from, to) {
    const slots = [];
    let at = toMinutes(from);
    for (const booking of this.#bookings) {
      if (booking.start > at) slots.push(`${toTime(at)}–${toTime(booking.start)}`);
      at = Math.max(at, booking.end);
    }
    if (at < toMinutes(to)) slots.push(`${toTime(at)}–${to}`);
    return slots;
  }
}
