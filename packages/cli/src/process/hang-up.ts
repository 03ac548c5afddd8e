/** SIGHUP: the end of a terminal, or to a service without one a sign that its log was put aside. */

/** A log that was put aside is noticed anyway, before the next lines are written: there is nothing to do but to go on. */
export function onHangUp(stop: () => void): void {
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY) stop()
  })
}
