import { fault, fine, warning } from './finding';

const noticedMs = 2000;
const wrongMs = 30_000;

/** Each process compares deadlines and expiries with its own clock, so the clocks must agree within seconds. */
export function compareClocks(whose: string, theirs: number, askedAt: number) {
  // The answer was created between the request and now.
  const off = Math.max(0, askedAt - theirs, theirs - Date.now());
  if (off < noticedMs) return fine(`The clocks of ${whose} and this machine agree.`);
  const says = `The clocks of ${whose} and this machine differ by ${(off / 1000).toFixed(0)} s: synchronize them with NTP.`;
  return off < wrongMs ? warning(says) : fault(says);
}
