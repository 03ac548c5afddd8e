/** The wish of a person, or of the system, that a long command should end. */

/** Aborted by the first Ctrl+C or SIGTERM; a second one ends the process at once, as ever. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}
