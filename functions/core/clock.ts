/** Tells the time in milliseconds since the epoch. */
export type Clock = () => number;
