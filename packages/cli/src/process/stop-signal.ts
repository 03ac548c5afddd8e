/** A signal that the first Ctrl+C or SIGTERM aborts. The second one ends the process, as Node does by default. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}
