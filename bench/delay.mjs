import { performance } from "node:perf_hooks";

/**
 * How late timers are while `work` runs. A timer is thought due in each millisecond, also in those
 * in which the loop was not free: one block of 100 ms makes 100 timers late, not one.
 *
 * @param {() => Promise<void>} work
 * @returns {Promise<number>} the 99th percentile of the delays, in milliseconds
 */
export async function timerDelayP99(work) {
  const delays = [];
  let last = performance.now();
  const record = () => {
    const now = performance.now();
    for (let due = last + 1; due <= now; due += 1) delays.push(now - due);
    last = now;
  };
  let timer;
  const tick = () => {
    record();
    timer = setTimeout(tick, 1);
  };
  timer = setTimeout(tick, 1);
  await work();
  clearTimeout(timer);
  // The work may have ended in a block, before the timers due in it could run.
  record();
  delays.sort((a, b) => a - b);
  return delays[Math.floor(delays.length * 0.99)];
}
