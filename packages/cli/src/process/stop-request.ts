/** Calls `stop` for each signal that asks the process to stop. */
export function onStopRequest(stop: () => void): void {
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // With a terminal, SIGHUP means that the terminal was closed. Without one, a tool such as logrotate has rotated the log; the
  // log writer notices that itself.
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY) stop()
  })
}
