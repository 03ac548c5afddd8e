/**
 * Handles SIGHUP. With a terminal, the terminal was closed. Without one, a tool such as logrotate has rotated the log; the log
 * writer notices that itself, so that the signal is ignored.
 */
export function onHangUp(stop: () => void): void {
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY) stop()
  })
}
